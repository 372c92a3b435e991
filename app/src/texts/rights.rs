//! Roles, actions, subjects, and why a rule is there.

use super::Texts;
use ability::{Action, Role, Subject};
use domain::TenantRole;

texts! {
    no_access_title: "You do not have access to that page" | "Você não tem acesso a essa página",
    no_access_right(right):
        "Your role does not let you {right}. An owner of the organisation can change that."
        | "O seu papel não permite {right}. Um proprietário da organização pode mudar isso.",
    no_access_platform:
        "Only platform administrators may open it. Ask one of them."
        | "Só administradores da plataforma podem abri-la. Fale com um deles.",
    to_manage: "manage" | "gerenciar",
    go_back: "Go back" | "Voltar",
}

texts_for! { tenant_role(TenantRole) {
    TenantRole::Owner => "Owner" | "Proprietário",
    TenantRole::Manager => "Manager" | "Gestor",
    TenantRole::Operator => "Operator" | "Operador",
    TenantRole::Viewer => "Viewer" | "Leitor",
    TenantRole::Auditor => "Auditor" | "Auditor",
} }

texts_for! { tenant_role_means(TenantRole) {
    TenantRole::Owner => "everything, members too" | "tudo, inclusive os membros",
    TenantRole::Manager => "tools, agents, integrations" | "ferramentas, agentes, integrações",
    TenantRole::Operator => "runs tools, decides confirmations" | "executa ferramentas, decide confirmações",
    TenantRole::Viewer => "reads the history" | "lê o histórico",
    TenantRole::Auditor => "reads everything, changes nothing" | "lê tudo, não altera nada",
} }

texts_for! { action(Action) {
    Action::Manage => "manage (everything)" | "gerenciar (tudo)",
    Action::Create => "create" | "criar",
    Action::Read => "see" | "ver",
    Action::Update => "change" | "alterar",
    Action::Delete => "delete" | "excluir",
    Action::Execute => "run" | "executar",
    Action::Approve => "approve" | "aprovar",
} }

texts_for! { subject(Subject) {
    Subject::All => "everything" | "tudo",
    Subject::AdminPanel => "the platform's administration" | "a administração da plataforma",
    Subject::ToolManagement => "tools" | "ferramentas",
    Subject::Analytics => "statistics" | "estatísticas",
    Subject::UserContent => "saved content" | "conteúdo salvo",
    Subject::PersonalData => "personal data" | "dados pessoais",
    Subject::Agent => "agents" | "agentes",
    Subject::AuditLog => "the audit log" | "o registro de auditoria",
    Subject::Confirmation => "confirmations" | "confirmações",
    Subject::Execution => "executions" | "execuções",
    Subject::Crm => "contacts, deals and conversations" | "contatos, negócios e conversas",
    Subject::Integration => "integrations" | "integrações",
    Subject::Member => "members" | "membros",
} }

impl Texts {
    /// A role by its name in the policy; one that a newer policy brought is shown as it is.
    pub fn policy_role(self, name: &str) -> String {
        match Role::from_name(name) {
            Some(Role::PlatformAdmin) => self.platform_admin(),
            Some(Role::Tenant(role)) => self.tenant_role(role),
            Some(Role::Agent) => self.pick("Agent", "Agente"),
            Some(Role::Person) => self.pick("Anybody signed in", "Qualquer pessoa conectada"),
            None => return name.to_owned(),
        }
        .to_owned()
    }

    /// The reason in the last column of the policy; an unknown one is shown as it is.
    pub fn rule_reason(self, code: &str) -> String {
        match code {
            "platform_admin" => self.pick(
                "Platform administrators run the whole installation.",
                "Administradores da plataforma cuidam de toda a instalação.",
            ),
            "content_is_private" => self.pick(
                "What people saved stays theirs, even for administrators.",
                "O que cada pessoa salvou é só dela, mesmo para administradores.",
            ),
            "owner" => self.pick(
                "Owners decide everything in their organisation.",
                "Proprietários decidem tudo na sua organização.",
            ),
            "manager" => self.pick(
                "Managers shape tools, agents and integrations.",
                "Gestores cuidam de ferramentas, agentes e integrações.",
            ),
            "operator" => self.pick(
                "Operators run tools and decide confirmations.",
                "Operadores executam ferramentas e decidem confirmações.",
            ),
            "viewer" => self.pick("Viewers read the history.", "Leitores consultam o histórico."),
            "auditor" => self.pick(
                "Auditors read everything and change nothing.",
                "Auditores leem tudo e não alteram nada.",
            ),
            "agent" => self.pick(
                "Agents call the tools that were assigned to them.",
                "Agentes chamam as ferramentas atribuídas a eles.",
            ),
            "system_tool" => self.pick(
                "Built-in tools belong to the product and cannot be deleted.",
                "Ferramentas embutidas fazem parte do produto e não podem ser excluídas.",
            ),
            "own_things" => {
                self.pick("Everybody decides on their own things.", "Cada pessoa decide sobre o que é dela.")
            }
            other => return other.to_owned(),
        }
        .to_owned()
    }
}
