//! Settings: by flag, environment or `alcada.toml`, in that order. What is wrong stops the start with one line.

use crate::wiring::Outside;
use clap::Args;
use egress::{AllowList, Authorities, Egress};
use engine::Ceilings;
use ipnet::IpNet;
use items::sources::{SourceSettings, Sources};
use limits::Limiter;
use sandbox::Unsupported;
use serde::Deserialize;
use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};
use vault::{MasterKey, Vault};

/// As given; every flag has its environment variable.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Listen address; port 0 picks one and prints it [default: 127.0.0.1:3000]
    #[arg(long, global = true, env = "ALCADA_ADDR")]
    pub addr: Option<String>,
    /// Folder for the SQLite file [default: ./data]
    #[arg(long, global = true, env = "ALCADA_DATA")]
    pub data: Option<PathBuf>,
    /// `sqlite:` or `postgres:` [default: a SQLite file in the data folder]
    #[arg(long, global = true, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// External address: cookies, links, origin check [default: from the listen address]
    #[arg(long, global = true, env = "ALCADA_PUBLIC_URL")]
    pub public_url: Option<String>,
    /// Networks of reverse proxies whose `X-Forwarded-For` is believed, separated by commas
    #[arg(long, global = true, env = "ALCADA_TRUSTED_PROXIES")]
    pub trusted_proxies: Option<String>,
    /// Redis or Valkey for rate limits that several replicas share
    #[arg(long, global = true, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<String>,
    /// Key for encryption at rest: 32 bytes as base64 or hex [default: created in the data folder]
    #[arg(long, global = true, env = "ALCADA_MASTER_KEY", hide_env_values = true)]
    pub master_key: Option<String>,
    /// Private networks or host:port that tools may reach, separated by commas
    #[arg(long, global = true, env = "ALCADA_EGRESS_ALLOW")]
    pub egress_allow: Option<String>,
    /// A file of certificates (PEM) of authorities that are trusted beside the usual ones
    #[arg(long, global = true, env = "ALCADA_EXTRA_CA")]
    pub extra_ca: Option<PathBuf>,
    /// How many calls of one tool may be at the outside at once, at most [default: 256]
    #[arg(long, global = true, env = "ALCADA_MAX_CALLS_PER_TOOL")]
    pub max_calls_per_tool: Option<Count>,
    /// How many calls of one tenant may be at the outside at once, at most [default: 512]
    #[arg(long, global = true, env = "ALCADA_MAX_CALLS_PER_TENANT")]
    pub max_calls_per_tenant: Option<Count>,
    /// How long a call of a code tool may run at most, in milliseconds [default: 60000]
    #[arg(long, global = true, env = "ALCADA_MAX_CODE_TIME_MS")]
    pub max_code_time_ms: Option<Count>,
    /// How much memory a call of a code tool may take at most, in MiB [default: 256]
    #[arg(long, global = true, env = "ALCADA_MAX_CODE_MEMORY_MB")]
    pub max_code_memory_mb: Option<Count>,
    /// How large the result of a code tool may be at most, in bytes of JSON [default: 10485760]
    #[arg(long, global = true, env = "ALCADA_MAX_CODE_OUTPUT_BYTES")]
    pub max_code_output_bytes: Option<Count>,
    /// How often a call of a code tool may fetch at most [default: 100]
    #[arg(long, global = true, env = "ALCADA_MAX_CODE_FETCHES")]
    pub max_code_fetches: Option<Count>,
    /// How many calls of code tools run at once, at most [default: 16]
    #[arg(long, global = true, env = "ALCADA_MAX_CODE_CALLS")]
    pub max_code_calls: Option<Count>,
    /// Key or token of The Movie Database, for the details of films and series
    #[arg(long, global = true, env = "ALCADA_TMDB_KEY", hide_env_values = true)]
    pub tmdb_key: Option<String>,
    /// Where The Movie Database is [default: https://api.themoviedb.org/3]
    #[arg(long, global = true, env = "ALCADA_TMDB_URL")]
    pub tmdb_url: Option<String>,
    /// Where YouTube tells about videos (oEmbed) [default: https://www.youtube.com/oembed]
    #[arg(long, global = true, env = "ALCADA_YOUTUBE_OEMBED_URL")]
    pub youtube_oembed_url: Option<String>,
    /// Where Vimeo tells about videos (oEmbed) [default: https://vimeo.com/api/oembed.json]
    #[arg(long, global = true, env = "ALCADA_VIMEO_OEMBED_URL")]
    pub vimeo_oembed_url: Option<String>,
    /// Log filter; JSON when standard output is not a terminal [default: info]
    #[arg(long, global = true, env = "ALCADA_LOG")]
    pub log: Option<String>,
}

