//! What comes after `cpg.`.

use super::Translator;
use super::filters::filtered;
use super::links::Link;
use super::value::{Rows, Sort, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::{START_STEPS, Start};

/// Starts of Joern's console that do not begin a query.
const EFFECTS: [&str; 5] = ["close", "save", "graph", "runScript", "overlays"];

impl Translator {
    /// The rows of `cpg.link`.
    pub(super) fn start(&mut self, link: &Link<'_>) -> Result<Value> {
        let all = || START_STEPS.iter().copied().flatten();
        let Some(start) = all().find(|start| start.name == link.text()) else {
            return Err(unknown_start(link));
        };
        let base = match (link.arguments, start.filtered) {
            (None, _) => (start.begin)(),
            (Some(_), Some(property)) => {
                let patterns = self.texts(link)?;
                filtered((start.begin)(), property, &patterns)?
            }
            (Some(_), None) => {
                let message = format!("cpg.{} takes no argument", start.name);
                return Err(TextError::new(link.span(), Reason::Type, message));
            }
        };
        let rows = self.rows_of(None, base, Sort::Nodes(start.to));
        Ok(Value::Rows(Rows { is_start: link.arguments.is_none(), ..rows }))
    }
}

fn unknown_start(link: &Link<'_>) -> TextError {
    let name = link.text();
    if EFFECTS.contains(&name) {
        return TextError::new(link.span(), Reason::Effect, format!("cpg.{name} is no query"));
    }
    let advice = match name {
        "returns" => "; it is named ret".to_owned(),
        "import" => "; it is named imports".to_owned(),
        "types" => "; it is named typ".to_owned(),
        "methodReturns" => "; it is named methodReturn".to_owned(),
        _ => nearest_start(name),
    };
    TextError::new(link.span(), Reason::UnknownName, format!("cpg has no {name}{advice}"))
}

fn nearest_start(name: &str) -> String {
    let names = START_STEPS.iter().copied().flatten().map(|start: &Start| start.name);
    crate::names::nearest(name, names).map_or_else(String::new, |name| format!("; the nearest is {name}"))
}
