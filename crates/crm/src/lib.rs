//! A tenant's contacts, pipelines, deals, tasks, products, conversations and scheduled messages.
//!
//! One service, [`Crm`]; each file holds one resource. What needs a right takes a [`ability::TenantPermit`], and the
//! tenant comes from it. Every change has its audit entry in the same transaction. [`tools`] has the nine system tools:
//! they work on the same data, for agents.

mod change;
mod contacts;
mod conversations;
mod deals;
mod demo;
mod names;
mod pipelines;
mod products;
mod refer;
mod scheduled_messages;
mod tasks;
pub mod tools;

pub use demo::demo;

use domain::{ErrorCode, FieldCode, FieldError, ServiceError, Timestamp};
use store::{Database, Moment, StoreError};

#[derive(Clone)]
pub struct Crm {
    db: Database,
}

impl Crm {
    pub fn new(db: Database) -> Self {
        Self { db }
    }
}

fn not_found(what: &str) -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, format!("There is no such {what}."))
}

/// The one unique value of the row is taken.
fn taken(field: &'static str) -> impl Fn(StoreError) -> ServiceError {
    move |error| match error {
        StoreError::Duplicate => ServiceError::field(field, FieldCode::Taken),
        other => other.into(),
    }
}

/// A moment that a caller wrote, in any zone: kept in UTC, to the second.
fn moment(field: &str, stamp: &Timestamp) -> Result<Timestamp, FieldError> {
    let moment = Moment::try_from(stamp).map_err(|_| FieldError::new(field, FieldCode::Invalid))?;
    Ok(moment.into())
}