/// A number as somebody wrote it: in a file perhaps without quotes. Read by us, so that a wrong one is told in one line.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Count {
    Number(u32),
    Text(String),
}

impl FromStr for Count {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::Text(text.to_owned()))
    }
}

/// Checked, with the defaults in place.
#[derive(Clone)]
pub struct Settings {
    pub addr: SocketAddr,
    pub data: PathBuf,
    pub database_url: String,
    /// `None`: made from the address once it is bound.
    pub public_url: Option<String>,
    pub trusted_proxies: Vec<IpNet>,
    pub redis_url: Option<String>,
    /// `None`: the file in the data folder.
    pub master_key: Option<String>,
    pub egress_allow: AllowList,
    pub extra_ca: Option<PathBuf>,
    pub ceilings: Ceilings,
    /// Code tools that run at once.
    pub code_calls: usize,
    /// Who knows more about what people save.
    pub sources: SourceSettings,
    pub log: String,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {reason}")]
pub struct WrongSetting {
    setting: &'static str,
    reason: String,
}

fn wrong(setting: &'static str, reason: impl Into<String>) -> WrongSetting {
    WrongSetting { setting, reason: reason.into() }
}

impl Settings {
    /// Reads `alcada.toml` beside the process for what neither flag nor environment says.
    pub fn load(given: Given, file: &Path) -> Result<Self, WrongSetting> {
        let from_file = read_file(file)?;
        Self::check(Given {
            addr: given.addr.or(from_file.addr),
            data: given.data.or(from_file.data),
            database_url: given.database_url.or(from_file.database_url),
            public_url: given.public_url.or(from_file.public_url),
            trusted_proxies: given.trusted_proxies.or(from_file.trusted_proxies),
            redis_url: given.redis_url.or(from_file.redis_url),
            master_key: given.master_key.or(from_file.master_key),
            egress_allow: given.egress_allow.or(from_file.egress_allow),
            extra_ca: given.extra_ca.or(from_file.extra_ca),
            max_calls_per_tool: given.max_calls_per_tool.or(from_file.max_calls_per_tool),
            max_calls_per_tenant: given.max_calls_per_tenant.or(from_file.max_calls_per_tenant),
            max_code_time_ms: given.max_code_time_ms.or(from_file.max_code_time_ms),
            max_code_memory_mb: given.max_code_memory_mb.or(from_file.max_code_memory_mb),
            max_code_output_bytes: given.max_code_output_bytes.or(from_file.max_code_output_bytes),
            max_code_fetches: given.max_code_fetches.or(from_file.max_code_fetches),
            max_code_calls: given.max_code_calls.or(from_file.max_code_calls),
            tmdb_key: given.tmdb_key.or(from_file.tmdb_key),
            tmdb_url: given.tmdb_url.or(from_file.tmdb_url),
            youtube_oembed_url: given.youtube_oembed_url.or(from_file.youtube_oembed_url),
            vimeo_oembed_url: given.vimeo_oembed_url.or(from_file.vimeo_oembed_url),
            log: given.log.or(from_file.log),
        })
    }

