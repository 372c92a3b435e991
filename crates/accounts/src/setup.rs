//! The first start: who reads the log may create the first administrator. There is no default password.

use crate::{Accounts, password, secret, users::NewPerson};
use ability::Actor;
use domain::{
    Email, ErrorCode, FieldCode, ServiceError, ServiceResult, TenantId, TenantRole, UserId, text::parse_line,
};
use std::net::IpAddr;
use store::{Signal, audit::Author, settings, users::NewUser};
use subtle::ConstantTimeEq;

const CODE_HASH: &str = "setup_code_hash";

pub struct SetupForm {
    pub code: String,
    pub name: String,
    pub email: String,
    pub password: String,
    pub organisation: String,
    pub demo_data: bool,
}

impl Accounts {
    pub async fn needs_setup(&self) -> ServiceResult<bool> {
        Ok(store::users::count(self.db.reader()).await? == 0)
    }

    /// A new code for the log; the one before it is void. Nothing, when somebody has an account already.
    pub async fn new_setup_code(&self) -> ServiceResult<Option<String>> {
        if !self.needs_setup().await? {
            return Ok(None);
        }
        let code = secret::random_code();
        let tx = self.db.begin().await?;
        settings::put(&tx, CODE_HASH, &secret::hash(&plain(&code))).await?;
        self.db.commit(tx, &[]).await?;
        Ok(Some(code))
    }

    /// Answers with the person, and with the demo tenant when they want one.
    pub async fn complete_setup(
        &self,
        form: SetupForm,
        address: Option<IpAddr>,
    ) -> ServiceResult<(UserId, Option<TenantId>)> {
        self.limits.attempt(address, None)?;
        let (person, organisation) = parse(&form)?;
        self.check_setup_code(&form.code).await?;
        let password_hash = self.hasher.hash(&form.password).await?;

        // Hashing takes long, so it ran outside. The code is taken with the insert: of two at once, one gets it.
        let tx = self.db.begin().await?;
        if !settings::remove(&tx, CODE_HASH).await? {
            return Err(setup_done());
        }
        let (name, email) = (person.name.clone(), person.email.clone());
        let new = NewUser { email, name, password_hash, is_platform_admin: true };
        let user = store::users::insert(&tx, new).await?;
        let author = Author { actor: Actor::User(user), name: &person.name };
        let tenant = Self::insert_tenant(&tx, author, &organisation, None).await?;
        store::members::put(&tx, tenant.id, user, TenantRole::Owner).await?;
        self.db.commit(tx, &[Signal::Rights(user)]).await?;
        let demo = match form.demo_data {
            true => Some(self.seed_demo(Some(user)).await?.id),
            false => None,
        };
        Ok((user, demo))
    }

    async fn check_setup_code(&self, typed: &str) -> ServiceResult<()> {
        if !self.needs_setup().await? {
            return Err(setup_done());
        }
        check_code(settings::get(self.db.reader(), CODE_HASH).await?, typed)
    }
}

fn setup_done() -> ServiceError {
    ServiceError::new(ErrorCode::SetupDone, "The installation is set up already.")
}

fn parse(form: &SetupForm) -> ServiceResult<(NewPerson, String)> {
    let name = parse_line("name", &form.name, 100);
    let email = Email::parse(&form.email);
    let organisation = parse_line("organisation", &form.organisation, 100);
    let password = match &email {
        Ok(email) => password::check_new("password", &form.password, email),
        Err(_) => Ok(()),
    };
    match (name, email, organisation, password) {
        (Ok(name), Ok(email), Ok(organisation), Ok(())) => Ok((NewPerson { name, email }, organisation)),
        (name, email, organisation, password) => {
            let errors = [name.err(), email.err(), organisation.err(), password.err()];
            Err(ServiceError::fields(errors.into_iter().flatten().collect()))
        }
    }
}

/// As it is compared: people leave the hyphens out.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase()
}

fn check_code(stored: Option<String>, typed: &str) -> ServiceResult<()> {
    if typed.trim().is_empty() {
        return Err(ServiceError::field("code", FieldCode::Required));
    }
    let typed = secret::hash(&plain(typed));
    let fits = stored.is_some_and(|stored| bool::from(stored.as_bytes().ct_eq(typed.as_bytes())));
    if fits {
        Ok(())
    } else {
        Err(ServiceError::new(ErrorCode::InvalidSetupCode, "The setup code is wrong."))
    }
}
