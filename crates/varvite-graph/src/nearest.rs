//! [`Nearest`]: the end of an error message about an unknown name.

/// Shows the nearest known name; shows nothing if there is none.
pub struct Nearest<'a>(pub &'a Option<String>);

impl std::fmt::Display for Nearest<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(name) => write!(formatter, "; the nearest is {name:?}"),
            None => Ok(()),
        }
    }
}
