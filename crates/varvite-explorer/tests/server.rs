//! A server for one test, on a port of its own, and a client that sends bytes.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value as Json, json};
use varvite::{Graph, OpenOptions};
use varvite_explorer::{Explorer, GraphFile, Limits, Stop};
use varvite_import::Import;

/// The time after which a client gives up: longer than any time limit of the server that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A graph of the examples, imported once.
pub(crate) fn example(name: &str) -> PathBuf {
    static IMPORTED: OnceLock<()> = OnceLock::new();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = |name: &str| folder.join(format!("explorer-{name}.varvite"));
    IMPORTED.get_or_init(|| {
        for name in ["zlib", "content"] {
            let source = format!("{}/../../examples/data/{name}.cpg.bin", env!("CARGO_MANIFEST_DIR"));
            _ = std::fs::remove_file(path(name));
            Import::new(source).write_to(path(name)).unwrap();
        }
    });
    path(name)
}

/// A file that the server opens by its path.
pub(crate) fn file(name: &str, path: impl Into<PathBuf>) -> GraphFile {
    let path = path.into();
    GraphFile::open(name, path.clone(), move || Graph::open(&path))
}

/// A file that the server reads into memory.
pub(crate) fn buffered(name: &str, path: impl Into<PathBuf>) -> GraphFile {
    let path = path.into();
    GraphFile::open(name, path.clone(), move || OpenOptions::new().buffered().open(&path))
}

/// A server that ends with the test.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) code: String,
    token: String,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

/// An answer: its status, its head in lower case, and its body.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    /// A server of graphs, whose page has logged in.
    pub(crate) fn start(files: Vec<GraphFile>, limits: Limits) -> Self {
        let explorer = Explorer::bind(files, limits, 0).unwrap();
        let address = explorer.address();
        assert!(address.ip().is_loopback());
        let code = explorer.link().split_once("#code=").unwrap().1.to_owned();
        let stop = explorer.stopper();
        let thread = std::thread::spawn(move || explorer.run().unwrap());
        let mut server = Self { address, code, token: String::new(), stop, thread: Some(thread) };
        let answer = server.post("/api/login", &json!({ "code": server.code }).to_string());
        assert_eq!(answer.status, 200, "{answer:?}");
        server.token = answer.json()["token"].as_str().unwrap().to_owned();
        server
    }

    /// A server of the examples: zlib, and the graph with sources.
    pub(crate) fn of_examples() -> Self {
        let files = vec![file("zlib", example("zlib")), file("content", example("content"))];
        Self::start(files, Limits::default())
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Sends bytes, and reads to the end of the connection. `None` if the server closes it without an answer.
    pub(crate) fn send(&self, request: &[u8]) -> Option<Response> {
        exchange(self.address, request).unwrap()
    }

    /// Sends a body to an address of the server.
    pub(crate) fn post(&self, path: &str, body: &str) -> Response {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Varvite-Token: {}\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        self.send(request.as_bytes()).unwrap()
    }

    /// The answer to a question.
    #[track_caller]
    pub(crate) fn ask(&self, question: Json) -> Json {
        let response = self.post("/api/query", &question.to_string());
        assert_eq!(response.status, 200, "{question}: {response:?}");
        response.json()["answer"].clone()
    }

    /// The status of a question that has no answer, and its error.
    #[track_caller]
    pub(crate) fn fault(&self, question: Json) -> (u16, Json) {
        let response = self.post("/api/query", &question.to_string());
        assert_ne!(response.status, 200, "{question}");
        (response.status, response.json()["error"].clone())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            assert!(thread.join().is_ok() || std::thread::panicking());
        }
    }
}

impl Response {
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// Sends a request, and reads the answer up to the end of the connection.
fn exchange(address: SocketAddr, request: &[u8]) -> io::Result<Option<Response>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // A server that refuses a request may close the connection while the client still sends it.
    _ = stream.write_all(request);
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => answer.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => break,
            Err(error) => return Err(error),
        }
        if is_whole(&answer) {
            _ = stream.shutdown(Shutdown::Both);
            break;
        }
    }
    Ok(parsed(&answer))
}

/// Whether an answer has as many bytes as its head says.
fn is_whole(answer: &[u8]) -> bool {
    parsed(answer).is_some_and(|response| {
        let length = response.header("content-length").and_then(|length| length.parse::<usize>().ok());
        length.is_some_and(|length| response.body.len() >= length)
    })
}

fn parsed(answer: &[u8]) -> Option<Response> {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let head = head.replace("\r\n", "\n");
    let lower = |line: &str| match line.split_once(": ") {
        Some((name, value)) => format!("{}: {value}\n", name.to_lowercase()),
        None => format!("{line}\n"),
    };
    Some(Response { status, head: head.lines().map(lower).collect(), body: body.to_owned() })
}
