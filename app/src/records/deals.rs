//! Deals: the pipeline, deal by deal.

use super::{Asked, Desk, parts};
use crate::{
    api::{
        described::{ChoiceOut, FieldKind, Given, choice, field},
        records::{CellKind, RecordForm, RecordKind, RecordList, RecordRow},
    },
    texts::Texts,
};
use domain::{
    ContactId, DealId, FieldCode, FieldError, PipelineId, ServiceError, ServiceResult,
    crm::{DealIn, DealOut, DealPatch, DealQuery, DealStatus, PipelineOut, PipelineQuery},
};
use std::collections::HashMap;

pub const FIELDS: &[&str] = &["title", "contact_id", "place", "value", "currency", "status", "external_id"];

/// Pipeline and stage in one choice.
const BETWEEN: char = '/';

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let t = desk.t;
    let mut query = DealQuery { cursor: asked.cursor(), status: asked.status(), ..DealQuery::default() };
    if let Some((pipeline, stage)) = place(&asked.status) {
        (query.pipeline_id, query.stage) = (Some(pipeline), Some(stage));
    }
    let list = desk.crm.list_deals(&desk.visitor.tenant_permit()?, query).await?;
    let names = desk.contact_names(list.data.iter().map(|deal| deal.contact_id)).await?;
    let pipelines = pipelines(desk).await?;
    let states = DealStatus::ALL.iter().map(|one| choice(one.as_str(), t.deal_status(*one)));
    let filters = states.chain(places(&pipelines)).collect();
    Ok(RecordList {
        columns: [t.crm_stage(), t.crm_status(), t.crm_contact(), t.crm_value(), t.crm_updated()]
            .map(str::to_owned)
            .into(),
        rows: list.data.into_iter().map(|deal| row(t, deal, &names, &pipelines)).collect(),
        next_cursor: list.next_cursor,
        filter: parts::filter(t, t.crm_stage(), &asked.status, filters),
        has_search: false,
    })
}

async fn pipelines(desk: &Desk<'_>) -> ServiceResult<Vec<PipelineOut>> {
    let query = PipelineQuery { limit: Some(200), cursor: None };
    Ok(desk.crm.list_pipelines(&desk.visitor.tenant_permit()?, query).await?.data)
}

fn places(pipelines: &[PipelineOut]) -> Vec<ChoiceOut> {
    let of = |pipeline: &PipelineOut| {
        let stage = |stage: &domain::crm::Stage| {
            let value = format!("{}{BETWEEN}{}", pipeline.id, stage.slug);
            choice(value, format!("{} · {}", pipeline.name, stage.name))
        };
        pipeline.stages.iter().map(stage).collect::<Vec<_>>()
    };
    pipelines.iter().flat_map(of).collect()
}

fn place(text: &str) -> Option<(PipelineId, String)> {
    let (pipeline, stage) = text.split_once(BETWEEN)?;
    Some((pipeline.parse().ok()?, stage.to_owned()))
}

fn row(t: Texts, deal: DealOut, names: &HashMap<ContactId, String>, pipelines: &[PipelineOut]) -> RecordRow {
    let tone = match deal.status {
        DealStatus::Won => CellKind::On,
        DealStatus::Lost => CellKind::Danger,
        DealStatus::Open => CellKind::Plain,
    };
    let pipeline = pipelines.iter().find(|pipeline| pipeline.id == deal.pipeline_id);
    let stage = pipeline.and_then(|pipeline| pipeline.stage(&deal.stage));
    let contact = deal.contact_id.and_then(|id| names.get(&id).cloned()).unwrap_or_default();
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Deals.path(), deal.id)),
        cells: vec![
            parts::text(stage.map_or_else(|| deal.stage.clone(), |stage| stage.name.clone())),
            parts::state(tone, t.deal_status(deal.status)),
            parts::text(contact),
            parts::number(parts::money(t, deal.value_cents, &deal.currency)),
            parts::moment(Some(&deal.updated_at)),
        ],
        title: deal.title,
        detail: pipeline.map(|pipeline| pipeline.name.clone()).unwrap_or_default(),
    }
}

