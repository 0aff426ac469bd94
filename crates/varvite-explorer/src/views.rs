//! [`Views`]: documents for frames, each behind an address that nobody can guess and that works once.
//!
//! A frame cannot send the header with the token. So the page asks a question, and gets the address of the
//! document. The document has a policy of its own: its frame has no origin, so it can neither ask this server
//! nor read the page.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderName;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};
use axum::response::{IntoResponse, Response};

use crate::secret::Secret;

/// The most documents that wait for their frames, and the most bytes of all of them. A new one replaces the
/// oldest ones.
const VIEWS_MAX: usize = 16;
const BYTES_MAX: usize = 64 << 20;
/// The time after which a document is gone.
pub(crate) const AGE_MAX: Duration = Duration::from_secs(60);
/// The bytes of an address, and of the number that marks the script of a document.
const ID_BYTES: usize = 32;
const NONCE_BYTES: usize = 16;
/// The script of a document begins thus. Texts of graphs are escaped, so there is no other.
const SCRIPT: &[u8] = b"<script>";

/// Documents that wait for their frames.
#[derive(Debug, Default)]
pub(crate) struct Views {
    waiting: Mutex<VecDeque<View>>,
}

#[derive(Debug)]
struct View {
    id: Secret,
    made: Instant,
    nonce: Secret,
    document: Vec<u8>,
}

impl Views {
    /// Keeps an HTML document, and returns the last part of its address.
    pub(crate) fn keep(&self, mut document: Vec<u8>) -> Result<String, getrandom::Error> {
        let (id, nonce) = (Secret::new::<ID_BYTES>()?, Secret::new::<NONCE_BYTES>()?);
        let digits = id.digits().to_owned();
        mark(&mut document, nonce.digits());
        let mut waiting = self.waiting();
        waiting.push_back(View { id, made: Instant::now(), nonce, document });
        let bytes = |waiting: &VecDeque<View>| waiting.iter().map(|view| view.document.len()).sum::<usize>();
        while waiting.len() > VIEWS_MAX || waiting.len() > 1 && bytes(&waiting) > BYTES_MAX {
            waiting.pop_front();
        }
        Ok(digits)
    }

    /// Frees the documents that no frame has asked for.
    pub(crate) fn prune(&self) {
        drop(self.waiting());
    }

    /// The documents whose time is not over.
    fn waiting(&self) -> MutexGuard<'_, VecDeque<View>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|view| view.made.elapsed() < AGE_MAX);
        waiting
    }

    /// Takes the document of an address.
    fn take(&self, id: &str) -> Option<View> {
        let mut waiting = self.waiting();
        let place = waiting.iter().position(|view| view.id.is(id))?;
        waiting.remove(place)
    }

    /// The answer for the frame; `None` if there is no such document.
    pub(crate) fn show(&self, id: &str) -> Option<Response> {
        let View { nonce, document, .. } = self.take(id)?;
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
        Some((headers, document).into_response())
    }
}

/// Marks the script of a document, which then may run. The script is at the end, so few bytes move.
fn mark(document: &mut Vec<u8>, nonce: &str) {
    if let Some(begin) = document.windows(SCRIPT.len()).position(|part| part == SCRIPT) {
        let end = begin + SCRIPT.len() - 1;
        document.splice(end..end, format!(" nonce=\"{nonce}\"").into_bytes());
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    /// The policy and the text of a document that is shown.
    fn read(response: Response) -> (String, String) {
        let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(response.into_body().collect()).unwrap().to_bytes();
        (policy, String::from_utf8(body.to_vec()).unwrap())
    }

    /// The number in the policy of a document.
    fn nonce(policy: &str) -> &str {
        let allowed = policy.split("; ").find_map(|part| part.strip_prefix("script-src 'nonce-"));
        allowed.and_then(|allowed| allowed.strip_suffix('\'')).unwrap()
    }

    #[test]
    fn a_document_is_shown_once_with_all_of_its_text() {
        let views = Views::default();
        let id = views.keep(b"<p>x</p><script>1</script>".to_vec()).unwrap();
        assert_eq!(id.len(), 2 * ID_BYTES);
        assert!(views.show("").is_none() && views.show(&id[1..]).is_none());
        let (policy, text) = read(views.show(&id).unwrap());
        assert_eq!(text, format!("<p>x</p><script nonce=\"{}\">1</script>", nonce(&policy)));
        assert!(views.show(&id).is_none());
    }

    #[test]
    fn only_the_script_of_the_document_may_run_and_nothing_else_is_allowed() {
        let views = Views::default();
        let shown =
            |document: &str| read(views.show(&views.keep(document.as_bytes().to_vec()).unwrap()).unwrap());
        let (policy, text) = shown("<script>1</script><script>2</script>");
        // A second script has no number, so that the policy forbids it.
        assert_eq!(text, format!("<script nonce=\"{}\">1</script><script>2</script>", nonce(&policy)));
        let number = nonce(&policy).to_owned();
        assert_eq!(number.len(), 2 * NONCE_BYTES);
        let parts: Vec<&str> = policy.split("; ").collect();
        let script = format!("script-src 'nonce-{number}'");
        let expected = [
            "sandbox allow-scripts",
            "default-src 'none'",
            &script,
            "style-src 'unsafe-inline'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
        ];
        assert_eq!(parts, expected);
        let (other, _) = shown("<script>1</script>");
        assert_ne!(nonce(&other), number, "each document has a number of its own");
    }

    #[test]
    fn the_oldest_document_makes_room_and_the_others_stay() {
        let views = Views::default();
        let documents: Vec<String> = (0..=VIEWS_MAX).map(|number| number.to_string()).collect();
        let ids: Vec<String> =
            documents.iter().map(|it| views.keep(it.clone().into_bytes()).unwrap()).collect();
        assert!(views.show(&ids[0]).is_none());
        for (id, document) in ids.iter().zip(&documents).skip(1) {
            assert_eq!(read(views.show(id).unwrap()).1, *document);
        }
    }

    #[test]
    fn large_documents_make_room_for_others_and_old_ones_are_freed() {
        let views = Views::default();
        let ids = [(); 3].map(|()| views.keep(vec![b'x'; BYTES_MAX / 2]).unwrap());
        assert!(views.show(&ids[0]).is_none() && views.show(&ids[1]).is_some());
        let Some(long_ago) = Instant::now().checked_sub(AGE_MAX) else {
            panic!("this machine runs for less than a minute");
        };
        views.waiting.lock().unwrap()[0].made = long_ago;
        views.prune();
        assert!(views.waiting.lock().unwrap().is_empty());
    }

    #[test]
    fn a_document_that_no_frame_asks_for_is_gone_after_a_minute() {
        let views = Views::default();
        let ids = [b"old", b"new"].map(|document| views.keep(document.to_vec()).unwrap());
        let Some(long_ago) = Instant::now().checked_sub(AGE_MAX) else {
            panic!("this machine runs for less than a minute");
        };
        views.waiting.lock().unwrap()[0].made = long_ago;
        assert!(views.show(&ids[0]).is_none());
        assert_eq!(read(views.show(&ids[1]).unwrap()).1, "new");
    }
}
