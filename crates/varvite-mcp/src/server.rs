//! [`serve`]: the protocol, by the SDK: which tools there are, and how a call runs.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError, ServiceExt};
use rmcp::{RoleServer, ServerHandler};
use thiserror::Error;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use varvite::{Cancel, GraphError};

use crate::fault::{Fault, Result};
use crate::frames::Frames;
use crate::graphs::{Graphs, NamedGraph};
use crate::limits::{Call, Limits};
use crate::tools::{self, Request};

/// The time after the deadline in which a call has to notice it.
const GRACE: Duration = Duration::from_secs(2);

/// The most calls that wait. More of them are refused, so that a client cannot fill the memory with calls.
const WAITING_MAX: usize = 32;

/// The reason why a server ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// No thread can be started, or the client does not take answers.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A call has found damage in a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Answers a client until its input ends. One call runs at a time, so that the memory limit of a call is that
/// of the server; other calls wait.
///
/// # Errors
/// [`ServeError`]. Faults of the client and of its calls are not errors: the client gets them as answers.
pub fn serve<R, W>(
    graphs: Vec<NamedGraph>,
    limits: Limits,
    input: R,
    output: W,
) -> std::result::Result<(), ServeError>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let graphs = Arc::new(Graphs::new(graphs));
    session(Server::new(Arc::clone(&graphs), limits), input, output)?;
    Ok(graphs.check()?)
}

/// Runs a session until the input of the client ends.
fn session<R, W>(server: Server, input: R, output: W) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let runtime = Builder::new_current_thread().enable_time().build()?;
    let outcome = runtime.block_on(async {
        let session = match server.serve(Frames::start(input, output)?).await {
            // The client left before it began.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            session => session.map_err(io::Error::other)?,
        };
        session.waiting().await.map(drop).map_err(io::Error::other)
    });
    // A call that does not end must not hold up the end of the process.
    runtime.shutdown_background();
    outcome
}

struct Server {
    graphs: Arc<Graphs>,
    limits: Limits,
    /// Is held by the call that runs.
    turn: Arc<Semaphore>,
    /// Is held by all calls that are not answered.
    waiting: Semaphore,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("varvite", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::instructions(&self.graphs.names()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let arguments = params.arguments.unwrap_or_default();
        let request = Request::read(&params.name, arguments);
        let request = request.map_err(|fault| ErrorData::invalid_params(fault.into_text(), None))?;
        let is_gone = context.ct.clone();
        let outcome = self.answer(request, Cancel::when(move || is_gone.is_cancelled())).await;
        let result = match outcome {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(fault) => CallToolResult::error(vec![ContentBlock::text(fault.into_text())]),
        };
        Ok(result.into())
    }

    /// A request of a known method comes here too, if its parameters are of the wrong form.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => {
                let what = "tools/call takes name, the name of a tool, and arguments, an object";
                ErrorData::invalid_params(what, None)
            }
            "tools/list" => ErrorData::invalid_params("tools/list takes no parameter but cursor", None),
            _ => {
                let method = Fault::new(&format!("there is no method {:?}", request.method)).into_text();
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
            }
        })
    }
}

impl Server {
    fn new(graphs: Arc<Graphs>, limits: Limits) -> Self {
        let (turn, waiting) = (Arc::new(Semaphore::new(1)), Semaphore::new(WAITING_MAX));
        Self { graphs, limits, turn, waiting }
    }

    /// The answer of a tool, or the fault if there is none before the deadline.
    async fn answer(&self, request: Request, cancel: Cancel) -> Result<String> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(Fault::new("too many calls wait: send the next one after an answer"));
        };
        let (graphs, limits, turn) = (Arc::clone(&self.graphs), self.limits, Arc::clone(&self.turn));
        let work = async move {
            let turn = turn.acquire_owned().await.map_err(|error| Fault::new(&error.to_string()))?;
            let run = move || {
                let outcome = request.answer(&graphs, &Call::begin(limits, &cancel));
                // The next call begins when this one has really ended.
                drop(turn);
                outcome
            };
            let ended = tokio::task::spawn_blocking(run).await;
            ended.unwrap_or_else(|_| Err(Fault::new("the call ended by a fault of the server")))
        };
        let late = || {
            let seconds = self.limits.deadline.as_secs_f64();
            Fault::new(&format!("the call took longer than {seconds} s: ask for less, or raise --deadline"))
        };
        tokio::time::timeout(limits.deadline + GRACE, work).await.unwrap_or_else(|_| Err(late()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The golden files are graphs too.
    const GRAPH: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files/awkward.direct.varvite");

    #[test]
    fn a_call_that_panics_gets_an_answer_and_the_server_goes_on() {
        let graph = varvite::Graph::open(GRAPH).unwrap();
        let graphs = Arc::new(Graphs::new(vec![NamedGraph::new("awkward", graph)]));
        let server = Server::new(graphs, Limits::default());
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let schema = || Request::read("schema", serde_json::Map::new()).unwrap();
        for _ in 0..3 {
            let answer = runtime.block_on(server.answer(Request::panicking(), Cancel::default()));
            assert!(answer.is_err_and(|fault| format!("{fault:?}").contains("fault of the server")));
        }
        assert!(runtime.block_on(server.answer(schema(), Cancel::default())).is_ok());
    }
}
