//! Pipelines and their stages: a line of the form is a stage.

use super::{Asked, Desk, parts};
use crate::api::{
    described::{FieldKind, Given, field},
    records::{RecordForm, RecordKind, RecordList, RecordRow},
};
use domain::{
    ErrorCode, FieldCode, FieldError, PipelineId, ServiceError, ServiceResult,
    crm::{PipelineIn, PipelineOut, PipelinePatch, PipelineQuery, Stage},
};

pub const FIELDS: &[&str] = &["name", "stages"];

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let query = PipelineQuery { limit: None, cursor: asked.cursor() };
    let list = desk.crm.list_pipelines(&desk.visitor.tenant_permit()?, query).await?;
    Ok(RecordList {
        columns: vec![desk.t.crm_stages().to_owned(), desk.t.crm_updated().to_owned()],
        rows: list.data.into_iter().map(row).collect(),
        next_cursor: list.next_cursor,
        filter: None,
        has_search: false,
    })
}

fn row(pipeline: PipelineOut) -> RecordRow {
    let stages: Vec<String> = pipeline.stages.into_iter().map(|stage| stage.name).collect();
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Pipelines.path(), pipeline.id)),
        title: pipeline.name,
        detail: String::new(),
        cells: vec![parts::text(stages.join(" → ")), parts::moment(Some(&pipeline.updated_at))],
    }
}

pub async fn form(desk: &Desk<'_>, id: Option<PipelineId>) -> ServiceResult<RecordForm> {
    let pipeline = match id {
        None => None,
        Some(id) => Some(desk.crm.find_pipeline(&desk.visitor.tenant_permit()?, id).await?),
    };
    let t = desk.t;
    let name = pipeline.as_ref().map(|pipeline| pipeline.name.clone()).unwrap_or_default();
    let stages = pipeline.as_ref().map(|pipeline| written(&pipeline.stages)).unwrap_or_default();
    Ok(RecordForm {
        title: name.clone(),
        seen_version: pipeline.as_ref().map_or(0, |pipeline| pipeline.version),
        fields: vec![
            field(FieldKind::Line, "name", t.crm_name(), name).required(),
            field(FieldKind::Paragraph, "stages", t.crm_stages(), stages)
                .required()
                .hint(t.crm_stages_hint()),
        ],
        facts: pipeline
            .map(|pipeline| vec![parts::fact(t.crm_created(), &pipeline.created_at)])
            .unwrap_or_default(),
        is_open: true,
        related: Vec::new(),
        takes_notes: false,
    })
}

/// `short-name: Name`, a line each.
fn written(stages: &[Stage]) -> String {
    let line = |stage: &Stage| format!("{}: {}", stage.slug, stage.name);
    stages.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A line without a short name gets one from its name.
fn read(text: &str) -> Result<Vec<Stage>, FieldError> {
    let stage = |line: &str| match line.split_once(':') {
        Some((slug, name)) => Ok(Stage { slug: slug.trim().to_owned(), name: name.trim().to_owned() }),
        None => {
            let slug =
                domain::Slug::suggest(line).ok_or_else(|| FieldError::new("stages", FieldCode::Invalid))?;
            Ok(Stage { slug: slug.to_string(), name: line.to_owned() })
        }
    };
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(stage).collect()
}

pub async fn save(
    desk: &Desk<'_>,
    id: Option<PipelineId>,
    given: Given,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let input = PipelineIn { name: given.required("name")?, stages: read(&given.required("stages")?)? };
    let saved = match id {
        None => desk.crm.create_pipeline(&desk.visitor.tenant_permit()?, input).await,
        Some(id) => {
            let patch = PipelinePatch { name: Some(input.name), stages: Some(input.stages) };
            desk.crm.update_pipeline(&desk.visitor.tenant_permit()?, id, patch, seen).await
        }
    };
    Ok(saved.map_err(renamed)?.id.to_string())
}

/// `stages[2].slug` is the form's one field. A stage that deals are in is about that field too: nobody else changed anything.
fn renamed(mut error: ServiceError) -> ServiceError {
    if !error.errors.is_empty() {
        error.code = ErrorCode::ValidationFailed;
    }
    for field in error.errors.iter_mut().filter(|field| field.field.starts_with("stages")) {
        field.field = "stages".to_owned();
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_stage_and_keeps_its_short_name() {
        let stages = read("novo: Novo contato\n\nProposta enviada\n").unwrap();
        assert_eq!(written(&stages), "novo: Novo contato\nproposta-enviada: Proposta enviada");
    }
}
