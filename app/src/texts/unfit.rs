//! What arguments have to be like, in the reader's language. The engine's own words are English, for those who call over
//! REST; the server puts these in their place before a browser gets them.

use super::Texts;
use domain::{FieldError, SchemaRule};

texts! {
    unfit_must_be(expected): "This has to be {expected}." | "Deve ser {expected}.",
    unfit_enum(expected): "Must be one of: {expected}." | "Deve ser um destes valores: {expected}.",
    unfit_minimum(expected): "Must be at least {expected}." | "Deve ser no mínimo {expected}.",
    unfit_maximum(expected): "Must be at most {expected}." | "Deve ser no máximo {expected}.",
    unfit_above(expected): "Must be greater than {expected}." | "Deve ser maior que {expected}.",
    unfit_below(expected): "Must be less than {expected}." | "Deve ser menor que {expected}.",
    unfit_multiple(expected): "Must be a multiple of {expected}." | "Deve ser múltiplo de {expected}.",
    unfit_min_length(expected): "Must be at least {expected} characters long." | "Deve ter no mínimo {expected} caracteres.",
    unfit_min_length_one: "Must be at least 1 character long." | "Deve ter no mínimo 1 caractere.",
    unfit_max_length(expected): "Must be at most {expected} characters long." | "Deve ter no máximo {expected} caracteres.",
    unfit_max_length_one: "Must be at most 1 character long." | "Deve ter no máximo 1 caractere.",
    unfit_min_items(expected): "Must have at least {expected} items." | "Deve ter no mínimo {expected} itens.",
    unfit_min_items_one: "Must have at least 1 item." | "Deve ter no mínimo 1 item.",
    unfit_max_items(expected): "Must have at most {expected} items." | "Deve ter no máximo {expected} itens.",
    unfit_max_items_one: "Must have at most 1 item." | "Deve ter no máximo 1 item.",
    unfit_pattern(expected): "Must match the pattern {expected}." | "Deve seguir o padrão {expected}.",
    unfit_format(expected): "Must be in the format {expected}." | "Deve estar no formato {expected}.",
    unfit_unique: "Items must be unique." | "Os itens não podem se repetir.",
    unfit_required: "This is missing." | "Campo obrigatório.",
    unfit_unknown: "The tool does not have this parameter." | "A ferramenta não tem este parâmetro.",
    unfit_rule(keyword): "This does not fit the rule {keyword} of the tool's parameters."
        | "Não segue a regra {keyword} dos parâmetros da ferramenta.",

    unfit_or: " or " | " ou ",
    unfit_string: "text" | "texto",
    unfit_integer: "a whole number" | "um número inteiro",
    unfit_number: "a number" | "um número",
    unfit_boolean: "true or false" | "verdadeiro ou falso",
    unfit_array: "a list" | "uma lista",
    unfit_object: "an object" | "um objeto",
    unfit_null: "empty" | "vazio",
}

impl Texts {
    /// Puts the reader's words in place of the engine's, where the engine says which rule it was.
    pub fn reword(self, errors: &mut [FieldError]) {
        for error in errors {
            if let Some(rule) = &error.rule {
                error.message = self.unfit(rule);
            }
        }
    }

    fn unfit(self, rule: &SchemaRule) -> String {
        let keyword = rule.keyword.as_str();
        match keyword {
            "uniqueItems" => return self.unfit_unique().to_owned(),
            "required" => return self.unfit_required().to_owned(),
            "additionalProperties" | "unevaluatedProperties" => return self.unfit_unknown().to_owned(),
            _ => {}
        }
        let Some(expected) = rule.expected.as_deref() else { return self.unfit_rule(keyword) };
        match (keyword, expected) {
            ("type", _) => self.unfit_must_be(&self.types_in_words(expected)),
            ("enum", _) => self.unfit_enum(expected),
            ("const", _) => self.unfit_must_be(expected),
            ("minimum", _) => self.unfit_minimum(expected),
            ("maximum", _) => self.unfit_maximum(expected),
            ("exclusiveMinimum", _) => self.unfit_above(expected),
            ("exclusiveMaximum", _) => self.unfit_below(expected),
            ("multipleOf", _) => self.unfit_multiple(expected),
            ("minLength", "1") => self.unfit_min_length_one().to_owned(),
            ("minLength", _) => self.unfit_min_length(expected),
            ("maxLength", "1") => self.unfit_max_length_one().to_owned(),
            ("maxLength", _) => self.unfit_max_length(expected),
            ("minItems", "1") => self.unfit_min_items_one().to_owned(),
            ("minItems", _) => self.unfit_min_items(expected),
            ("maxItems", "1") => self.unfit_max_items_one().to_owned(),
            ("maxItems", _) => self.unfit_max_items(expected),
            ("pattern", _) => self.unfit_pattern(expected),
            ("format", _) => self.unfit_format(expected),
            _ => self.unfit_rule(keyword),
        }
    }

