//! The sources that `varvite generate java` writes for the Maven module `generated`, which compiles and tests them, and the
//! graphs that they are read from.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{self, cargo, target_dir};
use crate::{Failure, Outcome};

/// The target folder of the module, from the root.
const TARGET: &str = "bindings/java/generated/target";
/// Foreign graphs that are imported, in the profile that Java reads whole.
const IMPORTED: [&str; 2] = ["zlib", "content"];

/// Imports the graphs and generates the sources, with a build of the command of this cargo profile.
pub(crate) fn write(root: &Path, profile: &[&str], built: &str) -> Outcome {
    let mut build = cargo();
    build.current_dir(root).args(["build", "--quiet", "--package", "varvite-cli"]).args(profile);
    process::run(&mut build, "")?;
    let target = root.join(TARGET);
    let graphs = target.join("graphs");
    fs::create_dir_all(&graphs)
        .map_err(|error| Failure(format!("cannot create {}: {error}", graphs.display())))?;
    let varvite = || Command::new(target_dir(root).join(built).join("varvite"));
    for name in IMPORTED {
        let foreign = root.join("examples/data").join(name).with_extension("cpg.bin");
        let graph = graphs.join(name).with_extension("varvite");
        let mut import = varvite();
        import.arg("import").arg(foreign).arg("-o").arg(graph).args(["--profile", "direct", "--force"]);
        process::output(&mut import, "")?;
    }
    let awkward = root.join("conformance/files/awkward.direct.varvite");
    for (graph, package) in [(graphs.join("zlib.varvite"), "cpg"), (awkward, "awkward")] {
        let mut generate = varvite();
        generate
            .args(["generate", "java"])
            .arg(graph)
            .args(["--package", &format!("varvite.generated.{package}")]);
        process::output(generate.arg("-o").arg(target.join("generated-sources/varvite")), "")?;
    }
    Ok(())
}
