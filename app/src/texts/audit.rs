//! The record.

texts! {
    nav_audit: "Audit" | "Auditoria",
    audit_title: "Audit" | "Auditoria",
    audit_lead:
        "Everything that was changed or called, by whom and when. Entries are linked to each other: none can be altered unseen."
        | "Tudo o que foi alterado ou chamado, por quem e quando. Os registros são encadeados: nenhum muda sem que se perceba.",
    audit_chain: "The chain" | "A cadeia",
    audit_chain_entries: "Entries" | "Registros",
    audit_chain_signed: "Signed up to" | "Assinada até",
    audit_chain_signed_entry(seq): "entry {seq}" | "registro {seq}",
    audit_chain_unsigned: "Not signed yet" | "Ainda sem assinatura",
    audit_chain_hash: "Last hash" | "Último hash",
    audit_verify: "Verify now" | "Verificar agora",
    audit_holds(entries): "The chain holds. Entries checked: {entries}." | "A cadeia está íntegra. Registros conferidos: {entries}.",
    audit_uncovered(entries): "Waiting for the next signature: {entries}." | "À espera da próxima assinatura: {entries}.",
    audit_calls(calls): "Calls of the history that are as it tells them: {calls}." | "Chamadas do histórico que conferem com ela: {calls}.",
    audit_missing(calls): "Recorded calls no longer in the history: {calls}." | "Chamadas registradas que saíram do histórico: {calls}.",
    audit_broken(seq): "The chain is broken at entry {seq}." | "A cadeia está rompida no registro {seq}.",
    audit_export: "Export (JSON lines)" | "Exportar (JSON Lines)",
    audit_area_label: "About" | "Sobre",
    audit_area_any: "Everything" | "Tudo",
    audit_actor: "Who" | "Quem",
    audit_when: "When" | "Quando",
    audit_what: "What" | "O quê",
    audit_entry: "Entry" | "Registro",
    audit_changes_named(seq): "Before and after: entry {seq}" | "Antes e depois: registro {seq}",
    audit_changes: "Before and after" | "Antes e depois",
    audit_field: "Field" | "Campo",
    audit_before: "Before" | "Antes",
    audit_after: "After" | "Depois",
    audit_only_subject: "Only entries about this" | "Só registros sobre isto",
    audit_empty_title: "No entry" | "Nenhum registro",
    audit_empty_lead:
        "Nothing on the record fits this filter. Clear it to see all."
        | "Nada no registro atende a este filtro. Limpe para ver tudo.",
    page_older: "Older" | "Mais antigos",
    page_newest: "Newest" | "Mais recentes",
}
