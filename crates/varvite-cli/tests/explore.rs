//! Tests of `varvite explore` as a process: its link, its end, and many clients at once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::command::{Folder, command, varvite, zlib};

/// A server that is killed with the test.
struct Server {
    child: Child,
    address: String,
    code: String,
}

impl Server {
    fn start(words: &[&str]) -> Self {
        let mut child = command();
        child.arg("explore").args(words).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let (address, code) = link.trim().strip_prefix("http://").unwrap().split_once("/#code=").unwrap();
        let (address, code) = (address.to_owned(), code.to_owned());
        assert!(address.starts_with("127.0.0.1:"), "{link}");
        Self { child, address, code }
    }

    /// A number of kilobytes in the status of the process: `RssAnon` is the memory in use now,
    /// without the pages of files, and `VmHWM` the most memory in use at any time.
    #[cfg(target_os = "linux")]
    fn kilobytes(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    }

    /// The answer to a body that is sent to an address.
    fn post(&self, path: &str, token: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Varvite-Token: {token}\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// The answer to the launch code.
    fn log_in(&self) -> String {
        self.post("/api/login", "", &format!("{{\"code\":\"{}\"}}", self.code))
    }

    fn token(&self) -> String {
        let login = self.log_in();
        login.split_once("\"token\":\"").unwrap().1.split('"').next().unwrap().to_owned()
    }

    /// The answer to a query in the language of Joern.
    fn ask(&self, token: &str, text: &str) -> String {
        let body = format!("{{\"question\":\"ask\",\"text\":\"{text}\",\"limit\":10000}}");
        self.post("/api/query", token, &body)
    }

    /// A request for the page, on a connection that stays open.
    fn connect(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        _ = write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The status of the next answer; 0 if the connection was closed without one.
fn status_of(stream: &mut TcpStream) -> u16 {
    let mut head = [0; 12];
    match stream.read_exact(&mut head) {
        Ok(()) => std::str::from_utf8(&head[9..]).unwrap().parse().unwrap(),
        Err(_) => 0,
    }
}

#[test]
fn the_command_prints_a_link_whose_code_logs_in() {
    let server = Server::start(&[zlib()]);
    let answer = server.log_in();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"token\":\""), "{answer}");
}

#[test]
fn a_copy_over_an_open_file_does_not_end_the_server() {
    let folder = Folder::new();
    let path = folder.path("graph.varvite");
    std::fs::copy(zlib(), &path).unwrap();
    let mut server = Server::start(&[&path]);
    let token = server.token();
    let ask = |server: &Server, text: &str| server.ask(&token, text);
    assert!(ask(&server, "cpg.method.size").contains("{\"value\":425}"));
    // A page of the file is left, so that a map of it has no other page.
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(4096).unwrap();
    let answer = ask(&server, "cpg.all.map(n => (n.label, n.code, n.name)).l");
    assert!(answer.contains("\"error\""), "{answer}");
    assert!(server.child.try_wait().unwrap().is_none(), "the server has ended");
    std::fs::copy(zlib(), &path).unwrap();
    assert!(server.post("/api/query", &token, "{\"question\":\"reopen\"}").contains("\"nodes\":44073"));
    assert!(ask(&server, "cpg.method.size").contains("{\"value\":425}"));
}

#[test]
#[cfg(unix)]
fn a_copied_command_is_one_that_the_shell_runs() {
    let server = Server::start(&[zlib()]);
    let token = server.token();
    for (part, expected) in [
        ("\"text\":\"cpg.method.name(\\\"inflate.*\\\").name.l.size + 1\"", "29"),
        ("\"text\":\"cpg.method.name(\\\"crc32\\\").name.l\"", "crc32"),
        ("\"node\":17", "17"),
        ("\"path\":{\"from\":\"compress\",\"to\":\"memcpy\",\"limit\":2}", "memcpy"),
        ("\"drawing\":{\"node\":0,\"view\":\"ast\",\"limit\":20}", "</svg>"),
    ] {
        let answer = server.post("/api/query", &token, &format!("{{\"question\":\"code\",{part}}}"));
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let answer: serde_json::Value = serde_json::from_str(body).unwrap();
        let copied = answer["answer"]["command"].as_str().unwrap();
        let script = format!("varvite() {{ \"$VARVITE\" \"$@\"; }}\n{copied}");
        let run = std::process::Command::new("bash")
            .args(["-c", &script])
            .env("VARVITE", env!("CARGO_BIN_EXE_varvite"))
            .output()
            .unwrap();
        let shown = String::from_utf8(run.stdout).unwrap();
        assert!(run.status.success() && shown.contains(expected), "{copied}: {shown}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_question_of_many_parts_holds_no_more_memory_than_a_question_may() {
    let server = Server::start(&[zlib(), "--deadline", "60"]);
    let parts = vec!["cpg.all"; 60].join(", ");
    let answer = server.ask(&server.token(), &format!("({parts})"));
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    let most = server.kilobytes("VmHWM");
    assert!(most < 300 << 10, "{most} kB");
}

/// The seconds for which clients come. `VARVITE_CLIENT_SECONDS=60` is the long form.
fn seconds_of_clients() -> u64 {
    std::env::var("VARVITE_CLIENT_SECONDS").map_or(4, |seconds| seconds.parse().expect("a number of seconds"))
}

#[test]
fn of_200_clients_at_once_64_are_served_and_memory_stays_flat() {
    let server = Server::start(&[zlib()]);
    let round = || {
        let mut clients: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
        let statuses: Vec<u16> = clients.iter_mut().map(status_of).collect();
        let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
        assert_eq!((count(200), count(429)), (64, 136), "{statuses:?}");
        drop(clients);
        // The server notices that they have left.
        let begin = Instant::now();
        while status_of(&mut server.connect()) != 200 {
            assert!(begin.elapsed() < Duration::from_secs(10));
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    round();
    #[cfg(target_os = "linux")]
    let before = server.kilobytes("RssAnon");
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(seconds_of_clients()) {
        round();
    }
    #[cfg(target_os = "linux")]
    {
        let grown = server.kilobytes("RssAnon").saturating_sub(before);
        assert!(grown < 4 << 10, "the server has grown by {grown} kB");
    }
}

#[test]
fn a_port_in_use_is_one_line() {
    let server = Server::start(&[zlib()]);
    let port = server.address.rsplit_once(':').unwrap().1;
    varvite(&["explore", zlib(), "--port", port]).fails(2, &["cannot listen on 127.0.0.1:", "--port"]);
}

#[test]
fn files_that_cannot_be_opened_are_noted_and_alone_an_error() {
    let folder = Folder::new();
    let missing = folder.path("missing.varvite");
    varvite(&["explore", &missing]).fails(3, &["missing.varvite"]);
    let both = varvite(&["explore", zlib(), &missing, "--end-after", "0"]);
    let errors = both.errors();
    assert!(errors.contains("note: ") && errors.contains("missing.varvite"), "{errors}");
    assert!(both.text_beside_complaints().starts_with("http://127.0.0.1:"));
}
