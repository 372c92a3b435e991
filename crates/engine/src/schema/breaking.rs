//! T4: would calls that fit yesterday's parameters still fit today's? Reports what may break, not what surely does:
//! what cannot be shown to accept everything that it accepted before is told.

mod keywords;
#[cfg(test)]
mod tests;

use domain::tool::{Narrowed, Narrowing};
use keywords::{BOUNDS, EXACT, RELIED_ON, is_compared, is_reference, plain, references};
use serde_json::Value;
use std::collections::HashSet;

/// What agents may stumble over; empty when everything that was accepted still is.
pub fn breaks(before: &Value, after: &Value) -> Vec<Narrowing> {
    let (before, after) = (plain(before), plain(after));
    if before == after {
        return Vec::new();
    }
    // The whole is compared anyway.
    let followed = HashSet::from(["#"]);
    let mut comparison = Comparison { before: &before, after: &after, followed, reasons: Vec::new() };
    comparison.compare("", &before, &after);
    comparison.reasons
}

static ANYTHING: Value = Value::Bool(true);
static NOTHING: Value = Value::Bool(false);

struct Comparison<'a> {
    before: &'a Value,
    after: &'a Value,
    /// References whose targets are compared: each once, however often they are used.
    followed: HashSet<&'a str>,
    reasons: Vec<Narrowing>,
}

impl<'a> Comparison<'a> {
    fn tell(&mut self, place: &str, how: Narrowed) {
        self.reasons.push(Narrowing { place: place.to_owned(), how });
    }

    fn compare(&mut self, path: &str, was: &'a Value, now: &'a Value) {
        let here = if path.is_empty() { "params" } else { path };
        if *was == NOTHING || *now == ANYTHING {
            return;
        }
        if *now == NOTHING {
            self.tell(here, Narrowed::NotAccepted);
            return;
        }
        self.compare_values(here, was, now);
        self.compare_bounds(here, was, now);
        self.compare_fields(path, was, now);
        self.compare_other_fields(path, here, was, now);
        self.compare(&format!("{path}[]"), rule_of(was, "items"), rule_of(now, "items"));
        self.compare_rest(path, here, was, now);
    }

    fn compare_values(&mut self, here: &str, was: &Value, now: &Value) {
        if !names(&was["type"]).iter().all(|name| accepts(now, name)) {
            self.tell(here, Narrowed::AnotherType);
        }
        for allowed in choices(now) {
            match choices(was).last() {
                Some(old) if old.iter().all(|choice| allowed.contains(choice)) => {}
                Some(_) => self.tell(here, Narrowed::FewerValues),
                None => self.tell(here, Narrowed::OnlySomeValues),
            }
        }
        if now["uniqueItems"] == ANYTHING && was["uniqueItems"] != ANYTHING {
            self.tell(here, Narrowed::NoRepeats);
        }
    }

    fn compare_bounds(&mut self, here: &str, was: &Value, now: &Value) {
        for (keyword, usual, tighter) in BOUNDS {
            let Some(bound) = now[*keyword].as_f64() else { continue };
            let is_tighter = was[*keyword].as_f64().or(*usual).is_none_or(|old| {
                let order = bound.total_cmp(&old);
                let is_blurred = order.is_eq() && bound.abs() >= EXACT && was[*keyword] != now[*keyword];
                order == *tighter || is_blurred
            });
            if is_tighter {
                self.tell(here, Narrowed::Tighter { keyword });
            }
        }
    }

    fn compare_fields(&mut self, path: &str, was: &'a Value, now: &'a Value) {
        // A pattern may have let a field through that the rule for other fields does not know.
        let has_patterns = was.get("patternProperties").is_some();
        let unnamed = if has_patterns { &ANYTHING } else { rule_of(was, "additionalProperties") };
        for (name, _) in fields(was).filter(|(name, _)| now["properties"].get(name).is_none()) {
            self.tell(&join(path, name), Narrowed::Removed);
        }
        for (name, rule) in fields(now) {
            let path = join(path, name);
            if let Some(was) = was["properties"].get(name) {
                self.compare(&path, was, rule);
                continue;
            }
            if *rule != NOTHING && names_its_fields(was) && !required(was).contains(&name.as_str()) {
                continue;
            }
            let known = self.reasons.len();
            self.compare(&path, unnamed, rule);
            if self.reasons.len() > known {
                self.reasons.truncate(known);
                self.tell(&path, Narrowed::OwnRules);
            }
        }
        let (old, new) = (required(was), required(now));
        for name in new.iter().filter(|name| !old.contains(name)) {
            self.tell(&join(path, name), Narrowed::Required);
        }
    }

