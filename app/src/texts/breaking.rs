//! T4: what calls of today may stumble over, in the reader's language. Over REST it is told in English (`domain`).

use super::Texts;
use domain::tool::{Narrowed, Narrowing};

texts! {
    note_of_restored(number): "version {number} restored" | "versão {number} restaurada",
    narrowed_removed(place): "{place} was removed" | "{place} foi removido",
    narrowed_required(place): "{place} is now required" | "{place} passou a ser obrigatório",
    narrowed_not_accepted(place): "{place} is no longer accepted" | "{place} não é mais aceito",
    narrowed_type(place): "{place} changed its type" | "{place} mudou de tipo",
    narrowed_fewer(place): "{place} lost some of its values" | "{place} perdeu alguns de seus valores",
    narrowed_some(place): "{place} is now limited to some values" | "{place} agora só aceita alguns valores",
    narrowed_repeats(place): "{place} no longer accepts an item twice" | "{place} não aceita mais itens repetidos",
    narrowed_others(place): "{place} no longer accepts other fields" | "{place} não aceita mais outros campos",
    narrowed_own_rules(place): "{place} has its own rules now" | "{place} agora tem regras próprias",
    narrowed_tighter(place, keyword): "{place} has a tighter {keyword}" | "{place} tem um limite mais estrito ({keyword})",
    narrowed_another(place, keyword):
        "{place} has another {keyword}, which may refuse more"
        | "{place} tem outra regra {keyword}, que pode recusar mais",
    narrowed_lost(place, keyword, relying):
        "{place} lost its {keyword}, so {relying} may refuse more"
        | "{place} ficou sem {keyword}, e {relying} pode recusar mais",
    narrowed_refers(place, reference):
        "{place} refers to {reference}, which may refuse more"
        | "{place} se refere a {reference}, que pode recusar mais",
}

impl Texts {
    /// Why a version was made. Of one that was restored, or has a new secret, the product says so itself, in English.
    pub fn version_note(self, note: String) -> String {
        let number = note.strip_prefix("version ").and_then(|rest| rest.strip_suffix(" restored"));
        match number.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(number) => self.note_of_restored(number),
            None => self.recorded(None, Some(note)).unwrap_or_default(),
        }
    }

    pub fn narrowing(self, reason: &Narrowing) -> String {
        let place = &reason.place;
        match &reason.how {
            Narrowed::Removed => self.narrowed_removed(place),
            Narrowed::Required => self.narrowed_required(place),
            Narrowed::NotAccepted => self.narrowed_not_accepted(place),
            Narrowed::AnotherType => self.narrowed_type(place),
            Narrowed::FewerValues => self.narrowed_fewer(place),
            Narrowed::OnlySomeValues => self.narrowed_some(place),
            Narrowed::NoRepeats => self.narrowed_repeats(place),
            Narrowed::NoOtherFields => self.narrowed_others(place),
            Narrowed::OwnRules => self.narrowed_own_rules(place),
            Narrowed::Tighter { keyword } => self.narrowed_tighter(place, keyword),
            Narrowed::Another { keyword } => self.narrowed_another(place, keyword),
            Narrowed::Lost { keyword, relying } => self.narrowed_lost(place, keyword, relying),
            Narrowed::RefersTo { reference } => self.narrowed_refers(place, reference),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Language;

    #[test]
    fn t4_what_breaks_is_told_in_the_language_of_whoever_reads() {
        let told =
            |language, how| Texts::of(language).narrowing(&Narrowing { place: "valor".to_owned(), how });
        assert_eq!(told(Language::PtBr, Narrowed::Required), "valor passou a ser obrigatório");
        let tighter = Narrowed::Tighter { keyword: "maxLength" };
        assert_eq!(told(Language::PtBr, tighter), "valor tem um limite mais estrito (maxLength)");
        assert_eq!(told(Language::En, Narrowed::Removed), "valor was removed");
    }
}
