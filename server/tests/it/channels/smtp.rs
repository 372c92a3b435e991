//! A mail server on loopback, without TLS, that remembers what it was given.

use std::sync::{Arc, Mutex};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    pub data: String,
    /// What came with AUTH, as it came.
    pub auth: Option<String>,
}

#[derive(Clone)]
pub struct MailServer {
    pub port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    words: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    /// `refusal` is the answer to every recipient, instead of a yes.
    pub async fn start(refusal: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            received: Arc::default(),
            words: Arc::default(),
        };
        let this = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, this.clone(), refusal));
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
}

async fn converse(stream: TcpStream, server: MailServer, refusal: Option<&'static str>) -> Option<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut mail = Received::default();
    write.write_all(b"220 fake ESMTP\r\n").await.ok()?;
    while let Some(line) = lines.next_line().await.ok()? {
        let word = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        if ["EHLO", "AUTH", "MAIL", "RCPT", "DATA"].contains(&word.as_str()) {
            server.words.lock().unwrap().push(word.clone());
        }
        let answer = match word.as_str() {
            "EHLO" => "250-fake\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n",
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
                refusal.unwrap_or("250 ok\r\n")
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.ok()?;
                while let Some(line) = lines.next_line().await.ok()?.filter(|line| line != ".") {
                    mail.data.push_str(&line);
                    mail.data.push('\n');
                }
                server.received.lock().unwrap().push(std::mem::take(&mut mail));
                "250 queued\r\n"
            }
            "QUIT" => "221 bye\r\n",
            _ => "500 what?\r\n",
        };
        write.write_all(answer.as_bytes()).await.ok()?;
    }
    Some(())
}
