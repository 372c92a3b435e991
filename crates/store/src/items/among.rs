//! Which of a person's items are meant: of a kind, with tags, deleted or not.
//!
//! Tags are kept as they were written; what somebody types to find them is not. So the person's own tags are read first,
//! compared without case and accents, and those that fit are asked for, whole: nothing that anybody types is a pattern.

use super::{Column, Entity, Owner, of};
use crate::{StoreResult, crm::fold::fold};
use domain::item::{ItemKind, ItemQuery};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect, Select, Value,
    sea_query::{Expr, LikeExpr},
};
use std::collections::BTreeSet;

/// More tags than an item has are asked of none.
const MOST_ASKED: usize = 20;
/// As many of the person's tags may begin with what they typed.
const MOST_FITTING: usize = 200;
/// What takes a `%` or `_` for what it is.
const ESCAPE: char = '!';

/// Which items are looked at: all, or only of a kind and with tags.
#[derive(Clone, Debug, Default)]
pub struct Among {
    kind: Option<ItemKind>,
    /// Of each the item has one, as it was written.
    tags: Vec<Vec<String>>,
    is_deleted: bool,
}

impl Among {
    pub fn of(kind: Option<ItemKind>) -> Self {
        Self { kind, ..Self::default() }
    }

    pub async fn asked(conn: &impl ConnectionTrait, owner: Owner, query: &ItemQuery) -> StoreResult<Self> {
        let without = Self { kind: query.kind, is_deleted: query.deleted == Some(true), tags: Vec::new() };
        let asked = asked(query.tag.as_deref().unwrap_or_default());
        if asked.is_empty() {
            return Ok(without);
        }
        let known = known(conn, owner, &without).await?;
        Ok(Self { tags: asked.iter().map(|asked| fitting(asked, &known)).collect(), ..without })
    }

    pub(super) fn filter(&self, select: Select<Entity>) -> Select<Entity> {
        let select = match self.is_deleted {
            true => select.filter(Column::DeletedAt.is_not_null()),
            false => select.filter(Column::DeletedAt.is_null()),
        };
        let select = match self.kind {
            Some(kind) => select.filter(Column::Kind.eq(kind.as_str())),
            None => select,
        };
        self.tags.iter().fold(select, |select, any| {
            let like = |tag: &String| Column::Tags.like(LikeExpr::new(whole(tag)).escape(ESCAPE));
            let none = any.is_empty().then(|| Expr::value(false));
            select.filter(any.iter().map(like).chain(none).fold(Condition::any(), Condition::add))
        })
    }

    /// The same as SQL on `items i`. Whoever narrows a search down wants what fits, however many other items have the
    /// words: then the items themselves are asked, from the newest on, until there are enough.
    pub(super) fn condition(&self, place: impl Fn(usize) -> String) -> (String, Vec<Value>) {
        let (mut sql, mut values) = (String::new(), Vec::new());
        if let Some(kind) = self.kind {
            sql.push_str(&format!(" AND i.kind = {}", place(values.len())));
            values.push(kind.as_str().into());
        }
        for any in &self.tags {
            let mut parts = vec!["1 = 0".to_owned()];
            for tag in any {
                parts.push(format!("i.tags LIKE {} ESCAPE '{ESCAPE}'", place(values.len())));
                values.push(whole(tag).into());
            }
            sql.push_str(&format!(" AND ({})", parts.join(" OR ")));
        }
        (sql, values)
    }
}

/// `#Sábado, fim de semana` asks for two.
fn asked(text: &str) -> Vec<String> {
    let tags = text.split(',').map(|tag| {
        let folded = fold(tag.trim().trim_start_matches('#'));
        folded.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    tags.filter(|tag| !tag.is_empty()).take(MOST_ASKED).collect()
}

/// The person's own tags.
async fn known(conn: &impl ConnectionTrait, owner: Owner, among: &Among) -> StoreResult<BTreeSet<String>> {
    let all = Among { is_deleted: among.is_deleted, ..Among::default() };
    let some = all.filter(of(owner)).filter(Column::Tags.ne("")).select_only().column(Column::Tags);
    let lists: Vec<String> = some.distinct().into_tuple().all(conn).await?;
    let tags = lists.iter().flat_map(|list| list.split(','));
    Ok(tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
}

/// The tag that was typed; when there is none, those of which a word begins so, as whoever is still typing expects.
fn fitting(asked: &str, known: &BTreeSet<String>) -> Vec<String> {
    let exact: Vec<String> = known.iter().filter(|tag| fold(tag) == asked).cloned().collect();
    if !exact.is_empty() {
        return exact;
    }
    known.iter().filter(|tag| has_beginning(&fold(tag), asked)).take(MOST_FITTING).cloned().collect()
}

fn has_beginning(tag: &str, asked: &str) -> bool {
    let is_beginning =
        |at: usize| tag[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
    tag.match_indices(asked).any(|(at, _)| is_beginning(at))
}

/// Where a tag stands whole in `,a,b,`.
fn whole(tag: &str) -> String {
    let is_special = |c: char| matches!(c, '%' | '_' | ESCAPE);
    let plain = tag.chars().flat_map(|c| is_special(c).then_some(ESCAPE).into_iter().chain([c]));
    format!("%,{},%", plain.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g14_what_is_typed_leads_to_the_tags_that_are_there() {
        let known: BTreeSet<String> =
            ["casa", "casamento", "fim de semana", "sábado", "sabado", "sci-fi", "100%", "a_b", "axb"]
                .map(str::to_owned)
                .into();
        let find = |text: &str| asked(text).iter().map(|asked| fitting(asked, &known)).collect::<Vec<_>>();
        for (text, tags) in [
            ("casa", vec!["casa"]),
            (" #CASA ", vec!["casa"]),
            ("cas", vec!["casa", "casamento"]),
            ("Sábado", vec!["sabado", "sábado"]),
            ("SA\u{301}BADO", vec!["sabado", "sábado"]),
            ("fim  de semana", vec!["fim de semana"]),
            ("semana", vec!["fim de semana"]),
            ("fi", vec!["fim de semana", "sci-fi"]),
            ("mana", vec![]),
            ("a_b", vec!["a_b"]),
            ("a%", vec![]),
            ("_", vec![]),
            ("%", vec![]),
            ("100%", vec!["100%"]),
        ] {
            assert_eq!(find(text), [tags], "{text}");
        }
        assert_eq!(find("casa, sab"), [vec!["casa"], vec!["sabado", "sábado"]]);
        for nothing in ["", " ", ",", "#", " , #,"] {
            assert!(find(nothing).is_empty(), "{nothing:?}");
        }
    }

    #[test]
    fn g14_nothing_in_a_tag_is_a_pattern() {
        assert_eq!(whole("100%_!"), "%,100!%!_!!,%");
        let among =
            Among { tags: vec![vec!["a".into(), "b".into()], vec![]], ..Among::of(Some(ItemKind::Note)) };
        let (sql, values) = among.condition(|at| format!("${}", at + 5));
        let wanted = " AND i.kind = $5 AND (1 = 0 OR i.tags LIKE $6 ESCAPE '!' OR i.tags LIKE $7 ESCAPE '!') AND (1 = 0)";
        assert_eq!((sql.as_str(), values.len()), (wanted, 3));
    }
}
