//! The rows of the demo. Customers and products are those of `crm::demo`; nobody in it exists.

use super::{object, webhook};
use domain::tool::{ToolIn, WebhookMethod};
use serde_json::{Value, json};

pub struct Agent {
    pub slug: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub persona: &'static str,
    pub tools: &'static [&'static str],
}

/// A kind of call that was made again and again.
pub struct Past {
    pub agent: &'static str,
    pub tool: &'static str,
    pub params: Value,
    pub result: Value,
    /// About.
    pub milliseconds: i64,
    pub failure: Option<Failure>,
}

#[derive(Clone, Copy)]
pub struct Failure {
    /// Of how many calls of the whole history.
    pub one_in: i64,
    pub code: &'static str,
    pub message: &'static str,
}

pub const AGENTS: &[Agent] = &[
    Agent {
        slug: "atendimento",
        name: "Atendimento",
        description: "Responde às mensagens dos clientes.",
        persona: "Você atende os clientes da Padaria Exemplo com gentileza e respostas curtas.",
        tools: &["getContactHistory", "searchProducts", "createTask", "transferToHuman", "endConversation"],
    },
    Agent {
        slug: "vendas",
        name: "Vendas",
        description: "Acompanha encomendas e propostas.",
        persona: "Você cuida das encomendas da Padaria Exemplo, da primeira conversa à entrega.",
        tools: &[
            "searchProducts",
            "updateContactStatus",
            "updatePipelineStage",
            "scheduleMessage",
            "sendEmail",
            "consultarFrete",
            "emitirPedido",
        ],
    },
];

pub fn tools() -> Vec<ToolIn> {
    let freight = object(
        json!({
            "cep": { "type": "string", "pattern": "^[0-9]{8}$", "description": "CEP da entrega, só números" },
            "itens": { "type": "integer", "minimum": 1, "maximum": 500 },
        }),
        &["cep"],
    );
    let order = object(
        json!({
            "negocio": { "type": "string", "maxLength": 100 },
            "total_centavos": { "type": "integer", "minimum": 1 },
        }),
        &["negocio", "total_centavos"],
    );
    vec![
        ToolIn {
            webhook_method: Some(WebhookMethod::Get),
            ..webhook(
                "consultarFrete",
                "Consultar frete",
                "Diz quanto custa e quanto demora a entrega.",
                freight,
            )
        },
        ToolIn {
            requires_second_person: Some(true),
            ..webhook("emitirPedido", "Emitir pedido", "Emite o pedido no sistema da loja.", order)
        },
    ]
}

/// In turn; what comes up more often is here more often.
pub fn pasts() -> Vec<Past> {
    let products = |query: &str, name: &str, sku: &str, price_cents: i64| {
        let found = json!({ "name": name, "sku": sku, "price_cents": price_cents, "currency": "BRL" });
        (json!({ "query": query }), json!({ "count": 1, "products": [found] }))
    };
    let search = |agent, (params, result), milliseconds| Past {
        agent,
        tool: "searchProducts",
        params,
        result,
        milliseconds,
        failure: None,
    };
    vec![
        search("atendimento", products("bolo de chocolate", "Bolo de chocolate", "BOL-001", 8_900), 6),
        Past {
            agent: "atendimento",
            tool: "createTask",
            params: json!({ "title": "Ligar para confirmar a encomenda" }),
            result: json!({ "created": true, "title": "Ligar para confirmar a encomenda", "due_at": null }),
            milliseconds: 11,
            failure: None,
        },
        search("vendas", products("croissant", "Croissant de manteiga", "FOL-001", 1_100), 5),
        Past {
            agent: "vendas",
            tool: "consultarFrete",
            params: json!({ "cep": "01310930", "itens": 24 }),
            result: json!({ "preco_centavos": 1_850, "prazo_dias": 1 }),
            milliseconds: 420,
            failure: Some(Failure {
                one_in: 3,
                code: "timed_out",
                message: "The other side did not answer in time.",
            }),
        },
        search("atendimento", products("sem glúten", "Bolo de fubá sem glúten", "BOL-003", 7_200), 7),
        Past {
            agent: "vendas",
            tool: "updatePipelineStage",
            params: json!({ "deal_id": "demo-negocio-2", "stage": "novo" }),
            result: json!({ "updated": false, "previous_stage": "novo", "new_stage": "novo" }),
            milliseconds: 14,
            failure: Some(Failure {
                one_in: 8,
                code: "stage_not_found",
                message: "O funil não tem essa etapa. As etapas são: novo, qualificado, proposta, fechado.",
            }),
        },
        search("atendimento", products("pão de queijo", "Pão de queijo", "PAO-003", 550), 6),
    ]
}

/// A call that waits for a person.
pub struct Waiting {
    pub agent: &'static str,
    pub tool: &'static str,
    /// What the agent says about it.
    pub message: &'static str,
    pub params: Value,
}

pub fn questions() -> Vec<Waiting> {
    let mail = json!({
        "to": ["demo-marina@example.com"],
        "subject": "Proposta: bolo para 60 pessoas",
        "text": "Olá, Marina! Segue a proposta do bolo de três andares e dos doces para sábado.",
    });
    let stage = json!({
        "deal_id": "demo-negocio-3",
        "stage": "contrato",
        "reason": "O Café Aurora aprovou a degustação.",
    });
    let asks = |tool, message, params| Waiting { agent: "vendas", tool, message, params };
    vec![
        asks("sendEmail", "A Marina pediu a proposta por escrito até o fim do dia.", mail),
        asks("updatePipelineStage", "O cliente aprovou a degustação e quer fechar o contrato.", stage),
    ]
}
