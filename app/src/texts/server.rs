//! What the server writes into its answers: the browser shows it, and does not carry it.

use super::Texts;
use domain::FieldCode;

texts! {
    code_unavailable(reason):
        "Code tools are refused on this machine: {reason}."
        | "Ferramentas de código são recusadas nesta máquina: {reason}.",
    limit_hint(least, most, usual): "{least} to {most}; usually {usual}." | "De {least} a {most}; normalmente {usual}.",
}

impl Texts {
    /// Why a request did not go out. The record is in English; what the operator can change is said in the person's words.
    pub fn not_sent(self, code: Option<&str>, message: Option<String>) -> Option<String> {
        match code {
            Some("blocked_address" | "https_required") => {
                Some(self.field_code(FieldCode::OutOfReach).to_owned())
            }
            _ => message,
        }
    }
}
