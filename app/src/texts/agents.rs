//! The agents of an organisation, and what each was given.

texts! {
    agent: "Agent" | "Agente",
}
