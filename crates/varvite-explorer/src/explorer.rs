//! [`Explorer`]: the server as a whole.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use thiserror::Error;
use tokio::runtime::Builder;
use tokio::sync::Notify;
use varvite::GraphError;

use crate::connections;
use crate::gate::Gate;
use crate::graphs::{GraphFile, Graphs};
use crate::limits::Limits;
use crate::routes;
use crate::shared::{QUESTIONS_AT_ONCE, Shared};

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
        let outcome = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = routes::router(self.shared, gate);
            let accepting = tokio::spawn(connections::accept(listener, router));
            self.stop.0.notified().await;
            accepting.abort();
            Ok(())
        });
        // A question that does not end must not hold up the end of the server.
        runtime.shutdown_background();
        outcome
    }
}
