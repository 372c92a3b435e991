//! What a person saved: notes, films, series, videos and links; theirs alone.

use crate::{
    FieldCode, FieldError, ItemId, Timestamp,
    crm::{
        UnknownWord, check,
        patch::{given, onto},
        words::words,
    },
    text::parse_line,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    ItemKind { Note = "note", Movie = "movie", TvShow = "tv_show", Video = "video", Link = "link" }
    /// How far the details of an item have come.
    EnrichmentState {
        NotNeeded = "not_needed",
        /// They are looked for, now or later.
        Waiting = "waiting",
        Done = "done",
        /// Several fit: the person chooses.
        Several = "several",
        /// Nobody has them, or nobody could be reached for long enough.
        Failed = "failed",
    }
}

pub const LONGEST_TITLE: usize = 300;
pub const LONGEST_TEXT: usize = 65_536;

/// What was found about it elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ItemDetails {
    pub tmdb_id: Option<i64>,
    pub year: Option<i64>,
    pub original_title: Option<String>,
    pub summary: Option<String>,
    pub author: Option<String>,
    /// Who told: TMDB, YouTube, Vimeo, or the site's own name.
    pub provider: Option<String>,
    pub image_url: Option<String>,
}

/// One of several that fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ItemMatch {
    pub tmdb_id: i64,
    pub title: String,
    pub year: Option<i64>,
}

impl ItemMatch {
    /// `Matrix (1999)`
    pub fn label(&self) -> String {
        match self.year {
            Some(year) => format!("{} ({year})", self.title),
            None => self.title.clone(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EnrichmentOut {
    pub state: EnrichmentState,
    /// Why there is nothing yet: a stable code, such as `not_configured` or `timed_out`.
    pub reason: Option<String>,
    pub matches: Vec<ItemMatch>,
    pub next_attempt_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ItemOut {
    pub id: ItemId,
    pub kind: ItemKind,
    pub title: String,
    pub text: Option<String>,
    pub url: Option<String>,
    pub tags: Vec<String>,
    pub details: ItemDetails,
    pub enrichment: EnrichmentOut,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Until it is gone for good, it can be restored.
    pub deleted_at: Option<Timestamp>,
}

/// What a person may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemIn {
    pub title: String,
    pub text: Option<String>,
    pub tags: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ItemPatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, min_length = 1, max_length = 300))]
    pub title: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 65536))]
    pub text: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, required = false))]
    pub tags: Option<Vec<String>>,
}

onto!(ItemPatch, ItemOut, ItemIn { title, text, tags });

impl ItemIn {
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            title: parse_line("title", &self.title, LONGEST_TITLE)?,
            text: check::optional_paragraph("text", self.text.as_deref(), LONGEST_TEXT)?,
            tags: tags(&self.tags)?,
        })
    }
}

/// Lower case, without repetitions and without the `#` that people put before them; no commas, so that a list of them is
/// one text.
pub fn tags(values: &[String]) -> Result<Vec<String>, FieldError> {
    let plain = |tag: &String| {
        let bare = tag.trim().trim_start_matches('#').to_lowercase();
        bare.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    if values.iter().any(|tag| tag.contains(',')) {
        return Err(FieldError::new("tags", FieldCode::Invalid));
    }
    check::tags(&values.iter().map(plain).collect::<Vec<_>>())
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct ItemQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    /// Words to search for; the best come first, and there is no next page.
    pub q: Option<String>,
    #[cfg_attr(feature = "openapi", param(inline))]
    pub kind: Option<ItemKind>,
    /// A tag, whatever its case and accents, or how a word of it begins; several, with commas between them, ask for all.
    pub tag: Option<String>,
    /// Those that were deleted and can be restored, instead of the others.
    pub deleted: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_folded_and_plain() {
        assert_eq!(
            tags(&["Família".into(), " #família ".into(), "sci-fi".into(), "Fim  de semana".into()]).unwrap(),
            ["família", "sci-fi", "fim de semana"]
        );
        for good in ["50%", "a_b", "c++", "c#", "r&d", "🎬", "<b>"] {
            assert_eq!(tags(&[good.to_owned()]).unwrap(), [good]);
        }
        for bad in ["a,b", "", "#", " ", "a\nb", "a\u{0}b", &"x".repeat(41)] {
            assert!(tags(&[bad.to_owned()]).is_err(), "{bad}");
        }
    }
}
