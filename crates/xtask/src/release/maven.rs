//! The jars, as a repository of Maven in the folder `maven`: the modules with sources, documentation and
//! licences, and for each system a jar with the native library.

use std::path::{Path, PathBuf};

use super::build::{Built, Speed};
use super::{Release, notices, packed};
use crate::jdk::{self, Jdk};
use crate::{Outcome, java};

/// The modules that are published, apart from the native library.
const MODULES: &str = ".,varvite,ffi,management,scala";
/// The package of the native library.
const PACKAGE: &str = "varvite-c";

/// The folder of the repository.
pub(super) fn repository(release: &Release<'_>) -> PathBuf {
    release.folder.join("maven")
}

/// Makes the jars of Java, and of the native library for each system.
pub(super) fn make(release: &Release<'_>, all_built: &[Built]) -> Outcome {
    let jdk = jdk::find()?;
    deploy(release, &jdk, &release.staging, &["-pl", MODULES, "-am"])?;
    for built in all_built {
        let natives = release.staging.join("natives").join(built.target.name);
        put_native(release, built, &natives)?;
        let platform = format!("-Dvarvite.platform={}", built.target.name);
        let library = format!("-Dvarvite.library={}", built.target.java_library());
        deploy(release, &jdk, &natives, &["-pl", "native", &platform, &library])?;
    }
    Ok(())
}

/// Puts the library of a system and the licences of its parts into the folder that becomes the jar.
fn put_native(release: &Release<'_>, built: &Built, natives: &Path) -> Outcome {
    packed::make_empty_folder(natives)?;
    let folder = natives.join("varvite/natives").join(built.target.name);
    java::put_native(&built.shared_library(), &folder.join(built.target.java_library()))?;
    let notices = notices::of(release.root, PACKAGE, built.target.triple)?;
    packed::write(&natives.join("META-INF").join(notices::FILE), &notices)
}

/// Runs Maven, which puts the jars of some modules into the repository. Artefacts for a quick test have no
/// documentation.
fn deploy(release: &Release<'_>, jdk: &Jdk, natives: &Path, modules: &[&str]) -> Outcome {
    let to = format!("-DaltDeploymentRepository=release::file://{}", repository(release).display());
    let mut words = vec!["deploy", "-Dmaven.test.skip=true", "-Prelease", &to];
    if release.speed == Speed::OfTests {
        words.push("-Dmaven.javadoc.skip=true");
    }
    words.extend(modules);
    java::binding_with(jdk, release.root, natives, &words)
}
