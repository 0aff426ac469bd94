//! [`Settings`]: what `:set` changes.

use varvite_show::{Format, Selection};

/// The form of answers.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) format: Format,
    /// The most rows of an answer. `:more` shows the next.
    pub(super) limit: u64,
    pub(super) columns: Vec<String>,
    /// Whether each answer is followed by its time.
    pub(super) time: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { format: Format::default(), limit: 100, columns: Vec::new(), time: false }
    }
}

/// The names of settings, for help and completion.
pub(super) const NAMES: [&str; 4] = ["format", "limit", "columns", "time"];

impl Settings {
    /// Changes a setting. The error says which values there are.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "format" => self.format = format_of(value)?,
            "limit" => {
                self.limit =
                    value.parse().map_err(|_| format!("limit is a number of rows, not {value:?}"))?;
            }
            "columns" => {
                self.columns = value.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
            }
            "time" => self.time = on_or_off(value)?,
            other => {
                return Err(format!("no setting is named {other:?}: the settings are {}", NAMES.join(", ")));
            }
        }
        Ok(())
    }

    /// The settings, one on a line.
    pub(super) fn listed(&self) -> String {
        let time = if self.time { "on" } else { "off" };
        let columns =
            if self.columns.is_empty() { "the usual ones".to_owned() } else { self.columns.join(",") };
        format!("format {}\nlimit {}\ncolumns {columns}\ntime {time}\n", self.format.name(), self.limit)
    }

    /// The rows and columns to show.
    pub(super) fn selection(&self) -> Selection<'_> {
        Selection { format: self.format, columns: &self.columns, ..Selection::default() }
    }
}

/// The format of this name.
pub(super) fn format_of(name: &str) -> Result<Format, String> {
    Format::of_name(name).ok_or_else(|| {
        let known = Format::ALL.map(Format::name).join(", ");
        format!("no format is named {name:?}: the formats are {known}")
    })
}

pub(super) fn on_or_off(word: &str) -> Result<bool, String> {
    match word {
        "on" | "" => Ok(true),
        "off" => Ok(false),
        other => Err(format!("on or off is expected, not {other:?}")),
    }
}
