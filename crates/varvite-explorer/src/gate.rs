//! [`Gate`]: turns away requests that a page of another site may have sent, and adds the headers that protect
//! our own page.
//!
//! Any site that a browser shows can send requests to the loopback interface. Two checks keep strangers out:
//! the Host must be one of our names, so that a name of another site that leads to 127.0.0.1 (DNS rebinding)
//! is refused; and a request that names its Origin, or says that it comes from another site, must come from
//! us. Both are lists of what is allowed. There are no headers that allow other sites to read answers (CORS).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::fault::{Fault, Result};

/// The policy of the page: scripts, styles and answers come from this server alone, and no text becomes code.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The headers of each answer that has no other ones of these names.
const HEADERS: [(HeaderName, &str); 8] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (X_FRAME_OPTIONS, "DENY"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Says how the request and the page that sent it are related. Only browsers send it.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The port that an address without a port means.
const HTTP_PORT: u16 = 80;

/// The names under which the server may be asked.
#[derive(Debug)]
pub(crate) struct Gate {
    hosts: Vec<String>,
}

impl Gate {
    /// The gate of a server on this port.
    pub(crate) fn of(port: u16) -> Self {
        const NAMES: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];
        let mut hosts: Vec<String> = NAMES.iter().map(|name| format!("{name}:{port}")).collect();
        // Browsers leave out the port of HTTP.
        if port == HTTP_PORT {
            hosts.extend(NAMES.map(str::to_owned));
        }
        Self { hosts }
    }

    fn is_ours(&self, host: &str) -> bool {
        self.hosts.iter().any(|ours| ours == host)
    }

    /// Refuses a request that is not for this server, or that another site has sent.
    fn check(&self, request: &Request) -> Result<()> {
        let headers = request.headers();
        if !only(headers, HOST.as_str()).is_some_and(|host| self.is_ours(host)) {
            return Err(stranger("the Host is not one of this server: open the link that it printed"));
        }
        if request.uri().authority().is_some_and(|host| !self.is_ours(host.as_str())) {
            return Err(stranger("the request is for another server"));
        }
        let is_our_origin =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_ours(host));
        if headers.contains_key(ORIGIN) && !only(headers, ORIGIN.as_str()).is_some_and(is_our_origin) {
            return Err(stranger("the request comes from another site"));
        }
        let is_our_site = |site: &str| matches!(site, "same-origin" | "none");
        if headers.contains_key(SEC_FETCH_SITE) && !only(headers, SEC_FETCH_SITE).is_some_and(is_our_site) {
            return Err(stranger("the request comes from another site"));
        }
        Ok(())
    }
}

/// The value of a header that the request has exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn stranger(message: &str) -> Fault {
    Fault::new(StatusCode::FORBIDDEN, "stranger", message)
}

/// Checks a request before any route sees it, and adds the headers to its answer.
pub(crate) async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match gate.check(&request) {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_of_http_may_be_left_out_and_no_other() {
        assert!(Gate::of(80).is_ours("127.0.0.1") && Gate::of(80).is_ours("localhost:80"));
        assert!(!Gate::of(8080).is_ours("127.0.0.1") && !Gate::of(80).is_ours("evil.example"));
    }
}
