//! B7: whatever the state of the world, the gate says what a plain reading of the rules says.

#![allow(clippy::unwrap_used)]

use super::{Question, Verdict, decide};
use crate::catalogue::Catalogue;
use ::limits::Wait;
use ability::{
    Ability, Role,
    policy::{Policy, Principal},
};
use domain::{
    AgentId, ErrorCode, LimitOf, TenantId, TenantRole, ToolEffect, ToolId,
    tool::{ConfirmationMode, ExecutionType, ToolDefinition, ToolName, ToolType, WebhookMethod},
};
use proptest::{
    prelude::{Just, ProptestConfig, Strategy, any, prop_oneof},
    prop_assert_eq, proptest,
    sample::select,
};
use serde_json::{Value, json};
use std::{sync::LazyLock, time::Duration};
use store::{Moment, agents::Agent, tools::Tool};

static POLICY: LazyLock<Policy> = LazyLock::new(|| Policy::from_seed().unwrap());

/// Everything that an answer can depend on.
#[derive(Clone, Debug)]
struct World {
    kind: ExecutionType,
    webhooks_off: bool,
    code_off: bool,
    code_cannot_run: bool,
    tool_active: bool,
    demands: bool,
    demands_two: bool,
    effect: ToolEffect,
    /// Mode, active, given the tool; nobody when a person calls.
    agent: Option<(ConfirmationMode, bool, bool)>,
    /// A line of the operator's own forbids it to agents.
    agents_may_not: bool,
    role: Role,
    /// Whether the caller's key is bound to an agent, and to this one.
    bound_to_this: Option<bool>,
    params: (Value, bool),
    /// Whether the arguments fit; nothing when none are looked at.
    fit: Option<bool>,
    /// Whether the limits have room; nothing when they are not asked.
    room: Option<bool>,
}

/// The rules, read out. Nothing here is taken from the gate.
fn reference(world: &World) -> (Verdict, Option<ErrorCode>) {
    let denied = |code| (Verdict::Denied, Some(code));
    if world.bound_to_this.is_some_and(|this| !this || world.agent.is_none()) {
        return denied(ErrorCode::Forbidden);
    }
    let kind_off = match world.kind {
        ExecutionType::Webhook => world.webhooks_off,
        ExecutionType::Code => world.code_off,
        ExecutionType::Internal => false,
    };
    if kind_off {
        return denied(ErrorCode::ToolDisabled);
    }
    if world.kind == ExecutionType::Code && world.code_cannot_run {
        return denied(ErrorCode::CodeUnavailable);
    }
    if !world.tool_active {
        return denied(ErrorCode::ToolDisabled);
    }
    if let Some((_, is_active, is_assigned)) = world.agent {
        if !is_active {
            return denied(ErrorCode::Forbidden);
        }
        if !is_assigned {
            return denied(ErrorCode::ToolNotAssigned);
        }
    }
    let may_execute = match world.role {
        Role::PlatformAdmin | Role::Agent => true,
        Role::Tenant(TenantRole::Owner | TenantRole::Manager | TenantRole::Operator) => true,
        Role::Tenant(TenantRole::Viewer | TenantRole::Auditor) | Role::Person => false,
    };
    if !may_execute || (world.agent.is_some() && world.agents_may_not) {
        return denied(ErrorCode::Forbidden);
    }
    if world.fit == Some(false) {
        return denied(ErrorCode::InvalidParams);
    }
    if world.room == Some(false) {
        return denied(ErrorCode::RateLimited);
    }
    let (_, reaches_widely) = world.params;
    let is_dangerous = world.effect != ToolEffect::Read || reaches_widely;
    let asks = match world.agent {
        None => world.demands_two,
        Some((mode, ..)) => {
            world.demands
                || world.demands_two
                || mode == ConfirmationMode::Always
                || (mode == ConfirmationMode::Dangerous && is_dangerous)
        }
    };
    (if asks { Verdict::NeedsConfirmation } else { Verdict::Allowed }, None)
}

fn tool(world: &World) -> Tool {
    let definition = ToolDefinition {
        name: ToolName::parse("hook").unwrap(),
        display_name: "hook".to_owned(),
        description: "d".to_owned(),
        r#type: ToolType::Function,
        parameters: match world.fit {
            Some(false) => json!({ "type": "object", "required": ["never"] }),
            _ => json!({ "type": "object" }),
        },
        execution_type: world.kind,
        webhook_url: None,
        webhook_method: WebhookMethod::Post,
        webhook_headers: Default::default(),
        code: None,
        requires_confirmation: world.demands,
        requires_second_person: world.demands_two,
        effect: world.effect,
        timeout_ms: 1_000,
        idempotent: false,
        rate_limit: None,
        max_output_bytes: 1_024,
        memory_mb: None,
        fetch_hosts: Vec::new(),
        secret_names: Vec::new(),
        max_fetches: None,
    };
    Tool {
        id: ToolId::new(),
        definition,
        secrets: None,
        version: 1,
        is_active: world.tool_active,
        is_system: false,
        created_at: Moment::now(),
        updated_at: Moment::now(),
    }
}

