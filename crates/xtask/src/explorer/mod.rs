//! The page of the explorer: `cargo xtask explorer-page` bundles it into the files that the command takes
//! into its program, and `cargo xtask test-explorer` tests it in a browser.

mod browser;
mod bundle;

pub(crate) use browser::{BROWSER_ADVICE, browser, test};
pub(crate) use bundle::{ADVICE, FOLDER, build, build_if_possible, bundle, install, lock, npm};
