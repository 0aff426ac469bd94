//! `cargo xtask test-joern --server`: asks Joern's server the same questions on flatgraph and on a mapped
//! file.
//!
//! The questions come from unmodified clients: the package `cpgqls-client` from PyPI, and plain requests
//! (`bindings/java/joern/server/clients.py`). The server listens on the loopback interface alone, and is
//! stopped at the end of the test.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::process;
use crate::python;
use crate::{Failure, Outcome, cannot};

use super::agree;
use super::programs::{Programs, SHELL};

const CLIENTS: &str = "bindings/java/joern/server/clients.py";
const PACKAGES: &str = "bindings/java/joern/server/requirements.txt";
const HOST: &str = "127.0.0.1";
/// The number of answers of both steps; with fewer, the clients have asked too little.
const ANSWERS_MIN: usize = 15;

/// Compares the answers of both servers.
pub(super) fn check(root: &Path, programs: &Programs<'_>, cpg: &Path, mapped: &Path) -> Outcome {
    let python = python::environment(root, &root.join(PACKAGES), "joern-server")?;
    let clients = Clients { python, script: root.join(CLIENTS), folder: programs.folder.join("server") };
    let expected = clients.answers("flatgraph", cpg, || Ok(programs.paths.installed(&["-Xmx1g"], SHELL)))?;
    let found = clients.answers("mapped", mapped, || {
        let mut joern = programs.varvite(&["joern", "--heap", "1G"]);
        joern.arg("--");
        Ok(joern)
    })?;
    agree("Joern's server", &expected, &found)?;
    match expected.len() >= ANSWERS_MIN {
        true => println!(
            "joern --server: two clients of PyPI and plain requests get the same {} answers",
            expected.len()
        ),
        false => return Err(Failure(format!("the clients of Joern's server asked only {expected:?}"))),
    }
    Ok(())
}

/// The script of the clients, and the Python that runs it.
struct Clients {
    python: PathBuf,
    script: PathBuf,
    folder: PathBuf,
}

impl Clients {
    /// The answers of a server on one engine: before and after it was started anew.
    fn answers(
        &self,
        engine: &str,
        graph: &Path,
        joern: impl Fn() -> Outcome<Command>,
    ) -> Outcome<Vec<String>> {
        let folder = self.folder.join(engine);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
        let mut answers = Vec::new();
        for words in [&["first", &*graph.display().to_string()][..], &["again"]] {
            let server = Server::start(joern()?, &folder)?;
            let mut clients = Command::new(&self.python);
            clients.arg(&self.script).arg(server.port.to_string()).args(words);
            let said = process::output(&mut clients, python::ADVICE).map_err(|failure| {
                Failure(format!("{}: see {}", failure.0, folder.join("server.log").display()))
            })?;
            // The path of the graph is not the same.
            let answer = |line: &str| line.replace(&graph.display().to_string(), "GRAPH");
            answers.extend(said.lines().map(answer));
        }
        Ok(answers)
    }
}

/// A server that runs.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts a server in a folder, at a free port.
    fn start(mut joern: Command, folder: &Path) -> Outcome<Self> {
        let port = free_port().map_err(|error| Failure(format!("no port is free: {error}")))?;
        let path = folder.join("server.log");
        let log = File::create(&path).map_err(|error| cannot("create", &path, &error))?;
        let errors = log.try_clone().map_err(|error| cannot("use", &path, &error))?;
        joern.args(["--server", "--server-host", HOST, "--server-port", &port.to_string()]);
        joern.current_dir(folder).stdin(Stdio::null()).stdout(log).stderr(errors);
        let child = joern.spawn().map_err(|error| process::could_not_start(&joern, &error, ""))?;
        Ok(Self { child, port })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // `varvite joern` replaces itself by Java, so this ends Java.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((HOST, 0))?.local_addr()?.port())
}
