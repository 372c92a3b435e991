//! How much work a schema can make of an argument, found out before the work is done.
//!
//! References and combinators multiply: a schema of a few lines can ask for more comparisons than there is time. So
//! whatever has any of them is first walked through with a counter. The walk compares nothing, takes every branch, and
//! stops at its limit: what it gets through, the validator gets through too.

use super::references::References;
use serde_json::{Map, Value};

/// Steps for one argument. Some tens of milliseconds, when all of them end in an error that is told.
const MOST_STEPS: usize = 20_000;
/// Steps for all that a schema asks of one and the same value, over all of its parts.
const MOST_IN_PLACE: usize = 20_000;
/// The walk and the validator go down the same way, on the same kind of stack.
const DEEPEST: usize = 512;
/// To compare with so many choices, or to pass over so many fields, costs as much as a step.
const CHOICES: usize = 16;

/// What stands for another schema of the same value.
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf"];
const SINGLE: &[&str] = &["not", "if", "then", "else"];
/// The second is of older dialects, and the validator still minds it. It may also have lists of names: those cost a step.
const BY_NAME: &[&str] = &["dependentSchemas", "dependencies"];
/// With none of these, each part of an argument meets one part of the schema.
const OTHERS: &[&str] =
    &["patternProperties", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems"];

pub(super) struct Expansion {
    root: Value,
    references: References,
}

/// The limit was reached.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

impl Expansion {
    /// Nothing for a schema that cannot multiply anything.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        if is_plain(schema) {
            return None;
        }
        Some(Self { root: schema.clone(), references: References::of(schema) })
    }

    /// S4: no part of it asks for itself again, or for too much, of one and the same value.
    pub(super) fn check_schema(&self) -> Result<(), TooMuch> {
        let mut walk = Walk { of: self, left: MOST_IN_PLACE };
        walk.every_part(&self.root)
    }

    pub(super) fn check(&self, params: &Value) -> Result<(), TooMuch> {
        Walk { of: self, left: MOST_STEPS }.visit(&self.root, params, 0)
    }
}

struct Walk<'a> {
    of: &'a Expansion,
    left: usize,
}

impl<'a> Walk<'a> {
    fn spend(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(steps).ok_or(TooMuch)?;
        Ok(())
    }

    /// Each object is taken for a schema: what is none costs little.
    fn every_part(&mut self, value: &'a Value) -> Result<(), TooMuch> {
        match value {
            Value::Object(members) => {
                self.visit(value, &Value::Null, 0)?;
                members.values().try_for_each(|value| self.every_part(value))
            }
            Value::Array(items) => items.iter().try_for_each(|item| self.every_part(item)),
            _ => Ok(()),
        }
    }

    fn visit(&mut self, schema: &'a Value, value: &Value, depth: usize) -> Result<(), TooMuch> {
        let Value::Object(members) = schema else { return self.spend(1) };
        if depth > DEEPEST {
            return Err(TooMuch);
        }
        let choices = members.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
        self.spend(1 + choices / CHOICES)?;
        self.in_place(members, value, depth + 1)?;
        match value {
            Value::Object(fields) => self.fields(members, value, fields, depth + 1),
            Value::Array(items) => self.items(members, value, items, depth + 1),
            _ => Ok(()),
        }
    }

    fn in_place(
        &mut self,
        members: &'a Map<String, Value>,
        value: &Value,
        depth: usize,
    ) -> Result<(), TooMuch> {
        for target in self.of.references.targets(&self.of.root, members) {
            self.visit(target, value, depth)?;
        }
        let lists = LISTS.iter().filter_map(|name| members.get(*name)?.as_array()).flatten();
        let single = SINGLE.iter().filter_map(|name| members.get(*name));
        let by_name = BY_NAME.iter().filter_map(|name| members.get(*name)?.as_object()).flat_map(Map::values);
        for schema in lists.chain(single).chain(by_name) {
            self.visit(schema, value, depth)?;
        }
        Ok(())
    }

    fn fields(
        &mut self,
        members: &'a Map<String, Value>,
        value: &Value,
        fields: &Map<String, Value>,
        depth: usize,
    ) -> Result<(), TooMuch> {
        let named = members.get("properties").and_then(Value::as_object);
        let own = named.into_iter().flatten().filter_map(|(name, schema)| Some((schema, fields.get(name)?)));
        for (schema, field) in own {
            self.visit(schema, field, depth)?;
        }
        let other = members.get("additionalProperties");
        let names = members.get("propertyNames");
        let unevaluated = members.get("unevaluatedProperties");
        let patterns = members.get("patternProperties").and_then(Value::as_object);
        let of_every: Vec<_> = patterns.into_iter().flat_map(Map::values).chain(unevaluated).collect();
        if of_every.is_empty() && other.is_none() && names.is_none() {
            return Ok(());
        }
        self.spend(fields.len() / CHOICES)?;
        for (name, field) in fields {
            let is_named = named.is_some_and(|named| named.contains_key(name));
            for schema in other.filter(|_| !is_named).into_iter().chain(of_every.iter().copied()) {
                self.visit(schema, field, depth)?;
            }
            if let Some(names) = names {
                self.visit(names, &Value::Null, depth)?;
            }
            if unevaluated.is_some() {
                // Whether a field was looked at is asked of every branch again.
                self.in_place(members, value, depth)?;
            }
        }
        Ok(())
    }

    fn items(
        &mut self,
        members: &'a Map<String, Value>,
        value: &Value,
        items: &[Value],
        depth: usize,
    ) -> Result<(), TooMuch> {
        self.spend(items.len() / CHOICES)?;
        let first = members.get("prefixItems").and_then(Value::as_array);
        for (place, item) in items.iter().enumerate() {
            let own = first.and_then(|first| first.get(place)).or_else(|| members.get("items"));
            let unevaluated = members.get("unevaluatedItems");
            for schema in own.into_iter().chain(members.get("contains")).chain(unevaluated) {
                self.visit(schema, item, depth)?;
            }
            if unevaluated.is_some() {
                self.in_place(members, value, depth)?;
            }
        }
        Ok(())
    }
}

fn is_plain(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().all(|(name, value)| {
            let kinds = [LISTS, SINGLE, BY_NAME, OTHERS];
            let multiplies =
                References::is_keyword(name) || kinds.iter().any(|names| names.contains(&name.as_str()));
            let has_many = name == "enum" && value.as_array().is_some_and(|all| all.len() > CHOICES);
            !multiplies && !has_many && is_plain(value)
        }),
        Value::Array(items) => items.iter().all(is_plain),
        _ => true,
    }
}
