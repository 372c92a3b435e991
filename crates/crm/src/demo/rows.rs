//! The rows of the demo. People, addresses and numbers are made up.

use domain::crm::{ContactStatus, ConversationStatus, Direction};

pub struct Contact {
    /// The external id, and the part of the address before the @.
    pub key: &'static str,
    pub name: &'static str,
    pub phone: &'static str,
    pub status: ContactStatus,
    pub tags: &'static [&'static str],
    pub notes: Option<&'static str>,
    pub task: Option<&'static str>,
}

pub struct Deal {
    pub key: &'static str,
    pub title: &'static str,
    pub contact: &'static str,
    /// Which of [`PIPELINES`].
    pub pipeline: usize,
    pub stage: &'static str,
    pub value_cents: i64,
}

pub struct Conversation {
    pub key: &'static str,
    pub contact: &'static str,
    pub subject: &'static str,
    pub status: ConversationStatus,
    pub messages: &'static [(Direction, &'static str, &'static str)],
}

type Stages = &'static [(&'static str, &'static str)];

pub const PIPELINES: &[(&str, Stages)] = &[
    (
        "Encomendas para festas",
        &[
            ("novo", "Novo"),
            ("qualificado", "Qualificado"),
            ("proposta", "Proposta enviada"),
            ("fechado", "Fechado"),
        ],
    ),
    (
        "Fornecimento para empresas",
        &[("contato", "Primeiro contato"), ("degustacao", "Degustação"), ("contrato", "Contrato")],
    ),
];

pub const CONTACTS: &[Contact] = &[
    Contact {
        key: "demo-marina",
        name: "Marina Tavares",
        phone: "+5511900000001",
        status: ContactStatus::Qualified,
        tags: &["festa", "chocolate"],
        notes: Some("Aniversário de 50 anos da mãe; 60 convidados."),
        task: Some("Enviar a proposta do bolo de três andares"),
    },
    Contact {
        key: "demo-caio",
        name: "Caio Bittencourt",
        phone: "+5511900000002",
        status: ContactStatus::Customer,
        tags: &["assinante"],
        notes: Some("Recebe pães às segundas e quintas."),
        task: None,
    },
    Contact {
        key: "demo-lidia",
        name: "Lídia Monteverde",
        phone: "+5511900000003",
        status: ContactStatus::Lead,
        tags: &["sem-gluten"],
        notes: None,
        task: Some("Ligar para falar das opções sem glúten"),
    },
    Contact {
        key: "demo-otavio",
        name: "Otávio Prado (Café Aurora)",
        phone: "+5511900000004",
        status: ContactStatus::Qualified,
        tags: &["empresa", "café"],
        notes: Some("Quer croissants todos os dias às 6h30."),
        task: Some("Marcar a degustação no Café Aurora"),
    },
    Contact {
        key: "demo-janaina",
        name: "Janaína Couto",
        phone: "+5511900000005",
        status: ContactStatus::Inactive,
        tags: &[],
        notes: None,
        task: None,
    },
    Contact {
        key: "demo-ruben",
        name: "Ruben Sá",
        phone: "+5511900000006",
        status: ContactStatus::Lost,
        tags: &["festa"],
        notes: Some("Escolheu outro fornecedor por causa do prazo."),
        task: None,
    },
];

pub const DEALS: &[Deal] = &[
    Deal {
        key: "demo-negocio-1",
        title: "Bolo e doces para 60 pessoas",
        contact: "demo-marina",
        pipeline: 0,
        stage: "qualificado",
        value_cents: 98_000,
    },
    Deal {
        key: "demo-negocio-2",
        title: "Mesa de café para batizado",
        contact: "demo-lidia",
        pipeline: 0,
        stage: "novo",
        value_cents: 45_000,
    },
    Deal {
        key: "demo-negocio-3",
        title: "Croissants diários para o Café Aurora",
        contact: "demo-otavio",
        pipeline: 1,
        stage: "degustacao",
        value_cents: 320_000,
    },
    Deal {
        key: "demo-negocio-4",
        title: "Cesta de pães da semana",
        contact: "demo-caio",
        pipeline: 1,
        stage: "contrato",
        value_cents: 28_000,
    },
];

/// SKU, name, price in cents, description.
pub const PRODUCTS: &[(&str, &str, i64, &str)] = &[
    ("PAO-001", "Pão francês", 120, "Unidade de 50 g, assado de hora em hora."),
    ("PAO-002", "Pão de fermentação natural", 2_400, "Pão rústico de 700 g, casca crocante."),
    ("PAO-003", "Pão de queijo", 550, "Porção com seis unidades, massa mineira."),
    ("PAO-004", "Broa de milho", 900, "Broa macia com erva-doce."),
    ("FOL-001", "Croissant de manteiga", 1_100, "Massa folhada com manteiga francesa."),
    ("FOL-002", "Croissant de chocolate", 1_350, "Recheio de chocolate meio amargo."),
    ("BOL-001", "Bolo de chocolate", 8_900, "Para 12 pessoas, com cobertura de brigadeiro."),
    ("BOL-002", "Bolo de cenoura", 6_500, "Com calda de chocolate, para 10 pessoas."),
    ("BOL-003", "Bolo de fubá sem glúten", 7_200, "Feito em cozinha separada, para 10 pessoas."),
    ("DOC-001", "Brigadeiro", 350, "Unidade; encomendas a partir de 25."),
    ("DOC-002", "Quindim", 700, "Unidade, com coco fresco."),
    ("BEB-001", "Café coado", 600, "Xícara de 200 ml, grão do Sul de Minas."),
];

pub const CONVERSATIONS: &[Conversation] = &[
    Conversation {
        key: "demo-conversa-1",
        contact: "demo-marina",
        subject: "Bolo para sábado",
        status: ConversationStatus::Open,
        messages: &[
            (Direction::Inbound, "Marina Tavares", "Oi! Vocês fazem bolo de chocolate para 60 pessoas?"),
            (Direction::Outbound, "Atendimento", "Fazemos sim, em três andares. Para que dia seria?"),
            (Direction::Inbound, "Marina Tavares", "Sábado da semana que vem, às 15h."),
        ],
    },
    Conversation {
        key: "demo-conversa-2",
        contact: "demo-lidia",
        subject: "Opções sem glúten",
        status: ConversationStatus::WaitingHuman,
        messages: &[
            (Direction::Inbound, "Lídia Monteverde", "Meu filho é celíaco. O bolo de fubá é seguro mesmo?"),
            (Direction::Note, "Atendimento", "Pergunta sobre alergia: uma pessoa da equipe deve responder."),
        ],
    },
    Conversation {
        key: "demo-conversa-3",
        contact: "demo-caio",
        subject: "Troca do dia da entrega",
        status: ConversationStatus::Resolved,
        messages: &[
            (Direction::Inbound, "Caio Bittencourt", "Dá para entregar na sexta em vez da quinta?"),
            (Direction::Outbound, "Atendimento", "Tudo certo, a entrega desta semana fica para sexta às 8h."),
        ],
    },
];
