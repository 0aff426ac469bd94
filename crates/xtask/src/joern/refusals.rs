//! Checks the errors that users of Joern get for unsuitable files and class paths. Each error is one line
//! with advice.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::java::JoernPaths;
use crate::process;
use crate::{Failure, Outcome, cannot};

/// A graph with a label that Joern's schema does not have.
const FOREIGN: &str = r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="labels" for="node" attr.name="labels" attr.type="string"/>
<graph edgedefault="directed"><node id="a"><data key="labels">:PLANET</data></node></graph></graphml>"#;

/// A case that must be refused: its name, the command that runs the judge (the program that opens the file),
/// the file, and the expected message.
struct Refusal {
    name: &'static str,
    judge: Command,
    file: PathBuf,
    says: &'static str,
}

/// Checks all refusals.
pub(crate) fn check(varvite: &Path, paths: &JoernPaths, mapped: &Path, folder: &Path) -> Outcome {
    for mut refusal in refusals(varvite, paths, mapped, folder)? {
        let said = refusal.judge.arg("digest").arg(&refusal.file).output();
        let said = said.map_err(|error| Failure(format!("cannot run Java: {error}")))?;
        let message = String::from_utf8_lossy(&said.stderr);
        if said.status.success() || !message.contains(refusal.says) {
            return Err(Failure(format!("{}: {:?} is not in: {message}", refusal.name, refusal.says)));
        }
    }
    println!("files and class paths that are wrong: each is told");
    Ok(())
}

fn refusals(varvite: &Path, paths: &JoernPaths, mapped: &Path, folder: &Path) -> Outcome<[Refusal; 4]> {
    let foreign = folder.join("foreign.varvite");
    write(&folder.join("foreign.graphml"), FOREIGN.as_bytes())?;
    import(varvite, &folder.join("foreign.graphml"), &foreign, &[])?;
    let coded = folder.join("coded.varvite");
    import(varvite, &folder.join("changed.cpg.bin"), &coded, &["--profile", "archive"])?;
    Ok([
        Refusal {
            name: "a damaged file",
            judge: paths.ours(),
            file: damaged(mapped, folder)?,
            says: "damaged",
        },
        Refusal {
            name: "a graph of another schema",
            judge: paths.ours(),
            file: foreign,
            says: "label PLANET, which the schema of this program does not have",
        },
        Refusal {
            name: "no native library",
            judge: paths.ours_without_engine(),
            file: coded,
            says: "import the graph again with --profile direct",
        },
        Refusal {
            name: "another flatgraph",
            judge: paths.ours_after(&other_flatgraph(paths, folder)?),
            file: mapped.to_owned(),
            says: "flatgraph-core 0.9.9 was not tested with this Varvite, but 0.1.15, 0.1.9, 0.0.81",
        },
    ])
}

fn import(varvite: &Path, source: &Path, target: &Path, words: &[&str]) -> Outcome {
    let mut import = Command::new(varvite);
    import.arg("import").arg(source).arg("-o").arg(target).arg("--force").args(words);
    process::output(&mut import, "").map(drop)
}

/// A copy of the graph whose directory is damaged.
fn damaged(mapped: &Path, folder: &Path) -> Outcome<PathBuf> {
    let mut bytes = fs::read(mapped).map_err(|error| cannot("read", mapped, &error))?;
    let from = bytes.len().saturating_sub(2000);
    bytes[from..].iter_mut().for_each(|byte| *byte ^= 0x55);
    let path = folder.join("damaged.varvite");
    write(&path, &bytes)?;
    Ok(path)
}

/// Makes a copy of flatgraph's jar that states another version.
fn other_flatgraph(paths: &JoernPaths, folder: &Path) -> Outcome<PathBuf> {
    let (manifest, path) = (folder.join("manifest.txt"), folder.join("flatgraph-core_3-0.9.9.jar"));
    write(&manifest, b"Implementation-Version: 0.9.9\n")?;
    let jar = paths.lib().join("flatgraph-core_3-0.1.15.jar");
    fs::copy(&jar, &path).map_err(|error| cannot("copy", &jar, &error))?;
    let mut update = Command::new(paths.java_home().join("bin/jar"));
    process::output(update.args(["--update", "--file"]).arg(&path).arg("--manifest").arg(&manifest), "")?;
    Ok(path)
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    fs::write(path, bytes).map_err(|error| cannot("write", path, &error))
}