pub async fn form(desk: &Desk<'_>, id: Option<DealId>, contact: &str) -> ServiceResult<RecordForm> {
    let deal = match id {
        None => None,
        Some(id) => Some(desk.crm.find_deal(&desk.visitor.tenant_permit()?, id).await?),
    };
    let (t, deal) = (desk.t, deal.as_ref());
    let chosen: Option<ContactId> = deal.map_or_else(|| contact.parse().ok(), |deal| deal.contact_id);
    let contacts = parts::open_choice(t, desk.contact_choices(chosen).await?);
    let places = places(&pipelines(desk).await?);
    let text = |of: fn(&DealOut) -> Option<String>| deal.and_then(of).unwrap_or_default();
    let status = deal.map_or(DealStatus::Open, |deal| deal.status);
    let place = text(|deal| Some(format!("{}{BETWEEN}{}", deal.pipeline_id, deal.stage)));
    let value = deal.map(|deal| parts::amount(t, deal.value_cents)).unwrap_or_default();
    let currency = deal.map_or_else(|| "BRL".to_owned(), |deal| deal.currency.clone());
    let fields = vec![
        field(FieldKind::Line, "title", t.crm_title(), text(|deal| Some(deal.title.clone()))).required(),
        field(FieldKind::Choice, "place", t.crm_stage(), place)
            .required()
            .choices(places)
            .hint(t.crm_stage_hint()),
        field(
            FieldKind::Choice,
            "contact_id",
            t.crm_contact(),
            chosen.map(|id| id.to_string()).unwrap_or_default(),
        )
        .choices(contacts),
        field(FieldKind::Money, "value", t.crm_value(), value),
        field(FieldKind::Line, "currency", t.crm_currency(), currency).required().hint(t.crm_currency_hint()),
        field(FieldKind::Choice, "status", t.crm_status(), status.as_str())
            .required()
            .choices(DealStatus::ALL.iter().map(|one| choice(one.as_str(), t.deal_status(*one))).collect()),
        field(FieldKind::Line, "external_id", t.crm_external_id(), text(|deal| deal.external_id.clone()))
            .hint(t.crm_external_id_hint()),
    ];
    Ok(RecordForm {
        title: text(|deal| Some(deal.title.clone())),
        seen_version: deal.map_or(0, |deal| deal.version),
        fields,
        facts: deal.map(|deal| vec![parts::fact(t.crm_created(), &deal.created_at)]).unwrap_or_default(),
        is_open: true,
        related: Vec::new(),
        takes_notes: false,
    })
}

pub async fn save(
    desk: &Desk<'_>,
    id: Option<DealId>,
    given: Given,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let unknown = || FieldError::new("place", FieldCode::Unknown);
    let (pipeline_id, stage) = place(&given.required("place")?).ok_or_else(unknown)?;
    let input = DealIn {
        title: given.required("title")?,
        contact_id: given.read("contact_id")?,
        pipeline_id,
        stage: Some(stage),
        value_cents: given.cents("value")?.unwrap_or(0),
        currency: given.required("currency")?.trim().to_uppercase(),
        status: given.read("status")?.unwrap_or_default(),
        external_id: given.text("external_id"),
    };
    let saved = match id {
        None => desk.crm.create_deal(&desk.visitor.tenant_permit()?, input).await,
        Some(id) => {
            let patch = DealPatch {
                title: Some(input.title),
                contact_id: Some(input.contact_id),
                pipeline_id: Some(input.pipeline_id),
                stage: input.stage,
                value_cents: Some(input.value_cents),
                currency: Some(input.currency),
                status: Some(input.status),
                external_id: Some(input.external_id),
            };
            desk.crm.update_deal(&desk.visitor.tenant_permit()?, id, patch, seen).await
        }
    };
    Ok(saved.map_err(renamed)?.id.to_string())
}

/// The service's names of fields become the form's.
fn renamed(mut error: ServiceError) -> ServiceError {
    for field in &mut error.errors {
        match field.field.as_str() {
            "pipeline_id" | "stage" => field.field = "place".to_owned(),
            "value_cents" => field.field = "value".to_owned(),
            _ => {}
        }
    }
    error
}
