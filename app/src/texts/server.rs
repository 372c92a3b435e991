//! What the server writes into its answers: the browser shows it, and does not carry it.

texts! {
    code_unavailable(reason):
        "Code tools are refused on this machine: {reason}."
        | "Ferramentas de código são recusadas nesta máquina: {reason}.",
    limit_hint(least, most, usual): "{least} to {most}; usually {usual}." | "De {least} a {most}; normalmente {usual}.",
}
