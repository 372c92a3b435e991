//! `updatePipelineStage`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use domain::{ToolEffect, crm::DealOut};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::{Hold, deals, pipelines};

pub const TOOL: SystemTool = SystemTool {
    name: "updatePipelineStage",
    display_name: "Mover negócio no funil",
    description: "Move um negócio para outra etapa do seu funil de vendas. Use quando o negócio avançar ou recuar, \
                  por exemplo depois de uma proposta enviada. A etapa é o identificador (slug) de uma etapa do funil.",
    effect: ToolEffect::Write,
    kind: Kind::UpdatePipelineStage,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    deal_id: String,
    stage: String,
    /// For the record of the call, which keeps the arguments.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

pub fn parameters() -> Value {
    let properties = json!({
        "deal_id": args::reference("Negócio"),
        "stage": args::text("A nova etapa: o slug de uma etapa do funil do negócio", 63),
        "reason": args::text("Por que o negócio muda de etapa; fica no registro da execução", 500),
    });
    args::object(properties, &["deal_id", "stage"])
}

/// The deal, and a stage that its pipeline has.
async fn prepare(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    holds: (Hold, Hold),
) -> Result<(DealOut, String), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let deal = args::deal(conn, call, &params.deal_id, holds.0).await?;
    let pipeline = pipelines::find(conn, call.tenant, deal.pipeline_id, holds.1).await?;
    let stages = pipeline.map(|pipeline| pipeline.stages).unwrap_or_default();
    if stages.iter().any(|stage| stage.slug == params.stage) {
        return Ok((deal, params.stage));
    }
    let known: Vec<&str> = stages.iter().map(|stage| stage.slug.as_str()).collect();
    let message = format!("O funil não tem essa etapa. As etapas são: {}.", known.join(", "));
    Err(ToolFailure::refused("stage_not_found", message))
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (deal, stage) = prepare(conn, call, (Hold::Free, Hold::Free)).await?;
    let summary = format!("Mover o negócio {} de {} para {stage}.", deal.title, deal.stage);
    Ok(planned(summary, json!({ "stage": deal.stage }), json!({ "stage": stage })))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (deal, stage) = prepare(tx, call, (Hold::Change, Hold::Still)).await?;
    let differs = deal.stage != stage;
    if differs {
        deals::set_stage(tx, call.tenant, &deal, &stage).await?;
    }
    Ok(json!({ "updated": differs, "previous_stage": deal.stage, "new_stage": stage }))
}
