//! [`Shared`]: the state that all requests of a server share.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::graphs::Graphs;
use crate::layouts::Layouts;
use crate::limits::Limits;
use crate::sessions::Sessions;
use crate::views::Views;

/// The questions that run at a time, and those that wait for them.
pub(crate) const QUESTIONS_AT_ONCE: usize = 4;
const WAITING_MAX: usize = 16;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) graphs: Graphs,
    pub(crate) limits: Limits,
    pub(crate) sessions: Sessions,
    pub(crate) views: Views,
    pub(crate) layouts: Layouts,
    /// The link that the server was started with.
    pub(crate) link: String,
    address: SocketAddr,
    /// Is held by questions that run.
    pub(crate) turn: Arc<Semaphore>,
    /// Is held by questions that are not answered.
    pub(crate) waiting: Arc<Semaphore>,
}

impl fmt::Debug for Shared {
    /// Leaves out the link, which has a launch code.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Shared").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn new(graphs: Graphs, limits: Limits, address: SocketAddr) -> io::Result<Self> {
        let mut shared = Self {
            graphs,
            limits,
            sessions: Sessions::default(),
            views: Views::default(),
            layouts: Layouts::default(),
            link: String::new(),
            address,
            turn: Arc::new(Semaphore::new(QUESTIONS_AT_ONCE)),
            waiting: Arc::new(Semaphore::new(QUESTIONS_AT_ONCE + WAITING_MAX)),
        };
        shared.link = shared.new_link()?;
        Ok(shared)
    }

    /// A link with a new launch code. The code stands in the fragment, which a browser sends to nobody.
    pub(crate) fn new_link(&self) -> io::Result<String> {
        Ok(format!("http://{}/#code={}", self.address, self.sessions.new_code()?))
    }
}
