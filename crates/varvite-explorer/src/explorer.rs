//! [`Explorer`]: the server as a whole.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use thiserror::Error;
use tokio::runtime::Builder;
use tokio::sync::Notify;
use varvite::GraphError;

use crate::connections;
use crate::gate::Gate;
use crate::graphs::{GraphFile, Graphs, NAMES_THREAD};
use crate::limits::Limits;
use crate::routes;
use crate::shared::{QUESTIONS_AT_ONCE, Shared};
use crate::views::AGE_MAX;

/// The reason why a server could not start, or ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The port is in use, or may not be used.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; choose another --port, or 0 for any free one")]
    Port {
        /// The port.
        port: u16,
        /// The error of the operating system.
        r#source: io::Error,
    },
    /// The operating system gave no random numbers, or no thread.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// None of the files can be opened: the error of the first one.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// A server on the loopback interface. It listens from [`Explorer::bind`] on, and answers in
/// [`Explorer::run`].
#[derive(Debug)]
pub struct Explorer {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Stop,
}

/// Ends an explorer from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends the explorer soon, even one that runs only later.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Explorer {
    /// Listens on a port of 127.0.0.1; 0 stands for any free port.
    ///
    /// # Errors
    /// [`ServeError`], if the port is in use or if none of the files could be opened.
    pub fn bind(files: Vec<GraphFile>, limits: Limits, port: u16) -> Result<Self, ServeError> {
        let graphs = Graphs::new(files)?;
        let refused = |source| ServeError::Port { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::new(graphs, limits, address)?);
        Ok(Self { listener, address, shared, stop: Stop::default() })
    }

    /// The address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link that the server was started with. Its launch code works once.
    pub fn link(&self) -> &str {
        &self.shared.link
    }

    /// Ends this server from another thread.
    pub fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers until the server is stopped.
    ///
    /// # Errors
    /// [`ServeError::Io`], if the server cannot begin.
    pub fn run(self) -> Result<(), ServeError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(QUESTIONS_AT_ONCE)
            .thread_name("varvite-explorer")
            .build()?;
        let gate = Arc::new(Gate::of(self.address.port()));
        let shared = Arc::clone(&self.shared);
        let memory = shared.limits.memory;
        // Without the thread, the first search makes the indexes.
        let make_names = move || shared.graphs.make_names(memory);
        _ = thread::Builder::new().name(NAMES_THREAD.to_owned()).spawn(make_names);
        let shared = Arc::clone(&self.shared);
        let outcome = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let deadline = shared.limits.deadline;
            tokio::spawn(prune(Arc::clone(&shared)));
            let router = routes::router(shared, gate);
            let accepting = tokio::spawn(connections::accept(listener, router, deadline));
            self.stop.0.notified().await;
            accepting.abort();
            Ok(())
        });
        self.shared.graphs.cancel_names();
        // A question that does not end must not hold up the end of the server.
        runtime.shutdown_background();
        outcome
    }
}

/// Frees documents that wait for their frames too long.
async fn prune(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(AGE_MAX).await;
        shared.views.prune();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    /// The golden files are graphs too.
    const GRAPH: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files/awkward.direct.varvite");

    /// Sends a body to an address of the server, and returns its answer.
    fn post(address: SocketAddr, path: &str, token: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             X-Varvite-Token: {token}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn a_question_that_panics_gets_an_answer_and_the_server_goes_on() {
        let files = vec![GraphFile::open("awkward", GRAPH, || varvite::Graph::open(GRAPH))];
        let explorer = Explorer::bind(files, Limits::default(), 0).unwrap();
        let (address, stop) = (explorer.address(), explorer.stopper());
        let code = explorer.link().split_once("#code=").unwrap().1.to_owned();
        let server = thread::spawn(move || explorer.run());
        let login = post(address, "/api/login", "", &format!("{{\"code\":\"{code}\"}}"));
        let token = login.split_once("\"token\":\"").unwrap().1.split('"').next().unwrap().to_owned();
        // More of them than there are turns: each has to give its turn back.
        for _ in 0..2 * QUESTIONS_AT_ONCE {
            let answer = post(address, "/api/query", &token, "{\"question\":\"panic\"}");
            assert!(answer.starts_with("HTTP/1.1 500 "), "{answer}");
            assert!(answer.contains("\"code\":\"fault\"") && answer.contains("please report"), "{answer}");
        }
        let answer = post(address, "/api/query", &token, "{\"question\":\"files\"}");
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("awkward"), "{answer}");
        stop.stop();
        server.join().unwrap().unwrap();
    }
}
