//! Measures the time from a keystroke to the rows: types names letter by letter into the search of an
//! explorer, over a socket as a page does, and prints the median and the 99th percentile.
//!
//! Usage: `keystrokes FILE [NAME..]`. The bytes of the answers are counted, so that no search is left out.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_explorer::{Explorer, GraphFile, Limits};

/// Names that are typed if the caller gives none.
const NAMES: [&str; 12] = [
    "e1000_probe",
    "netif_rx",
    "skb_push",
    "kfree",
    "mutex_lock",
    "ethtool_ops",
    "sk_buff",
    "tx_timeout",
    "zzzzzz",
    "main",
    "drivers/net/tun.c",
    "i2c_transfer",
];
/// The number of times that each name is typed.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("usage: keystrokes FILE [NAME..]")?;
    let names: Vec<String> = words.collect();
    let names = if names.is_empty() { NAMES.map(str::to_owned).to_vec() } else { names };
    let begin = Instant::now();
    let file = GraphFile::open("graph", path.clone(), move || Graph::open(&path));
    let explorer = Explorer::bind(vec![file], Limits::default(), 0)?;
    let (address, link, stop) =
        (explorer.address().to_string(), explorer.link().to_owned(), explorer.stopper());
    let server = std::thread::spawn(move || explorer.run());
    let code = link.split_once("#code=").ok_or("a link has a code")?.1;
    let mut client = Client { address, token: String::new(), stream: None };
    let token = client.ask("/api/login", &json!({ "code": code }))?.0;
    client.token = token["token"].as_str().ok_or("a login gives a token")?.to_owned();
    client.ask("/api/query", &json!({ "question": "files" }))?;
    println!("first answer after {:.1} ms", begin.elapsed().as_secs_f64() * 1000.0);
    let (mut times, mut slowest, mut bytes) = (Vec::new(), (0.0, String::new()), 0);
    for _ in 0..ROUNDS {
        for name in &names {
            for (at, letter) in name.char_indices() {
                let text = &name[..at + letter.len_utf8()];
                let begin = Instant::now();
                let (_, len) = client.ask("/api/query", &json!({ "question": "search", "text": text }))?;
                let time = begin.elapsed().as_secs_f64() * 1000.0;
                bytes += len;
                times.push(time);
                if time > slowest.0 {
                    slowest = (time, text.to_owned());
                }
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    println!(
        "{} keystrokes, {bytes} bytes: median {:.1} ms, 99th percentile {:.1} ms, slowest {:.1} ms ({:?})",
        times.len(),
        at(50),
        at(99),
        slowest.0,
        slowest.1
    );
    stop.stop();
    server.join().map_err(|_| "the server has ended by a fault")??;
    Ok(())
}

/// A client with one connection, which it renews when the server has closed it.
struct Client {
    address: String,
    token: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Client {
    /// The answer to a question, and its bytes.
    fn ask(&mut self, path: &str, question: &Json) -> Result<(Json, usize), Box<dyn Error>> {
        match self.exchange(path, question) {
            Err(_) => {
                self.stream = None;
                self.exchange(path, question)
            }
            answer => answer,
        }
    }

    fn exchange(&mut self, path: &str, question: &Json) -> Result<(Json, usize), Box<dyn Error>> {
        let body = question.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Varvite-Token: {}\r\n\
             Content-Length: {}\r\n\r\n",
            self.address,
            self.token,
            body.len()
        );
        if self.stream.is_none() {
            let stream = TcpStream::connect(&self.address)?;
            stream.set_nodelay(true)?;
            self.stream = Some(BufReader::new(stream));
        }
        let stream = self.stream.as_mut().ok_or("there is a connection")?;
        stream.get_mut().write_all((head + &body).as_bytes())?;
        let (mut line, mut length, mut status) = (String::new(), 0, String::new());
        while stream.read_line(&mut line)? > 2 {
            if status.is_empty() {
                status = line.trim().to_owned();
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            line.clear();
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer)?;
        match status.starts_with("HTTP/1.1 200") {
            true => Ok((serde_json::from_slice(&answer)?, length)),
            false => Err(format!("{status}: {}", String::from_utf8_lossy(&answer)).into()),
        }
    }
}
