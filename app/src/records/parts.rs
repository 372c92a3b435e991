//! Pieces that the kinds share: cells, choices, names.

use super::Desk;
use crate::{
    api::{
        described::{ChoiceOut, FieldKind, FieldOut, choice, field},
        records::{CellKind, CellOut},
    },
    texts::Texts,
};
use domain::{
    ContactId, Language, ServiceResult, Timestamp,
    crm::{Channel, ContactQuery},
};
use std::collections::HashMap;

/// As many as a list to choose from shows.
const MOST_CHOICES: u64 = 200;

pub fn text(text: impl Into<String>) -> CellOut {
    CellOut { text: text.into(), kind: CellKind::Text }
}

pub fn number(text: impl Into<String>) -> CellOut {
    CellOut { text: text.into(), kind: CellKind::Number }
}

pub fn state(kind: CellKind, text: impl Into<String>) -> CellOut {
    CellOut { text: text.into(), kind }
}

pub fn moment(at: Option<&Timestamp>) -> CellOut {
    CellOut { text: at.map(|at| at.as_str().to_owned()).unwrap_or_default(), kind: CellKind::Moment }
}

pub fn fact(label: &str, at: &Timestamp) -> FieldOut {
    field(FieldKind::Moment, "at", label, at.as_str())
}

/// `R$ 1.234,50` or `BRL 1,234.50`.
pub fn money(t: Texts, cents: i64, currency: &str) -> String {
    let name = if currency == "BRL" && t.language() == Language::PtBr { "R$" } else { currency };
    format!("{name} {}", amount(t, cents))
}

/// The same without the currency, as it stands in a field.
pub fn amount(t: Texts, cents: i64) -> String {
    let (whole, part) = (cents / 100, cents % 100);
    let digits = whole.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    match t.language() {
        Language::PtBr => format!("{},{part:02}", groups.join(".")),
        Language::En => format!("{}.{part:02}", groups.join(",")),
    }
}

/// A choice that may be left open.
pub fn open_choice(t: Texts, choices: Vec<ChoiceOut>) -> Vec<ChoiceOut> {
    std::iter::once(choice("", t.record_none())).chain(choices).collect()
}

/// The filter of a list: everything, or one of these.
pub fn filter(t: Texts, label: &str, chosen: &str, choices: Vec<ChoiceOut>) -> Option<FieldOut> {
    let all = std::iter::once(choice("", t.record_any())).chain(choices).collect();
    Some(field(FieldKind::Choice, "status", label, chosen).choices(all))
}

pub fn channels(t: Texts) -> Vec<ChoiceOut> {
    Channel::ALL.iter().map(|one| choice(one.as_str(), t.crm_channel(*one))).collect()
}

impl Desk<'_> {
    /// The newest contacts to choose from, and the one that is chosen already.
    pub async fn contact_choices(&self, chosen: Option<ContactId>) -> ServiceResult<Vec<ChoiceOut>> {
        let permit = self.visitor.tenant_permit()?;
        let query = ContactQuery { limit: Some(MOST_CHOICES), ..ContactQuery::default() };
        let contacts = self.crm.list_contacts(&permit, query).await?.data;
        let is_listed = chosen.is_none_or(|id| contacts.iter().any(|contact| contact.id == id));
        let mut choices: Vec<ChoiceOut> =
            contacts.into_iter().map(|contact| choice(contact.id.to_string(), contact.name)).collect();
        if let Some(id) = chosen.filter(|_| !is_listed) {
            let names = self.crm.contact_names(&permit, &[id]).await?;
            choices.extend(names.into_iter().map(|(id, name)| choice(id.to_string(), name)));
        }
        Ok(choices)
    }

    pub async fn people_choices(&self) -> ServiceResult<Vec<ChoiceOut>> {
        let people = self.crm.people(&self.visitor.tenant_permit()?).await?;
        Ok(people.into_iter().map(|(id, name)| choice(id.to_string(), name)).collect())
    }

    pub async fn contact_names(
        &self,
        ids: impl Iterator<Item = Option<ContactId>>,
    ) -> ServiceResult<HashMap<ContactId, String>> {
        let ids: Vec<ContactId> = ids.flatten().collect();
        self.crm.contact_names(&self.visitor.tenant_permit()?, &ids).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_as_people_read_it() {
        let (pt, en) = (Texts::of(Language::PtBr), Texts::of(Language::En));
        assert_eq!(money(pt, 123_450, "BRL"), "R$ 1.234,50");
        assert_eq!(money(en, 123_450, "BRL"), "BRL 1,234.50");
        assert_eq!(amount(pt, 5), "0,05");
    }
}
