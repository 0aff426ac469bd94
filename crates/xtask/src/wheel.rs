//! The Python package: `cargo xtask python` builds its wheel, `cargo xtask test-python` tests it, `cargo
//! xtask test-networkx` runs NetworkX's own tests against its backend, `cargo xtask test-pyg` makes graphs of
//! PyTorch Geometric, and `cargo xtask test-spark` kills workers of Spark.
//!
//! The tests get a wheel of the profile of tests, installed in an environment with the libraries that read
//! its arrays and tables. Another environment is empty, and has no compiler: the package must install and
//! answer there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, target_dir};
use crate::python::{ADVICE, environment, environment_of};
use crate::{Failure, Outcome, cannot, explorer};

/// The lists of an environment's packages, below the folder of the binding.
type Lists = [&'static str; 2];

/// The environments of tests. Spark's jars are large, so the tests without a cluster have its classes alone;
/// PyTorch brings libraries for graphics cards, which are larger still.
const WITHOUT_SPARK: Lists = ["requirements-test.txt", "requirements-spark-client.txt"];
const WITH_SPARK: Lists = ["requirements-test.txt", "requirements-spark.txt"];
const WITH_PYG: Lists = ["requirements-test.txt", "requirements-pyg.txt"];
/// The tests that make random calls. They run in Python's development mode.
const HOSTILE: &str = "tests/test_hostile.py";

/// Builds the wheel for users of this machine's system, and prints its path.
pub(crate) fn build(root: &Path) -> Outcome {
    println!("{}", release(root)?.display());
    Ok(())
}

/// Builds the wheel for users of this machine's system, and returns its path.
pub(crate) fn release(root: &Path) -> Outcome<PathBuf> {
    explorer::build_if_possible(root)?;
    wheel(root, "wheels", &["--profile", "release"], None)
}

/// Builds the wheel of tests in a folder below the target folder, and returns its path.
pub(crate) fn of_tests(root: &Path, folder: &str) -> Outcome<PathBuf> {
    wheel(root, folder, &["--profile", "dev"], None)
}

/// Builds the wheel for a triple of Linux and for a glibc, such as `2_17`, in a folder below the target
/// folder, and returns its path. zig is the C compiler and the linker.
pub(crate) fn of_linux(
    root: &Path,
    folder: &str,
    triple: &str,
    glibc: &str,
    commit: &str,
) -> Outcome<PathBuf> {
    let tag = format!("manylinux_{glibc}");
    let words = ["--profile", "release", "--zig", "--target", triple, "--compatibility", &tag];
    wheel(root, folder, &words, Some(commit))
}

/// Runs the tests of the Python package.
pub(crate) fn test(root: &Path) -> Outcome {
    let (python, wheel) = environment_of_tests(root, "python-test", WITHOUT_SPARK)?;
    let mut mypy = Command::new(&python);
    mypy.current_dir(root.join("bindings/python"));
    process::run(mypy.args(["-m", "mypy", "python", "tests", "long", "benches"]), ADVICE)?;
    pytest(root, &python, &wheel, &["tests", "-m", "not cluster", "--ignore", HOSTILE], &[])?;
    pytest(root, &python, &wheel, &[HOSTILE], &[("PYTHONDEVMODE", "1")])
}

/// Makes graphs of PyTorch Geometric, and joins them to batches.
pub(crate) fn test_pyg(root: &Path) -> Outcome {
    let (python, wheel) = environment_of_tests(root, "python-pyg", WITH_PYG)?;
    pytest(root, &python, &wheel, &["long/test_pyg.py"], &[])
}

/// The path of Python in an environment with PyTorch Geometric, in which a wheel is installed.
pub(crate) fn environment_with_pyg(root: &Path, wheel: &Path) -> Outcome<PathBuf> {
    environment_with(root, wheel, "python-pyg", WITH_PYG)
}

/// Runs the tests of Spark's data source on a cluster; in some, a worker is killed in the middle of each job.
pub(crate) fn test_spark(root: &Path) -> Outcome {
    let (python, wheel) = environment_of_tests(root, "python-spark", WITH_SPARK)?;
    pytest(root, &python, &wheel, &["tests/test_spark.py", "long/test_spark_workers.py"], &[])
}

/// The paths of Python in an environment of tests, and of the wheel that is installed there.
fn environment_of_tests(root: &Path, name: &str, lists: Lists) -> Outcome<(PathBuf, PathBuf)> {
    let wheel = of_tests(root, "test-wheels")?;
    Ok((environment_with(root, &wheel, name, lists)?, wheel))
}

/// The path of Python in an environment with Spark, in which a wheel is installed.
pub(crate) fn environment_with_spark(root: &Path, wheel: &Path) -> Outcome<PathBuf> {
    environment_with(root, wheel, "python-spark", WITH_SPARK)
}

fn environment_with(root: &Path, wheel: &Path, name: &str, lists: Lists) -> Outcome<PathBuf> {
    let python = environment_of(root, &lists.map(|list| root.join("bindings/python").join(list)), name)?;
    install(&python, wheel)?;
    Ok(python)
}

fn pytest(root: &Path, python: &Path, wheel: &Path, tests: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let mut pytest = Command::new(python);
    pytest.current_dir(root.join("bindings/python"));
    pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).args(tests);
    pytest.env("VARVITE_WHEEL", wheel).env("PYTHONDONTWRITEBYTECODE", "1").envs(variables.iter().copied());
    process::run(&mut pytest, ADVICE)
}

/// Runs the tests of NetworkX against the backend.
pub(crate) fn test_networkx(root: &Path) -> Outcome {
    let wheel = of_tests(root, "test-wheels")?;
    let folder = root.join("bindings/python");
    let python = environment(root, &folder.join("requirements-networkx.txt"), "python-networkx")?;
    install(&python, &wheel)?;
    let mut suite = Command::new(&python);
    process::run(suite.arg(folder.join("networkx_suite.py")).env("PYTHONDONTWRITEBYTECODE", "1"), ADVICE)
}

fn wheel(root: &Path, folder: &str, words: &[&str], commit: Option<&str>) -> Outcome<PathBuf> {
    let python = tools(root)?;
    let folder = target_dir(root).join(folder);
    remove_wheels(&folder)?;
    let mut build = Command::new(python.with_file_name("maturin"));
    build
        .current_dir(root.join("bindings/python"))
        .args(["build", "--quiet", "--locked", "--out"])
        .arg(&folder);
    // For another processor, the stable interface needs no Python of that processor.
    if !words.contains(&"--target") || words.iter().any(|word| word.starts_with(std::env::consts::ARCH)) {
        build.arg("--interpreter").arg(&python);
    }
    build.args(words);
    if let Some(commit) = commit {
        build.env("VARVITE_COMMIT", commit);
    }
    process::run(&mut build, ADVICE)?;
    let found = wheels(&folder)?.into_iter().next();
    found.ok_or_else(|| Failure(format!("maturin made no wheel in {}", folder.display())))
}

/// The path of Python in the environment with the programs that build and pack wheels.
pub(crate) fn tools(root: &Path) -> Outcome<PathBuf> {
    environment(root, &root.join("bindings/python/requirements-build.txt"), "python-build")
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
