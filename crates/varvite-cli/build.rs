//! Tells the command from which commit and with which features it is compiled, for `varvite --version`.
//!
//! The commit comes from the first of three places that has one: the variable `VARVITE_COMMIT`, which
//! `make release` sets; the file that `cargo package` puts into a package; and, in an optimised build of a
//! clone, git. Builds for tests do not ask git, since every commit would compile the command again.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The number of digits of a commit that are shown.
const DIGITS: usize = 12;
/// The file that `cargo package` writes.
const OF_PACKAGE: &str = ".cargo_vcs_info.json";
/// The folder of git in a clone, relative to this package.
const OF_CLONE: &str = "../../.git";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=VARVITE_COMMIT");
    let commit = given().or_else(of_package).or_else(of_clone);
    println!("cargo::rustc-env=VARVITE_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=VARVITE_FEATURES={}", features());
    println!("cargo::rustc-env=VARVITE_TARGET={}", env::var("TARGET").unwrap_or_default());
}

fn given() -> Option<String> {
    env::var("VARVITE_COMMIT").ok().filter(|commit| is_name(commit))
}

/// The commit in a package, whose only long number of hexadecimal digits it is.
fn of_package() -> Option<String> {
    let text = fs::read_to_string(OF_PACKAGE).ok()?;
    let mut words = text.split('"');
    words.find(|word| word.len() >= 40 && word.chars().all(|digit| digit.is_ascii_hexdigit())).map(short)
}

/// The commit of the clone. The file that git extends at each commit makes cargo run this program again.
fn of_clone() -> Option<String> {
    if env::var("PROFILE").as_deref() != Ok("release") || !Path::new(OF_CLONE).exists() {
        return None;
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    for path in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", path])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    Some(short(&commit))
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn short(commit: &str) -> String {
    commit.chars().take(DIGITS).collect()
}

/// Whether a text may be the name of a commit: it becomes part of a line of output.
fn is_name(commit: &str) -> bool {
    !commit.is_empty() && commit.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The features of this package that are switched on, in alphabetical order.
fn features() -> String {
    let names = env::vars().filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()));
    let mut names: Vec<String> = names.filter(|name| name != "default").collect();
    names.sort();
    if names.is_empty() { "none".to_owned() } else { names.join(", ").replace('_', "-") }
}
