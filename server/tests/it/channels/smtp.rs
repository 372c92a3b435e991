//! A mail server on loopback that remembers what it was given, in clear or over TLS.

use super::authority::Certified;
use std::sync::{Arc, Mutex};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    pub data: String,
    /// What came with AUTH, as it came.
    pub auth: Option<String>,
    pub is_encrypted: bool,
}

/// How the server wants to be spoken to.
#[derive(Clone)]
enum Protection {
    None,
    StartTls(TlsAcceptor),
    Tls(TlsAcceptor),
}

#[derive(Clone)]
pub struct MailServer {
    pub port: u16,
    protection: Protection,
    refusal: Option<&'static str>,
    /// Takes the mail, and goes away without a word.
    hangs_up: bool,
    received: Arc<Mutex<Vec<Received>>>,
    words: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    /// `refusal` is the answer to every recipient, instead of a yes.
    pub async fn start(refusal: Option<&'static str>) -> Self {
        Self::listen(Protection::None, refusal, false).await
    }

    /// Takes every mail and goes away without a word.
    pub async fn hanging_up() -> Self {
        Self::listen(Protection::None, None, true).await
    }

    /// Begins in clear, and offers TLS with that certificate.
    pub async fn with_starttls(certified: &Certified) -> Self {
        Self::listen(Protection::StartTls(certified.acceptor()), None, false).await
    }

    /// TLS from the first byte.
    pub async fn with_tls(certified: &Certified) -> Self {
        Self::listen(Protection::Tls(certified.acceptor()), None, false).await
    }

    async fn listen(protection: Protection, refusal: Option<&'static str>, hangs_up: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (received, words) = (Arc::default(), Arc::default());
        let server = Self { port, protection, refusal, hangs_up, received, words };
        let this = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(this.clone().serve(stream));
            }
        });
        server
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The commands that were understood, but for the goodbyes.
    pub fn words(&self) -> Vec<String> {
        self.words.lock().unwrap().clone()
    }

    async fn serve(self, stream: TcpStream) -> Option<()> {
        match &self.protection {
            Protection::None => drop(self.converse(stream, Greeting::InClear).await),
            Protection::Tls(acceptor) => {
                drop(self.converse(acceptor.accept(stream).await.ok()?, Greeting::Encrypted).await);
            }
            Protection::StartTls(acceptor) => {
                let stream = self.converse(stream, Greeting::OffersTls).await?;
                drop(self.converse(acceptor.accept(stream).await.ok()?, Greeting::AgainEncrypted).await);
            }
        }
        Some(())
    }

    /// Gives the connection back when the other side wants TLS on it.
    async fn converse<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S, greeting: Greeting) -> Option<S> {
        let mut stream = BufReader::new(stream);
        let is_encrypted = matches!(greeting, Greeting::Encrypted | Greeting::AgainEncrypted);
        let mut mail = Received { is_encrypted, ..Received::default() };
        if greeting != Greeting::AgainEncrypted {
            stream.write_all(b"220 fake ESMTP\r\n").await.ok()?;
        }
        while let Some(line) = line(&mut stream).await {
            let word = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
            if ["EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA"].contains(&word.as_str()) {
                self.words.lock().unwrap().push(word.clone());
            }
            let answer = match word.as_str() {
                "EHLO" if greeting == Greeting::OffersTls => "250-fake\r\n250 STARTTLS\r\n",
                "EHLO" => "250-fake\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n",
                "STARTTLS" if greeting == Greeting::OffersTls => {
                    stream.write_all(b"220 go ahead\r\n").await.ok()?;
                    return Some(stream.into_inner());
                }
                "AUTH" => {
                    mail.auth = Some(line);
                    "235 welcome\r\n"
                }
                "MAIL" => {
                    mail.from = line;
                    "250 ok\r\n"
                }
                "RCPT" => {
                    mail.to.push(line);
                    self.refusal.unwrap_or("250 ok\r\n")
                }
                "DATA" => {
                    stream.write_all(b"354 go on\r\n").await.ok()?;
                    stream.flush().await.ok()?;
                    mail.data = data(&mut stream).await;
                    let next = Received { is_encrypted, ..Received::default() };
                    self.received.lock().unwrap().push(std::mem::replace(&mut mail, next));
                    if self.hangs_up {
                        return None;
                    }
                    "250 queued\r\n"
                }
                "QUIT" => "221 bye\r\n",
                _ => "500 what?\r\n",
            };
            stream.write_all(answer.as_bytes()).await.ok()?;
            stream.flush().await.ok()?;
        }
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Greeting {
    InClear,
    OffersTls,
    Encrypted,
    /// After STARTTLS there is no second greeting.
    AgainEncrypted,
}

async fn line(stream: &mut (impl AsyncBufReadExt + Unpin)) -> Option<String> {
    let mut line = String::new();
    let read = stream.read_line(&mut line).await.ok()?;
    (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

async fn data(stream: &mut (impl AsyncBufReadExt + Unpin)) -> String {
    let mut data = String::new();
    while let Some(line) = line(stream).await.filter(|line| line != ".") {
        data.push_str(&line);
        data.push('\n');
    }
    data
}
