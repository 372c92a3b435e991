//! Statistics.

texts! {
    nav_analytics: "Analytics" | "Estatísticas",
    analytics_title: "Analytics" | "Estatísticas",
    analytics_lead:
        "How often tools are called, how well that goes and how long it takes."
        | "Quantas vezes as ferramentas são chamadas, se dá certo e quanto demora.",
    analytics_range: "Period" | "Período",
    analytics_24h: "24 hours" | "24 horas",
    analytics_7d: "7 days" | "7 dias",
    analytics_30d: "30 days" | "30 dias",
    analytics_90d: "90 days" | "90 dias",
    analytics_only(name): "Only calls of {name}" | "Só chamadas de {name}",
    analytics_all: "Show all calls" | "Mostrar todas as chamadas",
    analytics_table: "The same as a table" | "Os mesmos dados em tabela",
    analytics_step: "Time" | "Horário",
    analytics_day: "Day (UTC)" | "Dia (UTC)",
    analytics_by_tool: "By tool" | "Por ferramenta",
    analytics_by_agent: "By agent" | "Por agente",
    analytics_agent: "Agent" | "Agente",
    analytics_empty_title: "No call in this period" | "Nenhuma chamada neste período",
    analytics_empty_lead:
        "As soon as agents or people call tools, their numbers appear here."
        | "Assim que agentes ou pessoas chamarem ferramentas, os números aparecem aqui.",
}
