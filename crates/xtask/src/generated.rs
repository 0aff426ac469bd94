//! Makes the sources for the Maven module `generated`, with `varvite generate java`, from graphs that it
//! imports first. The Maven module compiles and tests the sources.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::built::{self, Profile};
use crate::process;
use crate::{Outcome, cannot};

/// The target folder of the module, relative to the root.
const TARGET: &str = "bindings/java/generated/target";
/// Foreign graphs that are imported with the direct profile.
const IMPORTED: [&str; 2] = ["zlib", "content"];

/// Imports the graphs and generates the sources, with a `varvite` that is built with this profile of cargo.
pub(crate) fn write(root: &Path, profile: Profile) -> Outcome {
    let varvite = built::varvite(root, profile)?;
    let target = root.join(TARGET);
    let graphs = target.join("graphs");
    fs::create_dir_all(&graphs).map_err(|error| cannot("create", &graphs, &error))?;
    for name in IMPORTED {
        let foreign = root.join("examples/data").join(name).with_extension("cpg.bin");
        let graph = graphs.join(name).with_extension("varvite");
        let mut import = Command::new(&varvite);
        import.arg("import").arg(foreign).arg("-o").arg(graph).args(["--profile", "direct", "--force"]);
        process::output(&mut import, "")?;
    }
    let awkward = root.join("conformance/files/awkward.direct.varvite");
    for (graph, package) in [(graphs.join("zlib.varvite"), "cpg"), (awkward, "awkward")] {
        let mut generate = Command::new(&varvite);
        generate
            .args(["generate", "java"])
            .arg(graph)
            .args(["--package", &format!("varvite.generated.{package}")]);
        process::output(generate.arg("-o").arg(target.join("generated-sources/varvite")), "")?;
    }
    Ok(())
}
