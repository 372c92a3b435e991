//! Where chains ended when this process last added to them. When somebody else has added since, the commit that relies on
//! it writes nothing, and the heads are asked for again.

use super::{Linked, NewEntry, heads::Heads, link};
use crate::StoreResult;
use domain::TenantId;

#[derive(Default)]
pub struct RememberedHeads(Heads);

/// More are not worth the room.
const MOST: usize = 10_000;

impl RememberedHeads {
    /// Nothing, when one of the chains is not known.
    pub fn link(&self, entries: Vec<NewEntry>) -> StoreResult<Option<Linked>> {
        let known = entries.iter().map(|entry| Some((entry.tenant, *self.0.get(&entry.tenant)?)));
        match known.collect::<Option<Heads>>() {
            Some(heads) => link(heads, entries).map(Some),
            None => Ok(None),
        }
    }

    /// What was linked is written.
    pub fn learn(&mut self, linked: &Linked) {
        if self.0.len() > MOST {
            self.0.clear();
        }
        self.0.extend(linked.heads.iter().map(|moved| (moved.head.tenant.map(TenantId), moved.head)));
    }

    pub fn forget(&mut self) {
        self.0.clear();
    }
}
