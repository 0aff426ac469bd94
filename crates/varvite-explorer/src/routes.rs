//! The routes: what each address answers, and the checks of a request's token and body.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinError;
use tokio::time::timeout;
use varvite::Cancel;

use crate::fault::{Fault, Result};
use crate::gate::{self, Gate};
use crate::limits::Work;
use crate::page::{self, no_route};
use crate::questions::Question;
use crate::sessions::Sessions;
use crate::shared::Shared;

/// The header with the token of a page.
const TOKEN: &str = "x-varvite-token";
/// The most bytes of a body, and the time in which a client sends it.
const BODY_BYTES_MAX: usize = 64 << 10;
const BODY_TIME: Duration = Duration::from_secs(5);
/// The time after the deadline in which a question has to notice it.
const GRACE: Duration = Duration::from_secs(2);

/// All routes, behind the gate.
pub(crate) fn router(shared: Arc<Shared>, gate: Arc<Gate>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/assets/{name}", get(page::asset))
        .route("/view/{id}", get(view))
        .route("/api/login", post(log_in))
        .route("/api/query", post(query))
        .fallback(async || no_route())
        .method_not_allowed_fallback(async || wrong_method())
        .with_state(shared)
        .layer(from_fn_with_state(gate, gate::guard))
}

fn wrong_method() -> Fault {
    Fault::new(StatusCode::METHOD_NOT_ALLOWED, "method", "this address does not take the method")
}

/// A document, which is given once: HEAD would take it.
async fn view(State(shared): State<Arc<Shared>>, method: Method, Path(id): Path<String>) -> Result<Response> {
    if method == Method::HEAD {
        return Err(wrong_method());
    }
    shared.views.show(&id).ok_or_else(no_route)
}

/// The body of a login.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    code: String,
}

/// Exchanges a launch code for a token.
async fn log_in(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response> {
    let Login { code } = read(&body(request).await?)?;
    let token = shared.sessions.log_in(&code).map_err(io::Error::from)?;
    let token = token.ok_or_else(|| {
        let what =
            "the launch code is wrong or was used: ask an open page for a link, or start varvite explore";
        Fault::new(StatusCode::UNAUTHORIZED, "no_token", what)
    })?;
    Ok(([(CONTENT_TYPE, "application/json")], json!({ "token": token }).to_string()).into_response())
}

/// Answers a question.
async fn query(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response> {
    check_token(&shared.sessions, request.headers())?;
    let question: Question = read(&body(request).await?)?;
    let Ok(waiting) = Arc::clone(&shared.waiting).try_acquire_owned() else { return Err(busy()) };
    let begin = Instant::now();
    let cancel = CancelOnDrop(Cancel::default());
    let (flag, limits, turn) = (cancel.0.clone(), shared.limits, Arc::clone(&shared.turn));
    let asked = Arc::clone(&shared);
    let work = async move {
        let turn = timeout(limits.deadline, turn.acquire_owned());
        let turn = turn.await.map_err(|_| no_turn())?.map_err(io::Error::other)?;
        let run = move || {
            let outcome = question.answer(&asked, &Work::begin(limits, begin, &flag));
            // The next question begins when this one has really ended.
            drop((turn, waiting));
            outcome
        };
        tokio::task::spawn_blocking(run).await.unwrap_or_else(|ended| Err(ended_early(&ended)))
    };
    let answer = timeout(limits.deadline.saturating_add(GRACE), work)
        .await
        .unwrap_or_else(|_| Err(varvite::error::Cancelled.into()))?;
    let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
    let behind = json!(shared.graphs.behind());
    let text = format!("{{\"answer\":{answer},\"milliseconds\":{milliseconds:.2},\"behind\":{behind}}}");
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

/// Cancels a question when its client leaves: hyper then drops the future of the request.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The fault of a question whose time is over before it has a turn.
fn no_turn() -> Fault {
    let message = "other questions took all of the time of this one: ask again";
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "over_time", message)
}

/// The fault of a question whose thread ended by a panic, which is a fault of ours. The others go on.
fn ended_early(ended: &JoinError) -> Fault {
    let what =
        "the question could not be answered, because of a fault of varvite: please report the question";
    let message = if ended.is_panic() { what } else { "the server ends" };
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", message)
}

fn busy() -> Fault {
    let what = "too many questions wait: ask again after an answer";
    Fault::new(StatusCode::TOO_MANY_REQUESTS, "busy", what)
}

fn check_token(sessions: &Sessions, headers: &HeaderMap) -> Result<()> {
    let mut tokens = headers.get_all(TOKEN).iter();
    let token = tokens.next().and_then(|token| token.to_str().ok()).filter(|_| tokens.next().is_none());
    match token.is_some_and(|token| sessions.has_token(token)) {
        true => Ok(()),
        false => {
            let what = "the request has no valid token: open the link that varvite explore printed";
            Err(Fault::new(StatusCode::UNAUTHORIZED, "no_token", what))
        }
    }
}

/// Reads the body of a request: JSON, of limited length, within a limited time.
async fn body(request: Request) -> Result<Bytes> {
    let headers = request.headers();
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if content_type.split(';').next().unwrap_or_default().trim() != "application/json" {
        let what = "the Content-Type of a question is application/json";
        return Err(Fault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", what));
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > BODY_BYTES_MAX) {
        return Err(too_large());
    }
    let reading = timeout(BODY_TIME, Limited::new(request.into_body(), BODY_BYTES_MAX).collect());
    match reading.await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(bad_request("the body ends early")),
        Err(_) => {
            let what = format!("the body did not come within {} s", BODY_TIME.as_secs());
            Err(Fault::new(StatusCode::REQUEST_TIMEOUT, "too_slow", &what))
        }
    }
}

fn too_large() -> Fault {
    let what = format!("the body is longer than {BODY_BYTES_MAX} bytes");
    Fault::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", &what)
}

fn bad_request(what: &str) -> Fault {
    Fault::new(StatusCode::BAD_REQUEST, "bad_request", what)
}

/// Reads JSON of a known form.
fn read<'b, T: Deserialize<'b>>(body: &'b Bytes) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| match error.is_data() {
        true => Fault::bad_question(&format!("not a question: {error}")),
        false => bad_request(&format!("the body is not JSON: {error}")),
    })
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", &format!("the server has a fault: {error}"))
    }
}
