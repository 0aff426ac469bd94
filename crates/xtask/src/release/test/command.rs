//! Installs the command where there is no compiler, and asks it the questions of the demo.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::sandbox::{Sandbox, entries};
use crate::process;
use crate::release::build::Speed;
use crate::release::{Release, packed};
use crate::{Failure, Outcome, cannot};

/// Pieces of the demo's answers, in the order in which they are printed.
const ANSWERS: &str = "packaging/tests/demo-answers.txt";
const GRAPH: &str = "examples/data/zlib.cpg.bin";
/// The folder of artefacts in documents.
const TOLD_FOLDER: &str = "target/release-artefacts";
/// The longest time from an archive on disk to the first answer.
const FIRST_ANSWER_MAX: Duration = Duration::from_secs(2);
/// Files that an installation has, beside the command.
const INSTALLED: [&str; 7] = [
    "share/man/man1/varvite-find.1",
    "share/bash-completion/completions/varvite",
    "share/zsh/site-functions/_varvite",
    "share/fish/vendor_completions.d/varvite.fish",
    "share/doc/varvite/LICENSE",
    "share/doc/varvite/THIRD-PARTY-LICENCES.txt",
    "share/doc/varvite/varvite.cdx.json",
];

/// Installs the command and checks files, version, first answer and the demo.
pub(super) fn test(release: &Release<'_>, sandbox: &Sandbox) -> Outcome {
    let prefix = sandbox.empty("prefix")?;
    let varvite = prefix.join("bin/varvite");
    leave_behind(&prefix)?;
    let start = Instant::now();
    install_as_told(release, sandbox, &prefix)?;
    first_answer(release.root, sandbox, &varvite)?;
    check_time(release, start.elapsed())?;
    check_files(&prefix)?;
    check_version(release, sandbox, &varvite)?;
    demo(release.root, sandbox, &varvite)
}

/// Makes the folder that an installation leaves if it is killed. The next one removes it.
fn leave_behind(prefix: &Path) -> Outcome {
    let mut ended = Command::new("true");
    let mut child = ended.spawn().map_err(|error| process::could_not_start(&ended, &error, ""))?;
    let number = child.id();
    child.wait().map_err(|error| Failure(format!("cannot wait for a program: {error}")))?;
    packed::write(&prefix.join(format!(".varvite-install.{number}/bin/varvite")), "half a program")
}

/// Installs by the line of the README, with another prefix and with the folder of these artefacts.
fn install_as_told(release: &Release<'_>, sandbox: &Sandbox, prefix: &Path) -> Outcome {
    let readme = release.root.join("README.md");
    let text = fs::read_to_string(&readme).map_err(|error| cannot("read", &readme, &error))?;
    let told = text.lines().find_map(|line| line.strip_prefix("- Command: `sh ")?.strip_suffix('`'));
    let words: Vec<&str> = told.unwrap_or_default().split(' ').collect();
    let [script, source] = words[..] else {
        return Err(Failure("the README has no line that installs the command".to_owned()));
    };
    let artefact = |word: &str| match word.strip_prefix(TOLD_FOLDER) {
        Some(rest) => Ok(release.folder.join(rest.trim_start_matches('/'))),
        None => Err(Failure(format!("the README installs from {word}, not from {TOLD_FOLDER}"))),
    };
    process::output(&mut sandbox.install(&artefact(script)?, prefix, &artefact(source)?), "").map(drop)
}

/// Imports a graph, and asks one question.
fn first_answer(root: &Path, sandbox: &Sandbox, varvite: &Path) -> Outcome {
    let graph = sandbox.path("first.varvite");
    let mut import = sandbox.command(varvite);
    process::output(import.arg("import").arg(root.join(GRAPH)).arg("-o").arg(&graph), "")?;
    let mut callers = sandbox.command(varvite);
    let answer = process::output(callers.arg("callers").arg(&graph).arg("deflateInit2_"), "")?;
    holds_in_order(&answer, " 2686  deflateInit_ \n16650  gz_init")
}

fn check_time(release: &Release<'_>, time: Duration) -> Outcome {
    println!("from the archive to the first answer: {:.2} s", time.as_secs_f64());
    match release.speed == Speed::Optimised && time > FIRST_ANSWER_MAX {
        true => Err(Failure(format!("the first answer takes more than {FIRST_ANSWER_MAX:?}"))),
        false => Ok(()),
    }
}

fn check_files(prefix: &Path) -> Outcome {
    if let Some(missing) = INSTALLED.iter().find(|name| !prefix.join(name).is_file()) {
        return Err(Failure(format!("no {missing} was installed")));
    }
    match entries(prefix) == ["bin", "share"] {
        true => Ok(()),
        false => Err(Failure(format!("the installation left other files: {:?}", entries(prefix)))),
    }
}

/// The installed command names its version; an optimised one also the commit that it was built from.
pub(super) fn check_version(release: &Release<'_>, sandbox: &Sandbox, varvite: &Path) -> Outcome {
    let said = process::output(sandbox.command(varvite).arg("--version"), "")?;
    holds_in_order(&said, &format!("varvite {}", release.version()))?;
    if release.speed == Speed::OfTests {
        return Ok(());
    }
    let mut git = Command::new("git");
    let commit =
        process::output(git.current_dir(release.root).args(["rev-parse", "--short=12", "HEAD"]), "")?;
    holds_in_order(&said, commit.trim())
}

/// Runs the demo with the installed command.
fn demo(root: &Path, sandbox: &Sandbox, varvite: &Path) -> Outcome {
    let mut demo = sandbox.bash();
    demo.arg(root.join("examples/demo.sh")).env("VARVITE", varvite);
    let said = process::output(demo.env("CARGO_TARGET_DIR", sandbox.path("demo")), "")?;
    let answers = root.join(ANSWERS);
    let answers = fs::read_to_string(&answers).map_err(|error| cannot("read", &answers, &error))?;
    holds_in_order(&said, &answers)
}

/// Checks that a text contains all lines of another, one after the other.
pub(super) fn holds_in_order(text: &str, lines: &str) -> Outcome {
    let mut rest = text;
    for line in lines.lines() {
        let Some((_, after)) = rest.split_once(line) else {
            return Err(Failure(format!("{line:?} is missing in the answer\n{text}")));
        };
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_another_order_are_found() {
        assert!(holds_in_order("a\nb\nc\n", "a\nc\n").is_ok());
        assert!(holds_in_order("a\nb\nc\n", "c\na\n").is_err());
    }
}
