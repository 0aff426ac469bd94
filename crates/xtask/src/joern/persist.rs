//! Checks that closing a mapped graph either stores its changes as a layer, or refuses them with a one-line
//! message and leaves the file unchanged.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::java::JoernPaths;
use crate::process;
use crate::{Failure, Outcome, cannot};

/// The variable that passes options to the JVM.
const OPTIONS: &str = "JDK_JAVA_OPTIONS";
const PERSIST: &str = "-Dvarvite.joern.persist=true";

/// A way to change a graph before it is closed, and the expected outcome.
struct Closing {
    name: &'static str,
    judge: Command,
    options: &'static str,
    words: &'static [&'static str],
    says: &'static str,
    /// Whether the program must report success.
    is_well: bool,
    /// Whether the file must have changed.
    is_kept: bool,
}

/// Checks all closings, each on a new copy of a graph.
pub(crate) fn check(varvite: &Path, paths: &JoernPaths, mapped: &Path, folder: &Path) -> Outcome {
    let file = folder.join("persist.varvite");
    for mut closing in closings(paths, &file) {
        copy(mapped, &file)?;
        let before = read(&file)?;
        closing.judge.env(OPTIONS, closing.options).arg(closing.words[0]).arg(&file);
        let said = closing.judge.args(&closing.words[1..]).output();
        let said = said.map_err(|error| Failure(format!("cannot run Java: {error}")))?;
        let message = String::from_utf8_lossy(&said.stderr);
        let is_as_it_should = said.status.success() == closing.is_well
            && message.contains(closing.says)
            && (read(&file)? != before) == closing.is_kept
            // The message must not contain a stack trace.
            && !message.contains("\tat varvite.joern.Persist");
        if !is_as_it_should {
            let name = closing.name;
            return Err(Failure(format!(
                "{name}: {:?} is not in, or not all that is: {message}",
                closing.says
            )));
        }
    }
    layer(varvite, paths, mapped, &file)?;
    println!(
        "changes that cannot be kept: each gives an error and leaves the file unchanged; a layer is \
              added and dropped"
    );
    Ok(())
}

fn closings(paths: &JoernPaths, file: &Path) -> Vec<Closing> {
    let refused = |name, options, words, says| Closing {
        name,
        judge: paths.ours(),
        options,
        words,
        says,
        is_well: false,
        is_kept: false,
    };
    let (tags, layer): (&[&str], _) = (&["keep", "tags"], "-Dvarvite.joern.layer=tags");
    vec![
        Closing {
            is_well: true,
            ..refused("nothing is asked for", "-Da=b", tags, "`varvite joern --persist`")
        },
        Closing {
            is_well: true,
            ..refused("the program keeps nothing", PERSIST, &["changed"], "persistOnClose = false")
        },
        Closing {
            is_kept: true,
            ..refused(
                "two at once",
                PERSIST,
                &["twice"],
                "was replaced or changed by another program meanwhile",
            )
        },
        refused("a layer of more", layer, &["keep", "changed"], "without --layer all changes are kept"),
        refused("a layer that is there", "-Dvarvite.joern.layer=code", tags, "which it has already"),
        Closing {
            judge: paths.ours_without_engine(),
            ..refused(
                "no engine",
                PERSIST,
                tags,
                "varvite-ffi.jar, which writes files, is not on the class path",
            )
        },
        // Joern stores no change, but the test itself has changed the file by cutting it.
        Closing {
            is_kept: true,
            ..refused("a file that was cut short", "-Da=b", &["cut"], "it was cut short, restore it")
        },
        Closing { judge: locked(paths, file), ..refused("another writer", PERSIST, tags, "no changes of") },
    ]
}

/// The command that runs the judge, the program that changes and closes the graph, while another program
/// holds the lock of the file.
fn locked(paths: &JoernPaths, file: &Path) -> Command {
    let judge = paths.ours();
    let mut locked = Command::new("flock");
    locked.arg(file).arg(judge.get_program()).args(judge.get_args());
    locked
}

/// Checks that edges with a new label are stored as a layer, and that dropping the layer restores the graph.
fn layer(varvite: &Path, paths: &JoernPaths, mapped: &Path, file: &Path) -> Outcome {
    copy(mapped, file)?;
    let digest = || process::output(paths.ours().arg("digest").arg(file), "");
    let before = digest()?;
    let mut keep = paths.ours();
    process::output(keep.arg("keep").arg(file).arg("tags").env(OPTIONS, "-Dvarvite.joern.layer=tags"), "")?;
    let (kept, layers) = (digest()?, process::output(Command::new(varvite).arg("layers").arg(file), "")?);
    process::output(Command::new(varvite).arg("drop-layer").arg(file).arg("tags"), "")?;
    match layers.contains("tags") && layers.contains("joern") && kept != before && digest()? == before {
        true => Ok(()),
        false => Err(Failure(format!("what is kept as a layer is none that goes: {layers}"))),
    }
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(|error| cannot("copy", from, &error))
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", path, &error))
}
