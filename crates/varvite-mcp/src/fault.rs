//! [`Fault`]: the reason why a tool has no answer, as one text for the agent.

use varvite::GraphError;
use varvite::error::{Cancelled, nearest};
use varvite::pipeline::PipelineError;
use varvite::walk::WalkError;
use varvite_cpg::CpgError;
use varvite_show::{ShowError, escaped};
use varvite_text::{AnswerError, TextError};

/// The result of a tool.
pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// The reason why a tool has no answer. Its text names what is at fault and, for a misspelt name, the nearest
/// one. It has no control characters.
#[derive(Debug)]
pub(crate) struct Fault {
    text: String,
}

impl Fault {
    /// A fault with a message of one line.
    pub(crate) fn new(message: &str) -> Self {
        // Messages about regular expressions have several lines.
        let line = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        Self { text: escaped(&line).into_owned() }
    }

    /// The fault of a name that is none of `names`, with the nearest of them.
    pub(crate) fn no_such(kind: &str, name: &str, names: &[&str]) -> Self {
        let nearest = nearest(name, names.iter().copied());
        let nearest = nearest.map(|nearest| format!("; the nearest is {nearest:?}")).unwrap_or_default();
        Self::new(&format!("there is no {kind} {name:?}{nearest}: there are {}", names.join(", ")))
    }

    /// The fault of a query's text: the place, the message, and marks under the word.
    pub(crate) fn of_text(query: &str, error: &TextError) -> Self {
        Self { text: error.pointed(query) }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// Makes a fault of the message of each error.
macro_rules! faults {
    ($($error:ty),+) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::new(&error.to_string())
            }
        })+
    };
}

faults!(GraphError, PipelineError, WalkError, CpgError, ShowError, AnswerError);

impl From<Cancelled> for Fault {
    fn from(_: Cancelled) -> Self {
        GraphError::from(Cancelled).into()
    }
}
