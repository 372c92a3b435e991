//! Lists as REST answers them: a page of rows, and where the next page begins.

use crate::{FieldCode, FieldError};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListOut<T> {
    pub data: Vec<T>,
    /// Send it as `cursor` to go on; null on the last page.
    pub next_cursor: Option<String>,
}

/// A list that is always whole.
impl<T> From<Vec<T>> for ListOut<T> {
    fn from(data: Vec<T>) -> Self {
        Self { data, next_cursor: None }
    }
}

/// Which part of a list is wanted. Rows are ordered by their id, newest first: ids are made in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub limit: u64,
    /// Rows before this one in time.
    pub before: Option<Uuid>,
}

impl Page {
    pub const MOST: u64 = 200;
    const USUAL: u64 = 50;

    pub fn parse(limit: Option<u64>, cursor: Option<&str>) -> Result<Self, FieldError> {
        let limit = limit.unwrap_or(Self::USUAL);
        if !(1..=Self::MOST).contains(&limit) {
            return Err(FieldError::new("limit", FieldCode::Invalid));
        }
        let before = cursor.map(Uuid::parse_str).transpose();
        Ok(Self { limit, before: before.map_err(|_| FieldError::new("cursor", FieldCode::Invalid))? })
    }

    /// Rows were asked for with one more than the limit: if it came, there is a next page.
    pub fn list<T>(self, mut rows: Vec<T>, id: impl Fn(&T) -> Uuid) -> ListOut<T> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = rows.last().filter(|_| has_more).map(|row| id(row).to_string());
        ListOut { data: rows, next_cursor }
    }
}

/// Which part of a list is wanted that is read whole, in whatever order it has. The cursor is the row before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    limit: usize,
    after: Option<String>,
}

impl Part {
    pub fn parse(limit: Option<u64>, cursor: Option<String>) -> Result<Self, FieldError> {
        let limit = Page::parse(limit, None)?.limit;
        Ok(Self { limit: usize::try_from(limit).unwrap_or(usize::MAX), after: cursor })
    }

    /// A row that is not there any more is no place to go on from: whoever pages begins again.
    pub fn of<T>(self, rows: Vec<T>, id: impl Fn(&T) -> String) -> Result<ListOut<T>, FieldError> {
        let gone = || FieldError::new("cursor", FieldCode::Invalid);
        let start = match self.after {
            Some(after) => 1 + rows.iter().position(|row| id(row) == after).ok_or_else(gone)?,
            None => 0,
        };
        let has_more = rows.len() > start + self.limit;
        let data: Vec<T> = rows.into_iter().skip(start).take(self.limit).collect();
        let next_cursor = data.last().filter(|_| has_more).map(id);
        Ok(ListOut { data, next_cursor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_page_has_no_cursor() {
        let page = Page::parse(Some(2), None).unwrap();
        let id = |n: &u128| Uuid::from_u128(*n);
        assert_eq!(page.list(vec![3, 2, 1], id).next_cursor, Some(Uuid::from_u128(2).to_string()));
        assert_eq!(page.list(vec![3, 2], id).next_cursor, None);
        for (limit, cursor) in [(Some(0), None), (Some(201), None), (None, Some("x"))] {
            assert!(Page::parse(limit, cursor).is_err());
        }
    }

    #[test]
    fn every_row_of_a_whole_list_is_on_one_page() {
        let rows = || vec!["a", "b", "c", "d", "e"];
        let page = |cursor: Option<&str>| {
            Part::parse(Some(2), cursor.map(str::to_owned)).unwrap().of(rows(), |row| (*row).to_owned())
        };
        let (mut seen, mut cursor) = (Vec::new(), None);
        for _ in 0..3 {
            let ListOut { data, next_cursor } = page(cursor.as_deref()).unwrap();
            seen.extend(data);
            cursor = next_cursor;
        }
        assert_eq!((seen, cursor), (rows(), None));
        assert_eq!(page(Some("e")).unwrap().data, Vec::<&str>::new());
        assert_eq!(page(Some("x")).unwrap_err().field, "cursor");
        assert!(Part::parse(Some(201), None).is_err());
    }
}
