//! [`Fault`]: the reason why a request has no answer, with its status, a word for programs, and one line for
//! people.

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use varvite::error::Cancelled;
use varvite::memory::OverBudget;
use varvite::pipeline::PipelineError;
use varvite::walk::WalkError;
use varvite::{ErrorCode, GraphError};
use varvite_cpg::CpgError;
use varvite_draw::DrawError;
use varvite_profile::layer::LayerReadError;
use varvite_show::ShowError;
use varvite_text::{AnswerError, TextError};

/// The word for a read that has met damage.
const DAMAGED: &str = "damaged";

/// The result of a question.
pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// The reason why a request has no answer. The message is text: the page shows it as such.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// For a query in Joern's language: the line, the column, and three lines that show the place.
    place: Option<(usize, usize, String)>,
}

impl Fault {
    /// A fault with a message of one line.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: &str) -> Self {
        // Messages about regular expressions have several lines.
        let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        Self { status, code, message, place: None }
    }

    /// A question that the server does not understand.
    pub(crate) fn bad_question(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_question", message)
    }

    /// The fault of a query's text.
    pub(crate) fn of_text(query: &str, error: &TextError) -> Self {
        let pointed = error.pointed(query);
        let mut numbers = pointed.splitn(3, ':').map(|part| part.parse().unwrap_or(1));
        let place = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(1), pointed.clone());
        let fault = Self::new(StatusCode::BAD_REQUEST, "bad_text", &error.message);
        Self { place: Some(place), ..fault }
    }

    /// The fault of an error of the engine.
    fn of_code(code: ErrorCode, message: &str) -> Self {
        let (status, word) = match code {
            ErrorCode::Cancelled => return Cancelled.into(),
            ErrorCode::Unknown => (StatusCode::NOT_FOUND, "no_such_name"),
            ErrorCode::NoSuchNode => (StatusCode::NOT_FOUND, "no_such_node"),
            ErrorCode::Argument | ErrorCode::WrongType => (StatusCode::BAD_REQUEST, "bad_question"),
            ErrorCode::Plan | ErrorCode::TooLarge => (StatusCode::BAD_REQUEST, "bad_plan"),
            ErrorCode::OverBudget | ErrorCode::OutOfMemory => {
                (StatusCode::UNPROCESSABLE_ENTITY, "over_memory")
            }
            ErrorCode::Replaced => (StatusCode::CONFLICT, "replaced"),
            ErrorCode::Io | ErrorCode::NotAFile => (StatusCode::CONFLICT, "missing"),
            ErrorCode::Damaged | ErrorCode::Truncated | ErrorCode::NotVarvite => {
                (StatusCode::UNPROCESSABLE_ENTITY, DAMAGED)
            }
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "fault"),
        };
        Self::new(status, word, message)
    }

    /// Whether a read has met damage.
    pub(crate) fn is_damage(&self) -> bool {
        self.code == DAMAGED
    }

    /// The message.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some((line, column, pointed)) = self.place {
            error["line"] = line.into();
            error["column"] = column.into();
            error["pointed"] = pointed.into();
        }
        let text = json!({ "error": error }).to_string();
        let mut response = (self.status, [(CONTENT_TYPE, "application/json")], text).into_response();
        if matches!(self.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            // Strangers must not keep the places of connections.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Makes a fault of the code and the message of each error.
macro_rules! faults {
    ($($error:ty),+) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::of_code(error.code(), &error.to_string())
            }
        })+
    };
}

faults!(GraphError, PipelineError, WalkError, CpgError, ShowError);

impl From<DrawError> for Fault {
    fn from(error: DrawError) -> Self {
        let message = error.to_string();
        match error {
            DrawError::TooDense { .. } => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "too_dense", &message),
            other => Self::of_code(other.code(), &message),
        }
    }
}

impl From<Cancelled> for Fault {
    fn from(_: Cancelled) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "over_time",
            "the question took too long: ask for less, or start varvite explore with a longer --deadline",
        )
    }
}

impl From<OverBudget> for Fault {
    fn from(error: OverBudget) -> Self {
        GraphError::from(error).into()
    }
}

impl From<AnswerError> for Fault {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Pipeline(error) => error.into(),
            AnswerError::Show(error) => error.into(),
            other => Self::new(StatusCode::BAD_REQUEST, "bad_text", &other.to_string()),
        }
    }
}

impl From<LayerReadError> for Fault {
    fn from(error: LayerReadError) -> Self {
        match error {
            LayerReadError::Graph(error) => error.into(),
            LayerReadError::Damaged { .. } => Self::of_code(ErrorCode::Damaged, &error.to_string()),
            other => Self::bad_question(&other.to_string()),
        }
    }
}
