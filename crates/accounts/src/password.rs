//! Passwords: what is accepted, and argon2id with a bound on how many are computed at once.

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use domain::{Email, ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult};
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;

/// Memory for one hash, in KiB, and passes over it: the least that OWASP recommends for argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// Hashes computed at the same time: attackers can fill this much memory and no more.
const AT_ONCE: usize = 4;
/// Those that wait for their turn; further ones are refused at once.
const WAITING: usize = 64;

const SHORTEST: usize = 8;
const LONGEST: usize = 256;

/// The most common passwords of at least eight characters in public leaks.
const TOO_COMMON: [&str; 16] = [
    "12345678",
    "123456789",
    "1234567890",
    "password",
    "password1",
    "password123",
    "qwerty123",
    "qwertyuiop",
    "1q2w3e4r",
    "iloveyou",
    "senha123",
    "11111111",
    "00000000",
    "abcd1234",
    "admin123",
    "mudar123",
];

/// A hash that no password has: compared with when the account does not exist, so that it takes the same time.
static NOBODY: LazyLock<Option<String>> = LazyLock::new(|| compute(&crate::secret::random_token()).ok());

#[derive(Clone)]
pub struct PasswordHasher {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl PasswordHasher {
    pub fn new() -> Self {
        Self {
            running: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Arc::new(Semaphore::new(AT_ONCE + WAITING)),
        }
    }

    pub async fn hash(&self, password: &str) -> ServiceResult<String> {
        let password = password.to_owned();
        self.bounded(move || compute(&password)).await?
    }

    /// `stored` is `None` when there is no such account: the answer is no, after the same work.
    pub async fn verify(&self, password: &str, stored: Option<String>) -> ServiceResult<bool> {
        let password = password.to_owned();
        let exists = stored.is_some();
        let matches = self.bounded(move || {
            let stored = stored.or_else(|| NOBODY.clone()).unwrap_or_default();
            // Bounded before the work: nobody makes us hash megabytes.
            let short = password.get(..LONGEST * 4).unwrap_or(&password);
            PasswordHash::new(&stored)
                .is_ok_and(|hash| argon2().verify_password(short.as_bytes(), &hash).is_ok())
        });
        Ok(matches.await? && exists)
    }

    async fn bounded<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> ServiceResult<T> {
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let turn = Arc::clone(&self.running).acquire_owned().await.map_err(|_| busy())?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        done.await.map_err(|_| busy())
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn compute(password: &str) -> ServiceResult<String> {
    let hash = argon2().hash_password(password.as_bytes()).map_err(|error| {
        tracing::error!(%error, "a password could not be hashed");
        ServiceError::new(ErrorCode::Internal, "Something went wrong on the server.")
    })?;
    Ok(hash.to_string())
}

fn busy() -> ServiceError {
    let detail = "Too many people are signing in right now. Try again in a few seconds.";
    ServiceError { retry_after: Some(5), ..ServiceError::new(ErrorCode::RateLimited, detail) }
}

/// Is this good enough as a new password for this person?
pub fn check_new(field: &str, password: &str, email: &Email) -> Result<(), FieldError> {
    let length = password.chars().count();
    let lower = password.to_lowercase();
    let repeats = password.chars().all(|c| password.starts_with(c));
    let code = match length {
        0 => FieldCode::Required,
        _ if length < SHORTEST => FieldCode::TooShort,
        _ if length > LONGEST => FieldCode::TooLong,
        _ if repeats || lower == email.as_str() || TOO_COMMON.contains(&lower.as_str()) => {
            FieldCode::TooCommon
        }
        _ => return Ok(()),
    };
    Err(FieldError::new(field, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_fits_its_password_only() {
        let hasher = PasswordHasher::new();
        let stored = hasher.hash("correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(hasher.verify("correct horse", Some(stored.clone())).await.unwrap());
        assert!(!hasher.verify("wrong horse", Some(stored)).await.unwrap());
        assert!(!hasher.verify("correct horse", None).await.unwrap());
    }

    #[tokio::test]
    async fn s13_a_flood_is_refused_instead_of_filling_memory() {
        let hasher = PasswordHasher::new();
        let places =
            (0..AT_ONCE + WAITING).map(|_| hasher.waiting.try_acquire().unwrap()).collect::<Vec<_>>();
        let refused = hasher.hash("anything at all").await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::RateLimited);
        drop(places);
        assert!(hasher.hash("anything at all").await.is_ok());
    }

    #[test]
    fn weak_passwords_are_refused_with_the_reason() {
        let email = Email::parse("ana@example.org").unwrap();
        let code = |password| check_new("password", password, &email).unwrap_err().code;
        assert_eq!(code(""), FieldCode::Required);
        assert_eq!(code("short"), FieldCode::TooShort);
        assert_eq!(code("Password123"), FieldCode::TooCommon);
        assert_eq!(code("aaaaaaaaaaaa"), FieldCode::TooCommon);
        assert_eq!(code("Ana@example.org"), FieldCode::TooCommon);
        assert_eq!(code(&"x1".repeat(200)), FieldCode::TooLong);
        assert!(check_new("password", "três pratos de trigo", &email).is_ok());
    }
}