    fn check(given: Given) -> Result<Self, WrongSetting> {
        let addr = given.addr.as_deref().unwrap_or("127.0.0.1:3000");
        let data = given.data.unwrap_or_else(|| PathBuf::from("data"));
        let database_url = match given.database_url.filter(|url| !url.is_empty()) {
            Some(url) => check_database_url(url)?,
            None => sqlite_url(&data)?,
        };
        let usual = SourceSettings::default();
        Ok(Self {
            addr: addr
                .parse()
                .map_err(|_| wrong("ALCADA_ADDR", format!("`{addr}` is not an address and port")))?,
            database_url,
            data,
            public_url: given.public_url.filter(|url| !url.is_empty()).map(check_public_url).transpose()?,
            trusted_proxies: parse_networks(given.trusted_proxies.as_deref().unwrap_or_default())?,
            redis_url: given.redis_url.filter(|url| !url.is_empty()),
            master_key: given.master_key.filter(|key| !key.is_empty()),
            egress_allow: AllowList::parse(given.egress_allow.as_deref().unwrap_or_default())
                .map_err(|error| wrong("ALCADA_EGRESS_ALLOW", error.to_string()))?,
            extra_ca: given.extra_ca.filter(|path| !path.as_os_str().is_empty()),
            ceilings: Ceilings {
                concurrent_calls_per_tool: CALLS_PER_TOOL.read(given.max_calls_per_tool)?,
                concurrent_calls_per_tenant: CALLS_PER_TENANT.read(given.max_calls_per_tenant)?,
                code_time_ms: CODE_TIME_MS.read(given.max_code_time_ms)?,
                code_memory_mb: CODE_MEMORY_MB.read(given.max_code_memory_mb)?,
                code_output_bytes: CODE_OUTPUT_BYTES.read(given.max_code_output_bytes)?,
                code_fetches: CODE_FETCHES.read(given.max_code_fetches)?,
            },
            code_calls: CODE_CALLS.read(given.max_code_calls)? as usize,
            sources: SourceSettings {
                tmdb_key: given.tmdb_key.filter(|key| !key.is_empty()).map(check_tmdb_key).transpose()?,
                tmdb_url: source("ALCADA_TMDB_URL", given.tmdb_url, usual.tmdb_url)?,
                youtube_oembed_url: source(
                    "ALCADA_YOUTUBE_OEMBED_URL",
                    given.youtube_oembed_url,
                    usual.youtube_oembed_url,
                )?,
                vimeo_oembed_url: source(
                    "ALCADA_VIMEO_OEMBED_URL",
                    given.vimeo_oembed_url,
                    usual.vimeo_oembed_url,
                )?,
            },
            log: given.log.unwrap_or_else(|| "info".to_owned()),
        })
    }

    /// The key for secrets, the way out and the counters, as these settings say. Code tools run in a server only.
    pub fn outside(&self) -> Result<Outside, WrongSetting> {
        let key = match &self.master_key {
            Some(text) => MasterKey::parse(text),
            None => MasterKey::load_or_create(&self.data),
        };
        let key = key.map_err(|error| wrong("ALCADA_MASTER_KEY", error.to_string()))?;
        let authorities = self.extra_ca.as_deref().map(read_authorities).transpose()?;
        let limiter = self.limiter(authorities.as_ref())?;
        let egress = Egress::trusting(self.egress_allow.clone(), authorities.unwrap_or_default())
            .map_err(|error| wrong("ALCADA_EGRESS_ALLOW", error.to_string()))?;
        let sandbox = Err(Unsupported { reason: "only a server runs them".to_owned() });
        let (vault, ceilings) = (Vault::new(key, Vec::new()), self.ceilings);
        let sources = Sources::new(egress.clone(), self.sources.clone());
        Ok(Outside { vault, egress, limiter, ceilings, sources, sandbox })
    }