fn agent(mode: ConfirmationMode, is_active: bool) -> Agent {
    Agent {
        id: AgentId::new(),
        slug: "vendas".to_owned(),
        name: "Vendas".to_owned(),
        description: String::new(),
        persona: String::new(),
        confirmation_mode: mode,
        is_active,
        rate_limit: None,
        version: 1,
        created_at: Moment::now(),
        updated_at: Moment::now(),
    }
}

fn answer(world: &World) -> super::Decision {
    let (mode, is_active, is_assigned) = world.agent.unwrap_or((ConfirmationMode::Always, false, false));
    let off = [("webhook_tools", world.webhooks_off), ("code_tools", world.code_off)];
    let off = off.into_iter().filter(|(_, off)| *off).map(|(name, _)| name.to_owned()).collect();
    let catalogue = Catalogue::of_one(tool(world), agent(mode, is_active), is_assigned, off).unwrap();
    let tenant = TenantId(uuid::Uuid::now_v7());
    let principal = Principal { id: uuid::Uuid::now_v7(), tenant: Some(tenant), roles: vec![world.role] };
    let this = catalogue.agents()[0].id;
    let room = world.room.map(|room| if room { Ok(()) } else { Err(used_up()) });
    let own = Principal { id: this.0, tenant: Some(tenant), roles: vec![Role::Agent] };
    let own = if world.agents_may_not { Ability::default() } else { POLICY.ability_for(&own) };
    decide(&Question {
        agent: world.agent.map(|_| catalogue.agents()[0].as_ref()),
        agent_ability: world.agent.map(|_| &own),
        caller: Some(principal.id),
        bound_to: world.bound_to_this.map(|is_this| if is_this { this } else { AgentId::new() }),
        params: &world.params.0,
        fit: world.fit.is_some(),
        limits: room.as_ref(),
        cannot_run: (world.kind == ExecutionType::Code && world.code_cannot_run).then_some("no walls"),
        ..Question::of_tool(tenant, &catalogue, &POLICY.ability_for(&principal), &catalogue.tools()[0])
    })
}

fn used_up() -> Wait {
    Wait { key: "agent:x".to_owned(), retry_after: Duration::from_millis(1_500) }
}

/// Arguments, and whether they reach widely.
fn params() -> impl Strategy<Value = (Value, bool)> {
    prop_oneof![
        Just((json!({}), false)),
        Just((json!({ "q": "pão", "limit": 200, "count": 1 }), false)),
        Just((json!({ "year": 2026, "ids": (0..50).collect::<Vec<_>>() }), false)),
        Just((json!({ "q": "*" }), true)),
        Just((json!({ "deep": [{ "name": " % " }] }), true)),
        Just((json!({ "page": { "limit": 201 } }), true)),
        Just((json!({ "max_results": 1e9 }), true)),
        Just((json!({ "ids": (0..51).collect::<Vec<_>>() }), true)),
    ]
}

fn worlds() -> impl Strategy<Value = World> {
    let flags = any::<[bool; 7]>();
    let agent = proptest::option::of((select(ConfirmationMode::ALL), any::<bool>(), any::<bool>()));
    let of_tool = (select(ExecutionType::ALL), select(ToolEffect::ALL.as_slice()));
    let maybe = || proptest::option::of(any::<bool>());
    let asked = (params(), maybe(), maybe());
    let all = (flags, agent, of_tool, select(Role::ALL.as_slice()), maybe(), asked);
    all.prop_map(|(flags, agent, (kind, effect), role, bound_to_this, (params, fit, room))| {
        let [webhooks_off, code_off, code_cannot_run, tool_active, demands, demands_two, agents_may_not] =
            flags;
        World {
            kind,
            webhooks_off,
            code_off,
            code_cannot_run,
            tool_active,
            demands,
            demands_two,
            effect,
            agent,
            agents_may_not,
            role,
            bound_to_this,
            params,
            fit,
            room,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn b7_the_gate_agrees_with_a_plain_reading_of_the_rules(world in worlds()) {
        let decision = answer(&world);
        prop_assert_eq!((decision.verdict, decision.code), reference(&world));
        let last = decision.checks.last().unwrap();
        prop_assert_eq!(decision.rule, last.check);
        prop_assert_eq!(&decision.reason, &last.detail);
        prop_assert_eq!(last.passed, decision.verdict == Verdict::Allowed);
        let error = decision.error();
        prop_assert_eq!(error.as_ref().map(|error| error.code), decision.code);
        if decision.code == Some(ErrorCode::InvalidParams) {
            prop_assert_eq!(&decision.errors[0].field, "params.never");
        }
        if decision.code == Some(ErrorCode::RateLimited) {
            prop_assert_eq!(error.map(|error| (error.retry_after, error.exceeded)), Some((Some(2), Some(LimitOf::Agent))));
        }
        let before = &decision.checks[..decision.checks.len() - 1];
        assert!(before.iter().all(|check| check.passed), "only the last can fail: {:?}", decision.checks);
    }
}
