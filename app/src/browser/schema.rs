//! The form for parameters and the JSON Schema beside it, kept in step. The text is what is sent; the form reads it and
//! writes it. Keywords that the form does not know stay where they are.

use super::page::{element, text_of};
use crate::api::tools::fields::{PARAM_KINDS, Param};
use js_sys::{Array, JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// Where the property of a row is kept while its name is being typed.
const KEPT: &str = "alcadaProperty";

fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &key.into()).unwrap_or(JsValue::UNDEFINED)
}

fn set(object: &JsValue, key: &str, value: &JsValue) {
    let _ = Reflect::set(object, &key.into(), value);
}

fn unset(object: &JsValue, key: &str) {
    if let Some(object) = object.dyn_ref::<Object>() {
        let _ = Reflect::delete_property(object, &key.into());
    }
}

fn schema_in(text: &str) -> Option<JsValue> {
    JSON::parse(text).ok().filter(|schema| schema.is_object() && !Array::is_array(schema))
}

/// The parameters in a schema; nothing when the text is none. The server reads the same in `api/tools/fields.rs`.
pub fn read_params(text: &str) -> Option<Vec<Param>> {
    let schema = schema_in(text)?;
    let properties = get(&schema, "properties");
    let required = get(&schema, "required");
    let required = required.dyn_ref::<Array>().cloned().unwrap_or_default();
    let Some(properties) = properties.dyn_ref::<Object>() else { return Some(Vec::new()) };
    let param = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        let (name, property) = (entry.get(0), entry.get(1));
        let kind = get(&property, "type").as_string().filter(|kind| PARAM_KINDS.contains(&kind.as_str()));
        let choices = choices(&get(&property, "enum"));
        Param {
            is_required: required.includes(&name, 0),
            name: name.as_string().unwrap_or_default(),
            kind: kind.unwrap_or_default(),
            description: get(&property, "description").as_string().unwrap_or_default(),
            has_odd_choices: choices.is_none(),
            choices: choices.unwrap_or_default(),
        }
    };
    Some(Object::entries(properties).iter().map(param).collect())
}

fn choices(values: &JsValue) -> Option<String> {
    let Some(values) = values.dyn_ref::<Array>() else { return Some(String::new()) };
    let plain = |value: JsValue| match value.as_string() {
        Some(text) => (!text.contains(',') && text.trim() == text && !text.is_empty()).then_some(text),
        None => value.as_f64().map(|number| number.to_string()),
    };
    Some(values.iter().map(plain).collect::<Option<Vec<_>>>()?.join(", "))
}

/// The text with what the rows under `list` say; `without` is a row that goes.
pub fn write_params(list: &str, text: &str, without: Option<u32>) -> Option<String> {
    let (list, schema) = (element(list)?, schema_in(text)?);
    let (properties, required) = (Object::new(), Array::new());
    let old = get(&schema, "properties");
    for (at, row) in (0u32..).zip(rows(&list)) {
        let property = property_of(&row, &old);
        let name = part(&row, "name");
        if Some(at) == without || name.is_empty() || !get(&properties, &name).is_undefined() {
            continue;
        }
        fill_in(&property, &row);
        set(&properties, &name, &property);
        if is_checked(&row) {
            required.push(&name.into());
        }
    }
    if get(&schema, "type").is_undefined() {
        set(&schema, "type", &"object".into());
    }
    set(&schema, "properties", &properties);
    if required.length() == 0 {
        unset(&schema, "required")
    } else {
        set(&schema, "required", &required)
    }
    written(&schema)
}

fn written(schema: &JsValue) -> Option<String> {
    let text =
        JSON::stringify_with_replacer_and_space(schema, &JsValue::NULL, &JsValue::from_f64(2.0)).ok()?;
    text.as_string()
}

/// The text with one more parameter.
pub fn add_param(text: &str, word: &str) -> Option<String> {
    let schema = schema_in(text)?;
    let mut properties = get(&schema, "properties");
    if !properties.is_object() {
        properties = Object::new().into();
        set(&schema, "properties", &properties);
    }
    let is_free = |name: &String| get(&properties, name).is_undefined();
    let name = (1u32..).map(|number| format!("{word}_{number}")).find(is_free)?;
    let property = Object::new();
    set(&property, "type", &"string".into());
    set(&properties, &name, &property);
    written(&schema)
}

fn rows(list: &Element) -> Vec<Element> {
    let children = get(list, "children");
    Array::from(&children).iter().filter_map(|row| row.dyn_into().ok()).collect()
}

/// The property that a row stands for, under the name that it had when the row was made.
fn property_of(row: &Element, old: &JsValue) -> JsValue {
    let kept = get(row, KEPT);
    if kept.is_object() {
        return kept;
    }
    let was = row.get_attribute("data-param").unwrap_or_default();
    let found = get(old, &was);
    let property = if found.is_object() { found } else { Object::new().into() };
    set(row, KEPT, &property);
    property
}

fn part(row: &Element, name: &str) -> String {
    let control = row.query_selector(&format!("[data-part={name}]")).ok().flatten();
    control.map(|control| text_of(&control).trim().to_owned()).unwrap_or_default()
}

fn is_checked(row: &Element) -> bool {
    let control = row.query_selector("[data-part=required]").ok().flatten();
    control.is_some_and(|control| get(&control, "checked").is_truthy())
}

fn fill_in(property: &JsValue, row: &Element) {
    let (kind, description) = (part(row, "kind"), part(row, "description"));
    if !kind.is_empty() {
        set(property, "type", &kind.as_str().into());
    }
    if description.is_empty() {
        unset(property, "description");
    } else {
        set(property, "description", &description.into());
    }
    if row.has_attribute("data-odd") {
        return;
    }
    let values = Array::new();
    for choice in part(row, "choices").split(',').map(str::trim).filter(|choice| !choice.is_empty()) {
        let number = choice.parse::<f64>().ok().filter(|_| kind == "integer" || kind == "number");
        values.push(&number.map_or(choice.into(), JsValue::from_f64));
    }
    if values.length() == 0 { unset(property, "enum") } else { set(property, "enum", &values) }
}

/// The rows as the schema has them: after it was edited, what was typed into a row no longer counts.
pub fn show_params(list: &str, params: &[Param]) {
    let Some(list) = element(list) else { return };
    for (row, param) in rows(&list).into_iter().zip(params) {
        unset(&row, KEPT);
        let show = |name: &str, key: &str, value: JsValue| {
            if let Ok(Some(control)) = row.query_selector(&format!("[data-part={name}]")) {
                set(&control, key, &value);
            }
        };
        show("name", "value", param.name.as_str().into());
        show("kind", "value", param.kind.as_str().into());
        show("description", "value", param.description.as_str().into());
        show("choices", "value", param.choices.as_str().into());
        show("required", "checked", param.is_required.into());
    }
}