    fn limiter(&self, extra: Option<&Authorities>) -> Result<Limiter, WrongSetting> {
        let Some(url) = &self.redis_url else { return Ok(Limiter::in_process()) };
        let trusted = extra.map(Authorities::pem_with_native);
        Limiter::shared(url, trusted.as_deref().map(str::as_bytes))
            .map_err(|error| wrong("REDIS_URL", error.to_string()))
    }
}

fn read_authorities(path: &Path) -> Result<Authorities, WrongSetting> {
    let bad = |reason: String| wrong("ALCADA_EXTRA_CA", format!("{}: {reason}", path.display()));
    let text = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
    Authorities::from_pem(&text).map_err(|error| bad(error.to_string()))
}

/// A number that has to be within a range.
struct Number {
    setting: &'static str,
    range: RangeInclusive<u32>,
    usual: u32,
}

const fn number(setting: &'static str, range: RangeInclusive<u32>, usual: u32) -> Number {
    Number { setting, range, usual }
}

const CALLS_PER_TOOL: Number = number("ALCADA_MAX_CALLS_PER_TOOL", 1..=10_000, 256);
const CALLS_PER_TENANT: Number = number("ALCADA_MAX_CALLS_PER_TENANT", 1..=10_000, 512);
const CODE_TIME_MS: Number = number("ALCADA_MAX_CODE_TIME_MS", 100..=300_000, 60_000);
const CODE_MEMORY_MB: Number = number("ALCADA_MAX_CODE_MEMORY_MB", 8..=512, 256);
const CODE_OUTPUT_BYTES: Number = number("ALCADA_MAX_CODE_OUTPUT_BYTES", 1_024..=10_485_760, 10_485_760);
const CODE_FETCHES: Number = number("ALCADA_MAX_CODE_FETCHES", 0..=100, 100);
const CODE_CALLS: Number = number("ALCADA_MAX_CODE_CALLS", 1..=1_000, 16);

impl Number {
    fn read(&self, given: Option<Count>) -> Result<u32, WrongSetting> {
        let number = match given {
            None => Some(self.usual),
            Some(Count::Number(number)) => Some(number),
            Some(Count::Text(text)) => text.trim().parse().ok(),
        };
        let (least, most) = (self.range.start(), self.range.end());
        let outside = || wrong(self.setting, format!("it has to be a number from {least} to {most}"));
        number.filter(|number| self.range.contains(number)).ok_or_else(outside)
    }
}

fn read_file(path: &Path) -> Result<Given, WrongSetting> {
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text).map_err(|error| wrong("alcada.toml", one_line(&error.to_string()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Given::default()),
        Err(error) => Err(wrong("alcada.toml", error.to_string())),
    }
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn check_database_url(url: String) -> Result<String, WrongSetting> {
    let known = ["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| url.starts_with(scheme));
    // The address may hold a password: it is not repeated.
    if known {
        Ok(url)
    } else {
        Err(wrong("DATABASE_URL", "it begins with neither `sqlite:` nor `postgres:`"))
    }
}

fn sqlite_url(data: &Path) -> Result<String, WrongSetting> {
    let file = data.join("alcada.db");
    let path = file.to_str().ok_or_else(|| wrong("ALCADA_DATA", "the path is not UTF-8"))?;
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("sqlite://{escaped}"))
}

/// `https://host` or `http://host:port`, nothing behind it.
fn check_public_url(url: String) -> Result<String, WrongSetting> {
    let bad =
        || wrong("ALCADA_PUBLIC_URL", format!("`{url}` is not of the form https://host or http://host:port"));
    let parsed: ::http::Uri = url.parse().map_err(|_| bad())?;
    let scheme_is_web = matches!(parsed.scheme_str(), Some("http" | "https"));
    let bare = matches!(parsed.path(), "" | "/") && parsed.query().is_none();
    if !scheme_is_web || !bare || parsed.authority().is_none_or(|host| host.as_str().contains('@')) {
        return Err(bad());
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// An address of the web, with nothing behind a question mark.
fn source(setting: &'static str, given: Option<String>, usual: String) -> Result<String, WrongSetting> {
    let url = given.filter(|url| !url.is_empty()).unwrap_or(usual);
    let parsed: Option<::http::Uri> = url.parse().ok();
    let is_web = parsed.is_some_and(|url| {
        matches!(url.scheme_str(), Some("http" | "https"))
            && url.query().is_none()
            && url.authority().is_some()
    });
    if is_web {
        Ok(url)
    } else {
        Err(wrong(setting, format!("`{url}` is not an address such as https://host/path")))
    }
}

/// It is not repeated: it is a secret.
fn check_tmdb_key(key: String) -> Result<String, WrongSetting> {
    let is_key = key.len() <= 1_024 && key.bytes().all(|byte| byte.is_ascii_graphic());
    if is_key { Ok(key) } else { Err(wrong("ALCADA_TMDB_KEY", "it has characters that no key has")) }
}

fn parse_networks(list: &str) -> Result<Vec<IpNet>, WrongSetting> {
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let network = part.parse::<IpNet>().ok().or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from));
            network.ok_or_else(|| wrong("ALCADA_TRUSTED_PROXIES", format!("`{part}` is not a network")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: impl FnOnce(&mut Given)) -> Result<Settings, WrongSetting> {
        let mut given = Given::default();
        change(&mut given);
        Settings::check(given)
    }

    #[test]
    fn nothing_given_is_a_working_installation() {
        let settings = check(|_| ()).unwrap();
        assert_eq!(settings.addr.to_string(), "127.0.0.1:3000");
        assert_eq!(settings.database_url, "sqlite://data/alcada.db");
    }

    #[test]
    fn what_is_wrong_is_named_in_one_line() {
        let cases = [
            check(|g| g.addr = Some("nowhere".into())),
            check(|g| g.database_url = Some("mysql://x".into())),
            check(|g| g.public_url = Some("https://host/path".into())),
            check(|g| g.public_url = Some("ftp://host".into())),
            check(|g| g.trusted_proxies = Some("10.0.0.0/8, x".into())),
            check(|g| g.egress_allow = Some("10.0.0.0/8, ???".into())),
            check(|g| g.max_calls_per_tool = Some(Count::Number(0))),
            check(|g| g.max_calls_per_tenant = Some(Count::Text("many".into()))),
            check(|g| g.max_code_time_ms = Some(Count::Number(99))),
            check(|g| g.max_code_memory_mb = Some(Count::Number(513))),
            check(|g| g.max_code_output_bytes = Some(Count::Number(1_023))),
            check(|g| g.max_code_fetches = Some(Count::Number(101))),
            check(|g| g.max_code_calls = Some(Count::Text("0".into()))),
            check(|g| g.tmdb_url = Some("ftp://x".into())),
            check(|g| g.youtube_oembed_url = Some("x".into())),
            check(|g| g.vimeo_oembed_url = Some("https://x/?a=b".into())),
            check(|g| g.tmdb_key = Some("a\nb".into())),
        ];
        for case in cases {
            let line = case.err().unwrap().to_string();
            assert!(!line.contains('\n'), "{line}");
            assert!(line.starts_with("ALCADA_") || line.starts_with("DATABASE_URL"), "{line}");
        }
    }

    #[test]
    fn the_file_fills_what_is_not_given_and_refuses_what_it_does_not_know() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("alcada.toml");
        std::fs::write(&file, "addr = \"127.0.0.1:1\"\nlog = \"debug\"\nmax_calls_per_tool = 7\n").unwrap();
        let given = Given { addr: Some("127.0.0.1:2".into()), ..Given::default() };
        let settings = Settings::load(given, &file).unwrap();
        assert_eq!((settings.addr.port(), settings.log.as_str()), (2, "debug"));
        assert_eq!(settings.ceilings.concurrent_calls_per_tool, 7);
        std::fs::write(&file, "adr = \"x\"\n").unwrap();
        let line = Settings::load(Given::default(), &file).err().unwrap().to_string();
        assert!(line.contains("adr") && !line.contains('\n'), "{line}");
    }
}
