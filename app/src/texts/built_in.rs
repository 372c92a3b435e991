//! What the built-in tools are called and do, for people. The tools themselves speak Portuguese, as the models that are given
//! them do; whoever reads English gets these words on every page.

use super::Texts;
use domain::{Language, tool::ToolDefinition};

/// Name, what it is called, what it does.
const IN_ENGLISH: &[(&str, &str, &str)] = &[
    (
        "updateContactStatus",
        "Update contact status",
        "Changes the status of a contact. For when the conversation shows that the contact has moved on, for example from \
         lead to qualified or customer, or has given up (lost).",
    ),
    (
        "updatePipelineStage",
        "Move a deal in its pipeline",
        "Moves a deal to another stage of its sales pipeline. For when the deal moves forward or back, for example after a \
         proposal was sent. The stage is the identifier (slug) of a stage of the pipeline.",
    ),
    (
        "createTask",
        "Create task",
        "Creates a task for the team, with an optional due date and assignee. For when somebody has to do something after the \
         conversation, such as calling the contact or preparing a proposal.",
    ),
    (
        "sendEmail",
        "Send email",
        "Sends an email of plain text. For when the contact asks for something in writing, or the answer is too long for \
         the conversation. The address is to be confirmed before.",
    ),
    (
        "scheduleMessage",
        "Schedule message",
        "Schedules a message to a contact, up to a year ahead. For reminders and agreed follow-ups, such as a notice the day \
         before a delivery. WhatsApp needs the contact's phone number; email, the address.",
    ),
    (
        "searchProducts",
        "Search products",
        "Finds products for sale by name, code or description, with prices. For use before speaking of prices or \
         availability; no product is ever made up. Accents and capitals do not matter.",
    ),
    (
        "getContactHistory",
        "See contact history",
        "Shows a contact's data with its latest messages, deals and tasks. For the beginning of a conversation, so that \
         nothing is asked again that is known already.",
    ),
    (
        "transferToHuman",
        "Hand over to a person",
        "Hands the conversation over to somebody of the team, with a note that only the team sees. For when the contact asks \
         for it, complains, or the agent cannot help.",
    ),
    (
        "endConversation",
        "End conversation",
        "Marks the conversation as resolved. For when the contact confirms that nothing else is needed. Doing it again changes \
         nothing.",
    ),
    (
        "search_items",
        "Search items",
        "Searches what the person has saved: notes, films, series, videos and links. Accents and capitals do not matter.",
    ),
    (
        "enrich_movie",
        "Complete a film",
        "Gets the details of a saved film from TMDB. When there are several, tmdb_id says which one.",
    ),
    (
        "enrich_tv_show",
        "Complete a series",
        "Gets the details of a saved series from TMDB. When there are several, tmdb_id says which one.",
    ),
    ("enrich_video", "Complete a video", "Gets title, author and thumbnail of a saved video."),
    ("enrich_link", "Complete a link", "Gets title, description and image of the page of a saved link."),
    (
        "save_note",
        "Save as a note",
        "Saves a text as the person's note. For what is no film, series, video or link.",
    ),
    (
        "save_movie",
        "Save as a film",
        "Saves a film by its title, with the year if it is known. The details come later, from TMDB.",
    ),
    (
        "save_tv_show",
        "Save as a series",
        "Saves a series by its title, with the year if it is known. The details come later, from TMDB.",
    ),
    (
        "save_video",
        "Save as a video",
        "Saves the address of a video, such as YouTube or Vimeo. Title and author come later.",
    ),
    ("save_link", "Save as a link", "Saves the address of a page. The preview comes later."),
];

impl Texts {
    /// What people call the tool.
    pub fn label_of(self, is_system: bool, tool: &ToolDefinition) -> String {
        self.of_built_in(is_system, tool)
            .map_or_else(|| tool.display_name.clone(), |(label, _)| label.to_owned())
    }

    /// What it does.
    pub fn described(self, is_system: bool, tool: &ToolDefinition) -> String {
        self.of_built_in(is_system, tool)
            .map_or_else(|| tool.description.clone(), |(_, text)| text.to_owned())
    }

    /// The names of the built-in tools that are called so in English. Whoever reads English also finds them by what they are
    /// said to do; in Portuguese, the tools say it themselves.
    pub fn built_in_with(self, search: Option<&str>) -> Vec<&'static str> {
        let Some(wanted) = search.map(|text| text.trim().to_lowercase()) else { return Vec::new() };
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let reads_it = self.language == Language::En;
        let found = IN_ENGLISH.iter().filter(|(_, label, text)| has(label) || (reads_it && has(text)));
        found.map(|(name, ..)| *name).collect()
    }

    fn of_built_in(self, is_system: bool, tool: &ToolDefinition) -> Option<(&'static str, &'static str)> {
        if !is_system || self.language == Language::PtBr {
            return None;
        }
        let (_, label, text) = IN_ENGLISH.iter().find(|(name, ..)| *name == tool.name.as_str())?;
        Some((label, text))
    }
}

#[cfg(test)]
mod tests {
    use super::{IN_ENGLISH, Texts};
    use domain::Language;
    use engine::BuiltIn;

    #[test]
    fn t13_every_built_in_tool_has_english_words() {
        let named: Vec<&str> = IN_ENGLISH.iter().map(|(name, ..)| *name).collect();
        let all: Vec<&str> = BuiltIn::all().map(BuiltIn::name).collect();
        assert_eq!(named.len(), all.len());
        assert!(all.iter().all(|name| named.contains(name)), "{all:?}");
    }

    #[test]
    fn t2_a_built_in_tool_is_found_by_its_english_words() {
        let found = |language, text| Texts::of(language).built_in_with(Some(text));
        for language in [Language::En, Language::PtBr] {
            assert_eq!(found(language, " HAND over "), ["transferToHuman"], "{language:?}");
            assert!(found(language, "encerrar").is_empty(), "{language:?}");
            assert!(Texts::of(language).built_in_with(None).is_empty());
        }
        assert_eq!(found(Language::En, "with prices"), ["searchProducts"]);
        assert!(found(Language::PtBr, "with prices").is_empty(), "nowhere on a page in Portuguese");
    }
}
