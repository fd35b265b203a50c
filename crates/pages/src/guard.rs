use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST,
    HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::connections::NoRoom;
use crate::pages::{API, PLAY, Pages};

/// The content security policy: run our scripts and send requests to us. Pictures of a board are made in the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How browsers name the site of the page that sends a request.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Maximum length of a request to act.
pub(crate) const ACT_MAX: usize = 1 << 10;

/// Lets through requests that our pages can send, and sets the security headers of the response.
pub(crate) async fn guard<P: Pages>(
    State((address, pages)): State<(SocketAddr, Arc<P>)>,
    request: Request,
    next: Next,
) -> Response {
    let no_room = |NoRoom(why): &NoRoom| (StatusCode::SERVICE_UNAVAILABLE, why.clone());
    let refused = refusal(address, &*pages, request.method(), request.uri(), request.headers())
        .or_else(|| request.extensions().get().map(no_room));
    let host = request.headers().get(HOST).map_or(&[][..], HeaderValue::as_bytes);
    let is_local = ["127.", "localhost", "[::1]"].iter().any(|name| host.starts_with(name.as_bytes()));
    let path = request.uri().path().to_owned();
    let mut response = match refused {
        Some((status, why)) => {
            let mut response = (status, format!("{why}\n")).into_response();
            if status == StatusCode::METHOD_NOT_ALLOWED {
                let allowed = if is_upload(pages.uploads(), &path) { "POST" } else { "GET, HEAD" };
                response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
            }
            if status == StatusCode::SERVICE_UNAVAILABLE {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            response
        }
        None => next.run(request).await,
    };
    let told = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    // On other addresses, browsers ignore it and complain on each page.
    let opener = is_local.then_some((HeaderName::from_static("cross-origin-opener-policy"), "same-origin"));
    for (name, value) in told.into_iter().chain(opener) {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns whether a path takes uploads, or is below one that does.
fn is_upload(uploads: &[&str], path: &str) -> bool {
    let mut rests = uploads.iter().filter_map(|uploads| path.strip_prefix(uploads));
    rests.any(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn refusal(
    address: SocketAddr,
    pages: &impl Pages,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<(StatusCode, String)> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).filter(|_| hosts.next().is_none());
    let is_called = |host: &str| host.parse::<Authority>().is_ok_and(|host| pages.is_called(host.host()));
    let Some(host) = host.filter(|host| is_ours(address, host) || is_called(host)) else {
        // A foreign page whose name was made to resolve to this address sends its own name.
        let wanted = if address.ip().is_unspecified() {
            let port = address.port();
            format!("ask for this server by its machine's address, such as http://192.0.2.1:{port}/, not by a name")
        } else {
            format!("ask for this server by its address, not by a name: http://{address}/")
        };
        return Some((StatusCode::MISDIRECTED_REQUEST, wanted));
    };
    let path = uri.path();
    if path.contains(['%', '\\']) || path.contains("//") || path.contains("/.") {
        return Some((StatusCode::NOT_FOUND, "there is no such page".to_owned()));
    }
    let uploads = pages.uploads();
    if is_upload(uploads, path) {
        if method != Method::POST {
            return Some((StatusCode::METHOD_NOT_ALLOWED, format!("hand in with POST to {path}")));
        }
        // A foreign page cannot send Authorization without a preflight request, which gets no answer here.
        let is_program = headers.contains_key(AUTHORIZATION);
        let is_page = headers.contains_key(SEC_FETCH_SITE) || headers.contains_key(ORIGIN);
        return if is_page { foreign(host, headers) } else { (!is_program).then(without_token) };
    }
    // Whoever shows a token has something to hand in.
    let is_lost = !uploads.is_empty() && headers.contains_key(AUTHORIZATION);
    if method == Method::POST && !is_lost && (path.starts_with(PLAY) || path.starts_with(API)) {
        return unwanted(host, headers);
    }
    if method != Method::GET && method != Method::HEAD {
        let advice = uploads.first().map_or_else(String::new, |path| format!("; hand in with POST to {path}"));
        return Some((StatusCode::METHOD_NOT_ALLOWED, format!("only GET and HEAD{advice}")));
    }
    let has_body =
        headers.get(CONTENT_LENGTH).is_some_and(|length| length != "0") || headers.contains_key(TRANSFER_ENCODING);
    if has_body {
        return Some((StatusCode::PAYLOAD_TOO_LARGE, "a GET request must not have a body".to_owned()));
    }
    None
}

/// Refuses a request to act that is not from one of our pages, not JSON, or too long.
///
/// A foreign page cannot send JSON without a preflight request, which gets no answer here, and cannot hide its origin.
/// Behind a proxy the origin differs from the Host; then Sec-Fetch-Site counts, which browsers only send to pages that
/// came by HTTPS or from this machine.
fn unwanted(host: &str, headers: &HeaderMap) -> Option<(StatusCode, String)> {
    if let Some(refused) = foreign(host, headers) {
        return Some(refused);
    }
    if only(headers, CONTENT_TYPE) != Some("application/json") {
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "use application/json".to_owned()));
    }
    let Some(length) = only(headers, CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok()) else {
        return Some((StatusCode::LENGTH_REQUIRED, "Content-Length is missing".to_owned()));
    };
    let is_long = length > ACT_MAX || headers.contains_key(TRANSFER_ENCODING);
    is_long.then(|| (StatusCode::PAYLOAD_TOO_LARGE, format!("the body may have at most {ACT_MAX} bytes")))
}

/// Refuses a request that is not from one of our pages.
fn foreign(host: &str, headers: &HeaderMap) -> Option<(StatusCode, String)> {
    let is_own = match headers.get(SEC_FETCH_SITE) {
        Some(site) => site == "same-origin",
        None => only(headers, ORIGIN).is_some_and(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}"))),
    };
    let wanted = "this request must come from this server's own page; behind a proxy, use https";
    (!is_own).then(|| (StatusCode::FORBIDDEN, wanted.to_owned()))
}

fn without_token() -> (StatusCode, String) {
    (StatusCode::UNAUTHORIZED, "show your token: curl -H 'Authorization: Bearer TOKEN'".to_owned())
}

/// Returns a header that there is once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().and_then(|value| value.to_str().ok());
    value.filter(|_| values.next().is_none())
}

/// Returns whether a Host header names our address, or any of this machine's if we listen on all of them.
fn is_ours(address: SocketAddr, host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    if host.contains('@') || authority.port_u16().unwrap_or(80) != address.port() {
        return false;
    }
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    match name.parse::<IpAddr>() {
        Ok(named) => named == address.ip() || address.ip().is_unspecified(),
        Err(_) => {
            name.eq_ignore_ascii_case("localhost") && (address.ip().is_loopback() || address.ip().is_unspecified())
        }
    }
}
