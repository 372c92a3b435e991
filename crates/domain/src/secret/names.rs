//! Names that mean a secret wherever they stand, however they are written: `access_token`, `Access-Token`, `accessToken`,
//! `user.accessToken`. A name is taken apart into its words, and the words tell.

/// In one piece, without anything between the words.
const WHOLE: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "authtoken",
    "cardnumber",
    "clientsecret",
    "privatekey",
    "refreshtoken",
    "secretkey",
];

/// A word that is a secret by itself.
const WORDS: &[&str] = &[
    "authorization",
    "credenciais",
    "credencial",
    "credential",
    "credentials",
    "cvc",
    "cvv",
    "jwt",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pwd",
    "secret",
    "secrets",
    "segredo",
    "senha",
    "senhas",
    "token",
];

/// Two words that are one together, and not alone.
const PAIRS: &[[&str; 2]] = &[
    ["access", "key"],
    ["access", "keys"],
    ["access", "tokens"],
    ["api", "key"],
    ["api", "keys"],
    ["api", "tokens"],
    ["auth", "header"],
    ["auth", "key"],
    ["auth", "tokens"],
    ["card", "number"],
    ["chave", "api"],
    ["chave", "privada"],
    ["chave", "secreta"],
    ["codigo", "seguranca"],
    ["código", "segurança"],
    ["encryption", "key"],
    ["master", "key"],
    ["numero", "cartao"],
    ["número", "cartão"],
    ["private", "key"],
    ["private", "keys"],
    ["refresh", "tokens"],
    ["secret", "key"],
    ["security", "code"],
    ["session", "cookie"],
    ["set", "cookie"],
    ["signing", "key"],
    ["ssh", "key"],
];

/// Small words between the others: `chave_de_api`.
const FILLERS: &[&str] = &["da", "de", "do", "of", "the"];

/// What comes after a secret's name and makes it something about the secret: `token_count`, `password_policy`.
const ABOUT: &[&str] = &[
    "age", "at", "budget", "changed", "cost", "count", "counts", "created", "enabled", "endpoint", "expired",
    "expires", "expiry", "hint", "id", "ids", "in", "length", "limit", "limits", "name", "names", "policies",
    "policy", "price", "required", "rotated", "rotation", "status", "strength", "ttl", "type", "types",
    "updated", "uri", "url", "usage", "used", "valid", "version",
];

/// What comes first and asks about it, or counts: `has_password`, `max_token`, `politica_de_senha`.
const ASKING: &[&str] = &[
    "allow",
    "exige",
    "has",
    "is",
    "limite",
    "max",
    "min",
    "needs",
    "num",
    "politica",
    "política",
    "quantidade",
    "require",
    "requires",
    "show",
    "tamanho",
    "tem",
    "tipo",
    "total",
    "use",
    "uses",
    "validade",
];

/// Before `token`: a place in a list, not a key to a door.
const PLACES: &[&str] = &[
    "continuation",
    "cursor",
    "end",
    "idempotency",
    "next",
    "page",
    "prev",
    "previous",
    "start",
    "stop",
    "sync",
];

/// Whether a field, an argument, a parameter or a header of this name holds a secret.
pub fn is_secret(name: &str) -> bool {
    let apart = apart(name);
    let is_word =
        |word: &&str| !word.is_empty() && !FILLERS.contains(word) && !word.chars().all(char::is_numeric);
    let words: Vec<&str> = apart.split(' ').filter(is_word).collect();
    let Some(end) = (0..words.len()).rev().find_map(|at| secret_end(&words, at)) else { return false };
    let is_about = end < words.len() && words.last().is_some_and(|last| ABOUT.contains(last));
    !is_about && !ASKING.contains(&words[0])
}

/// Where a secret's name ends that begins with this word.
fn secret_end(words: &[&str], at: usize) -> Option<usize> {
    let pair = words.get(at + 1).map(|next| [words[at], *next]);
    if pair.is_some_and(|pair| PAIRS.contains(&pair)) {
        return Some(at + 2);
    }
    let is_place = at > 0 && words[at] == "token" && PLACES.contains(&words[at - 1]);
    // `pin_code` is an address in India, `user_pin` is none.
    let is_pin = words[at] == "pin" && at + 1 == words.len();
    let is_secret = is_pin || WHOLE.contains(&words[at]) || is_secret_word(words[at]);
    (is_secret && !is_place).then_some(at + 1)
}

/// `dbpassword` is written without a joint often enough.
fn is_secret_word(word: &str) -> bool {
    WORDS.contains(&word) || ["password", "passwd"].iter().any(|end| word.ends_with(end))
}

/// In small letters with spaces between the words: `smtpPassword2`, `SMTP_PASSWORD-2` and `smtp.password 2` are the same.
fn apart(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let (mut letters, mut before) = (name.chars().peekable(), ' ');
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            out.push(' ');
        } else {
            if is_joint(before, letter, letters.peek().copied()) {
                out.push(' ');
            }
            out.extend(letter.to_lowercase());
        }
        before = letter;
    }
    out
}

/// Between `a` and `B`, before the last capital of `APIKey`, and around digits.
fn is_joint(before: char, letter: char, after: Option<char>) -> bool {
    let after_small = before.is_lowercase() && letter.is_uppercase();
    let last_capital =
        before.is_uppercase() && letter.is_uppercase() && after.is_some_and(char::is_lowercase);
    after_small || last_capital || before.is_numeric() != letter.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn s16_names_of_secrets_are_known_by_their_words() {
        for name in
            "password Password PASSWORD user_password newPassword smtp_password SMTP-PASSWORD password2 \
            passwordConfirmation password_hash dbpassword passwd pwd db.pwd passphrase secret secret_key \
            secretKey secrets clientSecret client_secret_value token auth_token authToken authtoken \
            github_token access_token ACCESS_TOKEN Access-Token accesstoken refreshToken api_tokens \
            x-api-key X-API-Key APIKey apikey api_key_2 apiKeys privateKey aws_access_key signing.key \
            Authorization proxy-authorization credentials aws_credential cvv card_cvc cardNumber \
            card_number security_code pin user_pin session_cookie jwt senha senha_do_usuario novaSenha \
            chave_de_api chavePrivada segredo numero_do_cartao token_de_acesso"
                .split(' ')
        {
            assert!(is_secret(name), "{name}");
        }
        assert!(is_secret("bearer token"));
    }

    #[test]
    fn s16_names_that_only_speak_of_secrets_are_none() {
        for name in
            "_ title tokens max_tokens maxTokens token_count tokenCount token_type token_limit total_tokens \
            next_page_token nextPageToken pageToken next_token continuation_token sync_token tokenizer \
            password_policy passwordPolicy password_expires_at has_password requires_password \
            password_length secret_name access_key_id secretary secretaria author authorized authority key \
            keys primary_key keyboard cards card card_brand number order_number pinned pin_code pineapple \
            spin security code code_review monkey_api compass passenger password_url politica_de_senha \
            tem_senha chave numero cookie"
                .split(' ')
        {
            assert!(!is_secret(name), "{name}");
        }
        assert!(!is_secret(""));
    }
}
