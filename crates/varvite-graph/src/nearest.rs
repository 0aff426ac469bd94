//! [`Nearest`]: the end of a message about a name that is unknown.

/// Shows a suggestion where there is one.
pub struct Nearest<'a>(pub &'a Option<String>);

impl std::fmt::Display for Nearest<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(name) => write!(formatter, "; the nearest is {name:?}"),
            None => Ok(()),
        }
    }
}
