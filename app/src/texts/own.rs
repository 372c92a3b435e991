//! A person's own things: the assistant, and what they saved.

use domain::{assistant::AssistantState, item::ItemKind};

texts! {
    assistant_title: "Assistant" | "Assistente",
    assistant_lead:
        "Send a thought, a film, a link. You choose from the menu what becomes of it; only you see what is saved."
        | "Envie uma ideia, um filme, um link. Você escolhe no menu o que fazer; só você vê o que for salvo.",
    assistant_empty_title: "Nothing said yet" | "Nenhuma mensagem ainda",
    assistant_empty_lead:
        "Try “Central do Brasil (1998)”, or paste the address of a video."
        | "Experimente “Central do Brasil (1998)”, ou cole o endereço de um vídeo.",
    assistant_say: "Your message" | "Sua mensagem",
    assistant_choices: "Choices" | "Opções",
    assistant_working: "Working…" | "Executando…",
    you: "You" | "Você",
    send: "Send" | "Enviar",
    phone_title: "On your phone" | "No seu celular",
    phone_lead:
        "If your organisation has connected a gateway, such as WhatsApp, send a code from your phone once: from then on \
         what you send from there is yours."
        | "Se a sua organização conectou um gateway, como o WhatsApp, envie um código do seu celular uma vez: daí em \
           diante o que vier de lá é seu.",
    phone_code: "Get a code" | "Gerar um código",
    phone_code_ready: "Your code: send it from your phone within ten minutes."
        | "Seu código: envie-o do seu celular em até dez minutos.",
    phone_code_label: "Code" | "Código",

    items_title: "Saved items" | "Itens salvos",
    items_lead: "Notes, films, series, videos and links that you saved. Nobody else sees them."
        | "Notas, filmes, séries, vídeos e links que você salvou. Ninguém mais os vê.",
    items_export: "Export" | "Exportar",
    items_kind: "Kind" | "Tipo",
    items_kind_any: "Every kind" | "Todos os tipos",
    items_tag: "Tag" | "Etiqueta",
    items_kept: "Saved" | "Salvos",
    items_deleted: "Deleted" | "Excluídos",
    items_older: "Older" | "Mais antigos",
    items_empty_title: "Nothing saved yet" | "Nada salvo ainda",
    items_empty_lead: "What you save with the assistant appears here."
        | "O que você salvar com o assistente aparece aqui.",
    items_begin: "Talk to the assistant" | "Falar com o assistente",
    items_none_title: "Nothing fits" | "Nada encontrado",
    items_none_lead: "Try other words, or remove a filter." | "Tente outras palavras ou remova um filtro.",
    item_title: "Title" | "Título",
    item_text: "Text" | "Texto",
    item_tags: "Tags, with commas between them" | "Etiquetas, separadas por vírgulas",
    item_deleted(title): "“{title}” was deleted." | "“{title}” foi excluído.",
    item_restored: "Restored." | "Restaurado.",
    item_waiting: "Details will follow" | "Detalhes a caminho",
    item_no_key: "Without details: no TMDB key" | "Sem detalhes: falta a chave do TMDB",
    item_several: "Which one is it?" | "Qual deles é?",
    item_which(title): "Which one is “{title}”?" | "Qual é “{title}”?",
    item_without_details: "Without details" | "Sem detalhes",
    item_undo_lead: "The item was deleted." | "O item foi excluído.",
    undo: "Undo" | "Desfazer",
    undone: "Taken back." | "Desfeito.",
    edit: "Edit" | "Editar",
    link_assistant: "Save a thought, a film or a link" | "Salve uma ideia, um filme ou um link",
    link_items: "Find what you saved" | "Encontre o que você salvou",
}

texts_for! { item_kind(ItemKind) {
    ItemKind::Note => "Note" | "Nota",
    ItemKind::Movie => "Film" | "Filme",
    ItemKind::TvShow => "Series" | "Série",
    ItemKind::Video => "Video" | "Vídeo",
    ItemKind::Link => "Link" | "Link",
} }

texts_for! { assistant_state(AssistantState) {
    AssistantState::Idle => "Ready" | "Pronto",
    AssistantState::AwaitingChoice => "Waiting for your choice" | "Aguardando sua escolha",
    AssistantState::AwaitingDetails => "Waiting for details" | "Aguardando detalhes",
    AssistantState::Running => "Working…" | "Executando…",
    AssistantState::Done => "Done" | "Concluído",
    AssistantState::Cancelled => "Cancelled" | "Cancelado",
    AssistantState::Expired => "Expired" | "Expirado",
} }
