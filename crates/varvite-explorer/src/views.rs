//! [`Views`]: documents for frames, each behind an address that nobody can guess and that works once.
//!
//! A frame cannot send the header with the token. So the page asks a question, and gets the address of the
//! document. The document has a policy of its own: its frame has no origin, so it can neither ask this server
//! nor read the page.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderName;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};
use axum::response::{IntoResponse, Response};

use crate::secret::Secret;

/// The most documents that wait for their frames. A new one replaces the oldest.
const VIEWS_MAX: usize = 4;
/// The time after which a document is gone.
const AGE_MAX: Duration = Duration::from_secs(60);
/// The bytes of an address, and of the number that marks the script of a document.
const ID_BYTES: usize = 32;
const NONCE_BYTES: usize = 16;
/// The script of a document begins thus. Texts of graphs are escaped, so there is no other.
const SCRIPT: &str = "<script>";

/// Documents that wait for their frames.
#[derive(Debug, Default)]
pub(crate) struct Views {
    waiting: Mutex<VecDeque<View>>,
}

#[derive(Debug)]
struct View {
    id: Secret,
    made: Instant,
    document: String,
}

impl Views {
    /// Keeps an HTML document, and returns the last part of its address.
    pub(crate) fn keep(&self, document: String) -> Result<String, getrandom::Error> {
        let id = Secret::new::<ID_BYTES>()?;
        let digits = id.digits().to_owned();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|view| view.made.elapsed() < AGE_MAX);
        if waiting.len() == VIEWS_MAX {
            waiting.pop_front();
        }
        waiting.push_back(View { id, made: Instant::now(), document });
        Ok(digits)
    }

    /// Takes the document of an address.
    fn take(&self, id: &str) -> Option<String> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|view| view.made.elapsed() < AGE_MAX);
        let place = waiting.iter().position(|view| view.id.is(id))?;
        waiting.remove(place).map(|view| view.document)
    }

    /// The answer for the frame; `None` if there is no such document.
    pub(crate) fn show(&self, id: &str) -> Option<Response> {
        let nonce = Secret::new::<NONCE_BYTES>().ok()?;
        let document = self.take(id)?;
        let marked = format!("<script nonce=\"{}\">", nonce.digits());
        let policy = format!(
            "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
            nonce.digits()
        );
        let headers: [(HeaderName, String); 3] = [
            (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
            (CONTENT_SECURITY_POLICY, policy),
            (X_FRAME_OPTIONS, "SAMEORIGIN".to_owned()),
        ];
        Some((headers, document.replacen(SCRIPT, &marked, 1)).into_response())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_shown_once_and_its_script_alone_may_run() {
        let views = Views::default();
        let id = views.keep("<p>x</p><script>1</script>".to_owned()).unwrap();
        assert!(views.show("").is_none() && views.show(&id[1..]).is_none());
        let shown = views.show(&id).unwrap();
        let policy = shown.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(
            policy.starts_with("sandbox allow-scripts; default-src 'none'; script-src 'nonce-"),
            "{policy}"
        );
        assert!(views.show(&id).is_none());
    }

    #[test]
    fn the_oldest_document_makes_room() {
        let views = Views::default();
        let ids: Vec<String> = (0..=VIEWS_MAX).map(|_| views.keep(String::new()).unwrap()).collect();
        assert!(views.show(&ids[0]).is_none() && views.show(&ids[1]).is_some());
    }
}
