//! G11: who may not see a page gets a redirect and not one byte of it. Runs before anything renders.

use crate::{http::Problem, wiring::Services};
use app::{
    request::Visitor,
    route::{self, Access, Admission, Page},
};
use axum::response::{IntoResponse, Response};
use domain::ServiceResult;
use http::{HeaderValue, StatusCode, Uri, header};

/// What the visitor gets instead of the page, if they may not see it.
pub async fn guard_page(services: &Services, visitor: &Visitor, uri: &Uri) -> Option<Response> {
    if !is_page(uri) {
        return None;
    }
    match elsewhere(services, visitor, uri).await {
        Ok(None) => None,
        Ok(Some((path, page))) => Some(redirect(&path, page.and_then(|page| lacked(services, page)))),
        Err(error) => Some(Problem::from(error).into_response()),
    }
}

fn is_page(uri: &Uri) -> bool {
    let path = uri.path();
    let is_door = ["/api", "/fn", "/events"]
        .iter()
        .any(|door| path.strip_prefix(door).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    !is_door
}

/// An address, and the page that is not for somebody who is signed in.
type Elsewhere = Option<(String, Option<&'static Page>)>;

/// Where the visitor has to go instead, if anywhere.
async fn elsewhere(services: &Services, visitor: &Visitor, uri: &Uri) -> ServiceResult<Elsewhere> {
    let page = route::find(uri.path());
    let is_setup = page.is_some_and(|page| page.access == Access::SetupOnly);
    if visitor.me.is_none() && services.accounts.needs_setup().await? {
        return Ok((!is_setup).then(|| ("/setup".to_owned(), None)));
    }
    if is_setup {
        return Ok(Some(("/".to_owned(), None)));
    }
    Ok(page.and_then(|page| admission(page, visitor, uri)))
}

fn admission(page: &'static Page, visitor: &Visitor, uri: &Uri) -> Elsewhere {
    let is_signed_in = visitor.me.is_some();
    match page.admit(is_signed_in, &visitor.ability()) {
        Admission::Enter if is_signed_in && page.path == "/login" => Some(("/".to_owned(), None)),
        Admission::Enter => None,
        Admission::SignIn => Some((login_with_next(uri), None)),
        Admission::GoHome => Some(("/".to_owned(), Some(page))),
    }
}

fn login_with_next(uri: &Uri) -> String {
    let wanted = uri.path_and_query().map_or("/", |wanted| wanted.as_str());
    if wanted == "/" {
        return "/login".to_owned();
    }
    let escaped: String = wanted
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect();
    format!("/login?next={escaped}")
}

/// The page that comes instead says why.
fn lacked(services: &Services, page: &Page) -> Option<HeaderValue> {
    let Access::Right(action, subject) = page.access else { return None };
    app::request::no_access_cookie(action, subject, services.site.is_https())
}

fn redirect(path: &str, cookie: Option<HeaderValue>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
        .headers_mut()
        .insert(header::LOCATION, HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static("/")));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_are_not_pages() {
        for path in ["/api", "/api/admin/tools", "/fn/sign_in", "/events"] {
            assert!(!is_page(&path.parse().unwrap()), "{path}");
        }
        for path in ["/", "/admin/tools", "/apicultura", "/fnord", "/eventsx"] {
            assert!(is_page(&path.parse().unwrap()), "{path}");
        }
    }

    #[test]
    fn signing_in_leads_back_to_the_page() {
        let uri = "/admin/tools?q=a&b=%20".parse().unwrap();
        assert_eq!(login_with_next(&uri), "/login?next=/admin/tools%3Fq%3Da%26b%3D%2520");
        assert_eq!(login_with_next(&"/".parse().unwrap()), "/login");
    }
}
