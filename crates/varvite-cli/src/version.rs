//! The version of the command, and what it was compiled from. The build script finds the commit.

/// The version and the commit, for `-V`.
pub(crate) const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("VARVITE_COMMIT"), ")");

/// The same with the features and the system of the build, for `--version`.
pub(crate) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("VARVITE_COMMIT"),
    ")\nfeatures: ",
    env!("VARVITE_FEATURES"),
    "\nsystem: ",
    env!("VARVITE_TARGET"),
);
