//! TMDB, YouTube, Vimeo and a few pages of the web, on loopback, with the shapes that they really have.

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use items::sources::SourceSettings;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use tokio::{net::TcpListener, sync::watch};

pub const KEY: &str = "0123456789abcdef0123456789abcdef";

/// How TMDB answers next, instead of the usual.
#[derive(Clone, Debug, Default)]
pub struct Mood {
    pub status: Option<u16>,
    pub retry_after: Option<&'static str>,
    pub html: bool,
}

#[derive(Clone)]
pub struct Web {
    pub url: String,
    mood: Arc<Mutex<Mood>>,
    asked: Arc<Mutex<Vec<String>>>,
    /// True: questions are heard, and answered later.
    is_held: watch::Sender<bool>,
}

impl Web {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let web =
            Self { url, mood: Arc::default(), asked: Arc::default(), is_held: watch::Sender::new(false) };
        let router = Router::new()
            .route("/3/search/{kind}", get(search))
            .route("/3/{kind}/{id}", get(details))
            .route("/youtube/oembed", get(youtube))
            .route("/vimeo/oembed.json", get(vimeo))
            .route("/pao", get(page))
            .route("/leva", get(|| async { (StatusCode::FOUND, [(header::LOCATION, "/pao")]) }))
            .route(
                "/dentro",
                get(|| async { (StatusCode::FOUND, [(header::LOCATION, "http://169.254.169.254/latest")]) }),
            )
            .route("/foto", get(|| async { ([(header::CONTENT_TYPE, "image/png")], "png") }))
            .route("/enorme", get(huge))
            .route("/sem-fim", get(endless))
            .route("/a-conta-gotas", get(trickling))
            .with_state(web.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        web
    }

    pub fn sources(&self) -> SourceSettings {
        SourceSettings {
            tmdb_url: format!("{}/3", self.url),
            tmdb_key: Some(KEY.to_owned()),
            youtube_oembed_url: format!("{}/youtube/oembed", self.url),
            vimeo_oembed_url: format!("{}/vimeo/oembed.json", self.url),
        }
    }

    pub fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub fn hold(&self, is_held: bool) {
        self.is_held.send_replace(is_held);
    }

    async fn answer(&self, question: String, usual: impl FnOnce() -> Value) -> Response {
        self.asked.lock().unwrap().push(question);
        self.is_held.subscribe().wait_for(|is_held| !is_held).await.unwrap();
        let mood = self.mood.lock().unwrap().clone();
        if mood.html {
            return Html("<!doctype html><title>502</title>").into_response();
        }
        let Some(status) = mood.status else { return Json(usual()).into_response() };
        let body = json!({ "success": false, "status_code": 7, "status_message": "No." });
        let mut answer = (StatusCode::from_u16(status).unwrap(), Json(body)).into_response();
        if let Some(wait) = mood.retry_after {
            answer.headers_mut().insert(header::RETRY_AFTER, wait.parse().unwrap());
        }
        answer
    }
}

fn matrix() -> Value {
    json!({
        "adult": false, "id": 603, "title": "Matrix", "original_title": "The Matrix", "release_date": "1999-03-31",
        "overview": "Um jovem programador descobre a verdade.", "poster_path": "/p96.jpg", "vote_average": 8.2,
        "genre_ids": [28, 878], "popularity": 83.1, "video": false
    })
}

fn film(id: i64, title: &str, year: &str) -> Value {
    json!({ "id": id, "title": title, "original_title": title, "release_date": format!("{year}-01-01"), "overview": "" })
}

type Asked = Query<HashMap<String, String>>;

async fn search(State(web): State<Web>, Path(kind): Path<String>, Query(asked): Asked) -> Response {
    let query = asked.get("query").cloned().unwrap_or_default();
    let by_year = asked.contains_key("year") || asked.contains_key("first_air_date_year");
    assert_eq!(asked.get("api_key").map(String::as_str), Some(KEY));
    web.answer(format!("search/{kind} {query}"), || {
        let found = match (kind.as_str(), query.to_lowercase().as_str()) {
            ("movie", "matrix") if by_year => vec![matrix()],
            ("movie", "matrix") => vec![matrix(), film(604, "Matrix Reloaded", "2003"), film(605, "Matrix Revolutions", "2003")],
            ("movie", "the matrix") => vec![matrix()],
            ("tv", "dark") => vec![json!({
                "id": 70523, "name": "Dark", "original_name": "Dark", "first_air_date": "2017-12-01", "overview": "Winden."
            })],
            _ => Vec::new(),
        };
        json!({ "page": 1, "total_pages": 1, "total_results": found.len(), "results": found })
    })
    .await
}

async fn details(State(web): State<Web>, Path((kind, id)): Path<(String, i64)>) -> Response {
    web.answer(format!("{kind}/{id}"), || match id {
        603 => matrix(),
        other => film(other, "Matrix Reloaded", "2003"),
    })
    .await
}

async fn youtube(State(web): State<Web>, Query(asked): Asked) -> Response {
    let url = asked.get("url").cloned().unwrap_or_default();
    if url.contains("private") {
        return (StatusCode::UNAUTHORIZED, "Unauthorized").into_response();
    }
    web.answer(format!("youtube {url}"), || {
        json!({
            "title": "Rick Astley - Never Gonna Give You Up", "author_name": "Rick Astley", "type": "video",
            "author_url": "https://www.youtube.com/@RickAstleyYT", "height": 113, "width": 200, "version": "1.0",
            "provider_name": "YouTube", "provider_url": "https://www.youtube.com/",
            "thumbnail_url": "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg", "html": "<iframe></iframe>"
        })
    })
    .await
}

async fn vimeo(State(web): State<Web>, Query(asked): Asked) -> Response {
    web.answer(format!("vimeo {}", asked.get("url").cloned().unwrap_or_default()), || {
        json!({ "type": "video", "title": "The New Vimeo Player", "author_name": "Vimeo", "provider_name": "Vimeo" })
    })
    .await
}

async fn page() -> Html<&'static str> {
    Html(
        "<html><head><title>P&atilde;o</title><meta property=\"og:title\" content=\"Receita de p&atilde;o\">\
          <meta property='og:description' content='Farinha, água e paciência'>\
          <meta property=\"og:site_name\" content=\"Padaria\"><meta property=\"og:image\" content=\"/pao.jpg\"></head>",
    )
}

fn flood(times: Option<usize>) -> Response {
    let first = Bytes::from_static(b"<html><head><title>Enorme</title></head><body>");
    let chunk = Bytes::from(vec![b'x'; 64 * 1024]);
    let rest = std::iter::repeat_n(chunk, times.unwrap_or(usize::MAX));
    let chunks = std::iter::once(first).chain(rest).map(Ok::<_, std::io::Error>);
    let body = Body::from_stream(futures::stream::iter(chunks));
    ([(header::CONTENT_TYPE, "text/html")], body).into_response()
}

/// A gibibyte.
async fn huge() -> Response {
    flood(Some(16 * 1024))
}

async fn endless() -> Response {
    flood(None)
}

/// A little now and then, for ever.
async fn trickling() -> Response {
    let drops = futures::stream::unfold((), |()| async {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b"<p>")), ()))
    });
    ([(header::CONTENT_TYPE, "text/html")], Body::from_stream(drops)).into_response()
}
