//! The Python package: `cargo xtask python` builds its wheel, `cargo xtask test-python` tests it, and
//! `cargo xtask test-networkx` runs NetworkX's own tests against its backend.
//!
//! The tests get a wheel of the profile of tests, installed in an environment with the libraries that read
//! its arrays and tables. Another environment is empty, and has no compiler: the package must install and
//! answer there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::Profile;
use crate::process::{self, target_dir};
use crate::python::{ADVICE, environment};
use crate::{Failure, Outcome, cannot};

/// Builds the wheel for users, and prints its path.
pub(crate) fn build(root: &Path) -> Outcome {
    println!("{}", release(root)?.display());
    Ok(())
}

/// Builds the wheel for users, and returns its path.
pub(crate) fn release(root: &Path) -> Outcome<PathBuf> {
    wheel(root, Profile::Release, "wheels")
}

/// Runs the tests of the Python package.
pub(crate) fn test(root: &Path) -> Outcome {
    let wheel = wheel(root, Profile::Dev, "test-wheels")?;
    let python = environment(root, &root.join("bindings/python/requirements-test.txt"), "python-test")?;
    install(&python, &wheel)?;
    let folder = root.join("bindings/python");
    let mut mypy = Command::new(&python);
    process::run(mypy.current_dir(&folder).args(["-m", "mypy", "python", "tests", "benches"]), ADVICE)?;
    let mut pytest = Command::new(&python);
    pytest.current_dir(&folder).args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests"]);
    pytest.env("VARVITE_WHEEL", wheel).env("PYTHONDONTWRITEBYTECODE", "1");
    process::run(&mut pytest, ADVICE)
}

/// Runs the tests of NetworkX against the backend.
pub(crate) fn test_networkx(root: &Path) -> Outcome {
    let wheel = wheel(root, Profile::Dev, "test-wheels")?;
    let folder = root.join("bindings/python");
    let python = environment(root, &folder.join("requirements-networkx.txt"), "python-networkx")?;
    install(&python, &wheel)?;
    let mut suite = Command::new(&python);
    process::run(suite.arg(folder.join("networkx_suite.py")).env("PYTHONDONTWRITEBYTECODE", "1"), ADVICE)
}

/// Builds the wheel in a folder below the target folder, and returns its path.
fn wheel(root: &Path, profile: Profile, name: &str) -> Outcome<PathBuf> {
    let maturin = environment(root, &root.join("bindings/python/requirements-build.txt"), "python-build")?;
    let folder = target_dir(root).join(name);
    remove_wheels(&folder)?;
    let mut build = Command::new(maturin.with_file_name("maturin"));
    build
        .current_dir(root.join("bindings/python"))
        .args(["build", "--quiet", "--locked", "--out"])
        .arg(&folder);
    build.arg("--interpreter").arg(&maturin);
    build.args(["--profile", if profile == Profile::Release { "release" } else { "dev" }]);
    process::run(&mut build, ADVICE)?;
    let found = wheels(&folder)?.into_iter().next();
    found.ok_or_else(|| Failure(format!("maturin made no wheel in {}", folder.display())))
}

/// Installs the wheel over an older one, without its extras.
pub(crate) fn install(python: &Path, wheel: &Path) -> Outcome {
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--force-reinstall",
    ]);
    process::run(pip.arg(wheel), ADVICE)
}

fn remove_wheels(folder: &Path) -> Outcome {
    for wheel in wheels(folder)? {
        fs::remove_file(&wheel).map_err(|error| cannot("remove", &wheel, &error))?;
    }
    Ok(())
}

fn wheels(folder: &Path) -> Outcome<Vec<PathBuf>> {
    fs::create_dir_all(folder).map_err(|error| cannot("make", folder, &error))?;
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "whl")).collect())
}
