//! Full-text search of a person's own items. Whatever they type is taken apart into words first, so nothing of it is
//! an operator.
//!
//! The index gives the newest that fit, and only so many are read: a common word among a million items costs what it
//! costs among a thousand. Of these, those that have the words in their title come first. Whole words are asked for
//! first, one and many alike; when there are none, beginnings of words; and when there is nothing with all of them,
//! items with any.
//!
//! A beginning of any length would make SQLite gather every entry under it: a second for a million. It has an index of
//! the first two and three letters, so those are asked for, and what was found is looked at.

use super::{
    Among, Column, Owner, all, of, searched,
    stems::{singulars, words as words_of},
};
use crate::{
    StoreResult,
    crm::fold::{fold, words},
    entity::items::Entity,
};
use domain::item::ItemOut;
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, QueryOrder, QuerySelect, Statement, Value};

/// As many are looked at, at least and at most, to find the best.
const LOOKED_AT: (usize, usize) = (50, 200);
const MOST_DELETED: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Whole words, all of them.
    All,
    /// All of them, as beginnings.
    Beginnings,
    /// Whole words, any of them.
    Any,
}

/// A text without words finds nothing.
pub async fn search(
    conn: &impl ConnectionTrait,
    owner: Owner,
    text: &str,
    among: &Among,
    limit: usize,
) -> StoreResult<Vec<ItemOut>> {
    let words = words(text);
    let most = (limit * 4).clamp(LOOKED_AT.0, LOOKED_AT.1);
    for how in [How::All, How::Beginnings, How::Any] {
        let mut found = matching(conn, (owner, among), &words, how, most).await?;
        if !found.is_empty() {
            found.sort_by_key(|item| !has_all(&fold(&item.title), &words));
            found.truncate(limit);
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn has_all(text: &str, words: &[String]) -> bool {
    words.iter().all(|word| words_of(text).any(|part| part.starts_with(word.as_str())))
}

/// Those that were deleted are in no index: the newest are looked through.
pub async fn search_deleted(
    conn: &impl ConnectionTrait,
    owner: Owner,
    text: &str,
    among: &Among,
    limit: usize,
) -> StoreResult<Vec<ItemOut>> {
    let words = words(text);
    let deleted = among.filter(of(owner)).order_by_desc(Column::Id).limit(MOST_DELETED);
    let mut found = all(deleted.all(conn).await?)?;
    found.retain(|item| !words.is_empty() && has_all(&everything(item), &words));
    found.truncate(limit);
    Ok(found)
}

async fn matching(
    conn: &impl ConnectionTrait,
    own: (Owner, &Among),
    words: &[String],
    how: How,
    most: usize,
) -> StoreResult<Vec<ItemOut>> {
    let mut found = match conn.get_database_backend() {
        DbBackend::Sqlite => ask(conn, sqlite(own, words, how, most)).await?,
        _ => newest_first(conn, |way| postgres(own, words, (how, way), most), most).await?,
    };
    if how == How::Beginnings {
        found.retain(|item| has_all(&everything(item), words));
    }
    Ok(found)
}

type Asked = Option<(String, Vec<Value>)>;

async fn ask(conn: &impl ConnectionTrait, question: Asked) -> StoreResult<Vec<ItemOut>> {
    let Some((sql, values)) = question else { return Ok(Vec::new()) };
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    all(Entity::find().from_raw_sql(statement).all(conn).await?)
}

/// How PostgreSQL goes about it. SQLite's index has the newest at its end, and needs no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The owner's newest items, one by one: so many and no more.
    Newest,
    /// The list of a rare word, whole.
    Words,
    /// The owner's items from the newest on, until there are enough that have a common word.
    Onwards,
}

const NEWEST: usize = 1_000;
/// With fewer of them among the newest, a word is rare.
const RARE: usize = 8;

/// PostgreSQL cannot tell how many of one person's items have a word, and the wrong way costs ten times the right one.
/// The newest tell.
async fn newest_first(
    conn: &impl ConnectionTrait,
    question: impl Fn(Way) -> Asked,
    most: usize,
) -> StoreResult<Vec<ItemOut>> {
    let newest = ask(conn, question(Way::Newest)).await?;
    match newest.len() {
        enough if enough >= most => Ok(newest),
        few if few < RARE => ask(conn, question(Way::Words)).await,
        _ => ask(conn, question(Way::Onwards)).await,
    }
}

fn everything(item: &ItemOut) -> String {
    let text = searched(item.text.as_deref(), item.url.as_deref(), &item.tags, &item.details);
    format!("{} {text}", fold(&item.title))
}

fn as_number(most: usize) -> Value {
    i64::try_from(most).unwrap_or(i64::MAX).into()
}

fn sqlite((owner, among): (Owner, &Among), words: &[String], how: How, most: usize) -> Asked {
    let parts: Vec<String> = match how {
        How::Beginnings => {
            let long = words.iter().filter(|word| word.chars().count() > 1);
            long.map(|word| format!("\"{}\"*", word.chars().take(3).collect::<String>())).collect()
        }
        How::All | How::Any => {
            words.iter().map(|word| alternatives(word, |word| format!("\"{word}\""), " OR ")).collect()
        }
    };
    let asked = joined(&parts, how, " AND ", " OR ")?;
    let own = format!("o{}{}", owner.tenant.0.simple(), owner.id.simple());
    let question = format!("owner : {own} AND {{title text}} : ({asked})");
    let (only, narrowed) = among.condition(|_| "?".to_owned());
    let join = if only.is_empty() { "" } else { "CROSS JOIN items i ON i.seq = items_words.rowid" };
    // `CROSS JOIN` keeps the order: left to itself, SQLite reads all of the owner's items and looks for each among the hits.
    let sql = format!(
        "WITH hits AS MATERIALIZED (SELECT items_words.rowid AS seq FROM items_words {join} \
         WHERE items_words MATCH ?{only} ORDER BY items_words.rowid DESC LIMIT ?) \
         SELECT i.* FROM hits CROSS JOIN items i ON i.seq = hits.seq \
         WHERE i.tenant_id = ? AND i.owner_id = ? ORDER BY i.seq DESC"
    );
    let mut values: Vec<Value> = vec![question.into()];
    values.extend(narrowed);
    values.extend([as_number(most), owner.tenant.0.into(), owner.id.into()]);
    Some((sql, values))
}

/// Each word as it is, by its singulars, and by its stem.
fn postgres((owner, among): (Owner, &Among), words: &[String], (how, way): (How, Way), most: usize) -> Asked {
    let mut values: Vec<Value> = vec![
        format!("{}{}", owner.tenant, owner.id).into(),
        owner.tenant.0.into(),
        owner.id.into(),
        as_number(most),
    ];
    let mut parts = Vec::with_capacity(words.len());
    for word in words {
        let asked = match how {
            How::Beginnings => format!("'{word}':*"),
            How::All | How::Any => alternatives(word, |word| format!("'{word}'"), " | "),
        };
        values.push(asked.into());
        values.push(format!("'{word}'").into());
        let at = values.len();
        parts.push(format!("(to_tsquery('simple', ${}) || to_tsquery('portuguese', ${at}))", at - 1));
    }
    let question = joined(&parts, how, " && ", " || ")?;
    let first = values.len() + 1;
    let (only, narrowed) = among.condition(|at| format!("${}", first + at));
    values.extend(narrowed);
    let join = if only.is_empty() { "" } else { "JOIN items i ON i.seq = w.seq" };
    let (from, order) = match way {
        Way::Newest => (
            format!(
                "(SELECT seq, owner, words FROM items_words WHERE owner = $1 ORDER BY seq DESC LIMIT {NEWEST}) w"
            ),
            "w.seq",
        ),
        // An order that no index has: the index of words is what is left.
        Way::Words => ("items_words w".to_owned(), "w.seq + 0"),
        Way::Onwards => ("items_words w".to_owned(), "w.seq"),
    };
    let sql = format!(
        "WITH hits AS MATERIALIZED (SELECT w.seq FROM {from} {join} \
         WHERE w.owner = $1 AND w.words @@ ({question}){only} ORDER BY {order} DESC LIMIT $4) \
         SELECT i.* FROM hits JOIN items i ON i.seq = hits.seq \
         WHERE i.tenant_id = $2 AND i.owner_id = $3 ORDER BY i.seq DESC"
    );
    Some((sql, values))
}

/// The word and what it may be the plural of.
fn alternatives(word: &str, quoted: impl Fn(&str) -> String, or: &str) -> String {
    let all: Vec<String> =
        std::iter::once(quoted(word)).chain(singulars(word).iter().map(|word| quoted(word))).collect();
    format!("({})", all.join(or))
}

/// Nothing, when there is nothing to ask; one word is never asked for twice.
fn joined(parts: &[String], how: How, and: &str, or: &str) -> Option<String> {
    match how {
        How::Any if parts.len() < 2 => None,
        How::Any => Some(parts.join(or)),
        How::All | How::Beginnings => (!parts.is_empty()).then(|| parts.join(and)),
    }
}