    fn compare_other_fields(&mut self, path: &str, here: &str, was: &'a Value, now: &'a Value) {
        let [was, now] = [was, now].map(|schema| rule_of(schema, "additionalProperties"));
        if *now != NOTHING {
            self.compare(&join(path, "*"), was, now);
        } else if *was != NOTHING {
            self.tell(here, Narrowed::NoOtherFields);
        }
    }

    /// Whether any other keyword accepts less than before is not for us to find out: a change is told.
    fn compare_rest(&mut self, path: &str, here: &str, was: &'a Value, now: &'a Value) {
        for (keyword, rule) in now.as_object().into_iter().flatten() {
            if is_compared(keyword) {
                continue;
            }
            // What is left over for such a rule depends on everything beside it.
            let is_of_all = keyword.starts_with("unevaluated");
            let (old, new) = if is_of_all { (Some(was), now) } else { (was.get(keyword), rule) };
            if old != Some(new) || !self.stays(new) {
                self.tell(here, Narrowed::Another { keyword: keyword.clone() });
            } else if is_reference(keyword)
                && let Some(reference) = rule.as_str()
            {
                self.follow(path, here, reference);
            }
        }
        for (keyword, relying) in RELIED_ON {
            let is_gone = was.get(*keyword).is_some() && now.get(*keyword).is_none();
            // Something has to be there for `contains`, even if anything will do.
            let judges =
                *rule_of(now, relying) != ANYTHING || (*relying == "contains" && now.get(*relying).is_some());
            if is_gone && judges {
                self.tell(here, Narrowed::Lost { keyword, relying });
            }
        }
    }

    fn follow(&mut self, path: &str, here: &str, reference: &'a str) {
        if !self.followed.insert(reference) {
            return;
        }
        match self.targets(reference) {
            Some((was, now)) => self.compare(path, was, now),
            None => self.tell(here, Narrowed::RefersTo { reference: reference.to_owned() }),
        }
    }

    /// Whether all that it refers to is as it was: under `not` and its like, what accepts more may refuse more.
    fn stays(&self, rule: &'a Value) -> bool {
        let (mut seen, mut left) = (HashSet::new(), references(rule));
        while let Some(reference) = left.pop() {
            if !seen.insert(reference) {
                continue;
            }
            match self.targets(reference) {
                Some((was, now)) if was == now => left.extend(references(now)),
                _ => return false,
            }
        }
        true
    }

    /// Before and after. Nothing for what is no plain pointer, such as an anchor.
    fn targets(&self, reference: &str) -> Option<(&'a Value, &'a Value)> {
        let pointer = reference.strip_prefix('#').filter(|pointer| !pointer.contains('%'))?;
        Some((self.before.pointer(pointer)?, self.after.pointer(pointer)?))
    }
}

/// An agent sends what it was told of: a parameter that is added to others was not sent before, although nothing would
/// have refused it. Not so where any name was welcome, or where a rule may speak of the new one.
fn names_its_fields(schema: &Value) -> bool {
    let is_open = schema.get("properties").is_some() && schema.get("additionalProperties").is_none();
    is_open && schema.as_object().is_some_and(|rules| rules.keys().all(|keyword| is_compared(keyword)))
}

fn rule_of<'a>(schema: &'a Value, keyword: &str) -> &'a Value {
    schema.get(keyword).unwrap_or(&ANYTHING)
}

fn fields(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// The only values that it accepts, as `enum` and as `const` say.
fn choices(schema: &Value) -> impl Iterator<Item = &[Value]> {
    let several = schema["enum"].as_array().map(Vec::as_slice);
    several.into_iter().chain(schema.get("const").map(std::slice::from_ref))
}

fn names(types: &Value) -> Vec<&str> {
    match types {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any"],
    }
}

fn accepts(schema: &Value, name: &str) -> bool {
    let accepted = names(&schema["type"]);
    accepted.contains(&name) || accepted == ["any"] || (name == "integer" && accepted.contains(&"number"))
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
