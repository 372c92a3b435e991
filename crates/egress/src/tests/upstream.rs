//! A server that misbehaves on request, and counts.

use super::LOCAL;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ClientConfig, RootCertStore, ServerConfig, crypto::ring};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
    sync::watch,
};
use tokio_rustls::TlsAcceptor;

pub enum Reply {
    Send(Vec<u8>),
    /// Sends this and closes the connection.
    Close(Vec<u8>),
    /// Never answers.
    Hang,
    /// A byte at a time, without end.
    Drip,
    /// As fast as it goes, without end.
    Flood,
}

impl Reply {
    pub fn ok(body: &str) -> Self {
        Self::status("200 OK", body)
    }

    pub fn status(status: &str, body: &str) -> Self {
        Self::Send(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes())
    }
}

type Script = dyn Fn(usize) -> Reply + Send + Sync;

pub struct Upstream {
    pub port: u16,
    counts: Arc<Counts>,
    closed: watch::Receiver<usize>,
}

#[derive(Default)]
struct Counts {
    connections: AtomicUsize,
    requests: AtomicUsize,
    sent: AtomicUsize,
    heard: std::sync::Mutex<Vec<String>>,
}

impl Upstream {
    /// The script is asked with the number of the request, from 0.
    pub async fn start(script: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::serve(Arc::new(script), None).await
    }

    /// With a certificate for `name`, and what a client needs to trust it.
    pub async fn start_tls(
        name: &str,
        script: impl Fn(usize) -> Reply + Send + Sync + 'static,
    ) -> (Self, ClientConfig) {
        let (server, client) = certificate(name);
        (Self::serve(Arc::new(script), Some(TlsAcceptor::from(Arc::new(server)))).await, client)
    }

    async fn serve(script: Arc<Script>, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind((LOCAL, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let counts = Arc::new(Counts::default());
        let (ended, closed) = watch::channel(0);
        let upstream = Self { port, counts: Arc::clone(&counts), closed };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counts.connections.fetch_add(1, Ordering::SeqCst);
                let (script, counts, ended, tls) =
                    (Arc::clone(&script), Arc::clone(&counts), ended.clone(), tls.clone());
                tokio::spawn(async move {
                    let _ = match tls {
                        Some(tls) => match tls.accept(stream).await {
                            Ok(stream) => converse(stream, &*script, &counts).await,
                            Err(error) => Err(error),
                        },
                        None => converse(stream, &*script, &counts).await,
                    };
                    ended.send_modify(|ended| *ended += 1);
                });
            }
        });
        upstream
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    pub fn connections(&self) -> usize {
        self.counts.connections.load(Ordering::SeqCst)
    }

    pub fn requests(&self) -> usize {
        self.counts.requests.load(Ordering::SeqCst)
    }

    /// Bytes of endless bodies.
    pub fn sent(&self) -> usize {
        self.counts.sent.load(Ordering::SeqCst)
    }

    /// What was said to it, one text for each request.
    pub fn heard(&self) -> Vec<String> {
        self.counts.heard.lock().unwrap().clone()
    }

    /// Returns when that many requests have arrived.
    pub async fn wait_for_requests(&self, count: usize) {
        while self.requests() < count {
            tokio::task::yield_now().await;
        }
    }

    /// Returns when the client has closed that many connections.
    pub async fn wait_for_closed(&self, count: usize) {
        let mut closed = self.closed.clone();
        let wait = closed.wait_for(|closed| *closed >= count);
        tokio::time::timeout(Duration::from_secs(10), wait).await.unwrap().unwrap();
    }
}

async fn converse<S>(mut stream: S, script: &Script, counts: &Counts) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        let request = read_request(&mut stream).await?;
        counts.heard.lock().unwrap().push(request);
        match script(counts.requests.fetch_add(1, Ordering::SeqCst)) {
            Reply::Send(bytes) => stream.write_all(&bytes).await?,
            Reply::Close(bytes) => {
                stream.write_all(&bytes).await?;
                return stream.shutdown().await;
            }
            Reply::Hang => {
                stream.read_u8().await?;
            }
            Reply::Drip => pour(&mut stream, counts, b"a", Duration::from_millis(5)).await?,
            Reply::Flood => pour(&mut stream, counts, &[b'a'; 16 * 1024], Duration::ZERO).await?,
        }
    }
}

async fn pour<S: AsyncWrite + Unpin>(
    stream: &mut S,
    counts: &Counts,
    piece: &[u8],
    pause: Duration,
) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n").await?;
    loop {
        stream.write_all(piece).await?;
        stream.flush().await?;
        counts.sent.fetch_add(piece.len(), Ordering::SeqCst);
        tokio::time::sleep(pause).await;
    }
}

async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<String> {
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n") {
        text.push(char::from(stream.read_u8().await?));
    }
    let length = text
        .to_lowercase()
        .split("content-length: ")
        .nth(1)
        .map_or(0, |rest| rest.split("\r\n").next().unwrap().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(text + &String::from_utf8_lossy(&body))
}

fn certificate(name: &str) -> (ServerConfig, ClientConfig) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = signing_key.serialize_der().try_into().unwrap();
    let server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    (server, crate::tls::with_roots(roots).unwrap())
}
