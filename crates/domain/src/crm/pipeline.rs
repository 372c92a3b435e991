//! Pipelines: the stages that a deal passes through, in order.

use super::patch::{given, onto};
use crate::{FieldCode, FieldError, PipelineId, Slug, Timestamp, text::parse_line};
use serde::{Deserialize, Serialize};

const MOST_STAGES: usize = 30;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// How deals and tools name the stage: lower-case letters, digits, hyphens.
    pub slug: String,
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 100))]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PipelineOut {
    pub id: PipelineId,
    pub name: String,
    pub stages: Vec<Stage>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PipelineIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 100))]
    pub name: String,
    /// In order; at least one.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 30))]
    pub stages: Vec<Stage>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PipelinePatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, min_length = 1, max_length = 100))]
    pub name: Option<String>,
    /// All of them: a stage that deals are in cannot be left out.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Stage>, required = false, min_items = 1, max_items = 30))]
    pub stages: Option<Vec<Stage>>,
}

onto!(PipelinePatch, PipelineOut, PipelineIn { name, stages });

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct PipelineQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
}

impl PipelineIn {
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self { name: parse_line("name", &self.name, 100)?, stages: checked_stages(self.stages)? })
    }
}

impl PipelineOut {
    pub fn stage(&self, slug: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.slug == slug)
    }
}

fn checked_stages(stages: Vec<Stage>) -> Result<Vec<Stage>, FieldError> {
    if stages.is_empty() {
        return Err(FieldError::new("stages", FieldCode::Required));
    }
    if stages.len() > MOST_STAGES {
        return Err(FieldError::new("stages", FieldCode::TooLong));
    }
    let mut kept: Vec<Stage> = Vec::with_capacity(stages.len());
    for (index, stage) in stages.into_iter().enumerate() {
        let field = |name: &str| format!("stages[{index}].{name}");
        let slug = Slug::parse(&stage.slug).map_err(|error| FieldError::new(&field("slug"), error.code))?;
        if kept.iter().any(|other| other.slug == slug.as_str()) {
            return Err(FieldError::new(&field("slug"), FieldCode::Taken));
        }
        kept.push(Stage { slug: slug.to_string(), name: parse_line(&field("name"), &stage.name, 100)? });
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_have_slugs_of_their_own() {
        let stage = |slug: &str| Stage { slug: slug.to_owned(), name: "Novo".to_owned() };
        assert!(checked_stages(vec![]).is_err());
        assert_eq!(checked_stages(vec![stage("a"), stage("a")]).unwrap_err().field, "stages[1].slug");
        assert_eq!(checked_stages(vec![stage("A b")]).unwrap_err().field, "stages[0].slug");
        assert_eq!(checked_stages(vec![stage("a"), stage("b")]).unwrap().len(), 2);
    }
}