    /// The engine joins the names of several types with a comma.
    fn types_in_words(self, names: &str) -> String {
        let words: Vec<&str> = names.split(", ").map(|name| self.type_in_words(name)).collect();
        words.join(self.unfit_or())
    }

    fn type_in_words(self, name: &str) -> &str {
        match name {
            "string" => self.unfit_string(),
            "integer" => self.unfit_integer(),
            "number" => self.unfit_number(),
            "boolean" => self.unfit_boolean(),
            "array" => self.unfit_array(),
            "object" => self.unfit_object(),
            "null" => self.unfit_null(),
            _ => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{FieldCode, Language};

    fn told(language: Language, keyword: &str, expected: Option<&str>) -> String {
        let rule = SchemaRule { keyword: keyword.to_owned(), expected: expected.map(str::to_owned) };
        let mut errors = [FieldError { rule: Some(rule), ..FieldError::new("params.x", FieldCode::Invalid) }];
        Texts::of(language).reword(&mut errors);
        errors[0].message.clone()
    }

    #[test]
    fn t3_who_reads_portuguese_is_told_in_portuguese_what_does_not_fit() {
        let told = |keyword, expected| told(Language::PtBr, keyword, expected);
        assert_eq!(told("maxLength", Some("5")), "Deve ter no máximo 5 caracteres.");
        assert_eq!(told("enum", Some("1, 2")), "Deve ser um destes valores: 1, 2.");
        assert_eq!(told("enum", None), "Não segue a regra enum dos parâmetros da ferramenta.");
        assert_eq!(told("required", None), "Campo obrigatório.");
        assert_eq!(
            told("dependentRequired", None),
            "Não segue a regra dependentRequired dos parâmetros da ferramenta."
        );
    }

    #[test]
    fn t3_types_are_told_in_words() {
        let (en, pt) = (Language::En, Language::PtBr);
        assert_eq!(told(en, "type", Some("integer")), "This has to be a whole number.");
        assert_eq!(told(pt, "type", Some("boolean")), "Deve ser verdadeiro ou falso.");
        assert_eq!(told(en, "type", Some("string, null")), "This has to be text or empty.");
        assert_eq!(told(pt, "type", Some("array, decimal")), "Deve ser uma lista ou decimal.");
        assert_eq!(told(en, "const", Some("7")), "This has to be 7.");
    }

    #[test]
    fn t3_one_is_told_as_well_as_many() {
        let (en, pt) = (Language::En, Language::PtBr);
        assert_eq!(told(en, "minLength", Some("1")), "Must be at least 1 character long.");
        assert_eq!(told(pt, "minLength", Some("2")), "Deve ter no mínimo 2 caracteres.");
        assert_eq!(told(pt, "maxLength", Some("1")), "Deve ter no máximo 1 caractere.");
        assert_eq!(told(pt, "minItems", Some("1")), "Deve ter no mínimo 1 item.");
        assert_eq!(told(en, "maxItems", Some("1")), "Must have at most 1 item.");
        assert_eq!(told(en, "maxItems", Some("10")), "Must have at most 10 items.");
    }

    #[test]
    fn what_has_no_rule_keeps_its_words() {
        let before = [FieldError::new("name", FieldCode::Required)];
        let mut after = before.clone();
        Texts::of(Language::PtBr).reword(&mut after);
        assert_eq!(after, before);
    }
}
