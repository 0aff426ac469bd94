//! Connections: a fixed number of clients is served at a time, and none of them can hold its place by being
//! slow.
//!
//! A client has to send its headers within [`HEADER_TIME`] (hyper's own timer is off unless a server sets
//! it), and the body within the time of the route. After a minute a connection ends with its current answer,
//! and a client that does not take the answer is cut off after the deadline of questions and half a minute
//! more ([`TIMES`]). A client beyond the number gets an answer of one packet, without a look at its
//! request.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// The most connections that are served at a time.
pub(crate) const CONNECTIONS_MAX: usize = 64;
/// The most refused connections that are held until their clients have read the refusal.
const REFUSED_MAX: usize = 256;
/// The time in which a client sends its headers, and for which a connection may be idle.
const HEADER_TIME: Duration = Duration::from_secs(5);
/// The most bytes of headers.
const HEADER_BYTES: usize = 16 << 10;
/// The times of connections.
const TIMES: Times = Times { connection: Duration::from_secs(60), answer: Duration::from_secs(30) };
/// The time for which a refused client may read, and the bytes of its request that are read and dropped.
const REFUSAL_TIME: Duration = Duration::from_secs(1);
const REFUSED_BYTES: u64 = 64 << 10;
/// The pause after the system could give no connection, because too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// The answer to a client beyond the number.
const BUSY: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\nretry-after: 1\r\n\
    cache-control: no-store\r\ncontent-type: application/json\r\ncontent-length: 88\r\n\r\n\
    {\"error\":{\"code\":\"busy\",\"message\":\"64 connections are open: try again in a second\"}}    ";

/// The times of a connection.
#[derive(Clone, Copy)]
struct Times {
    /// The age at which it takes no more requests.
    connection: Duration,
    /// The time for its last answer, in addition to the deadline of questions.
    answer: Duration,
}

/// Accepts clients for ever. A question may take the time `deadline`.
pub(crate) async fn accept(listener: TcpListener, router: Router, deadline: Duration) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let refusals = Arc::new(Semaphore::new(REFUSED_MAX));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => {
                _ = stream.set_nodelay(true);
                tokio::spawn(serve(stream, router.clone(), deadline, TIMES, place));
            }
            Err(_) => {
                if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(refuse(stream, place));
                }
            }
        }
    }
}

/// Serves a client until it leaves, or until its time is over: the last question may take the time
/// `deadline`.
async fn serve<S>(stream: S, router: Router, deadline: Duration, times: Times, _place: OwnedSemaphorePermit)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    if timeout(times.connection, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        _ = timeout(deadline.saturating_add(times.answer), connection).await;
    }
}

/// Tells a client that there is no place. Its request is read: a connection that is closed with unread bytes
/// would lose the answer.
async fn refuse(mut stream: TcpStream, _place: OwnedSemaphorePermit) {
    let refusal = async {
        stream.write_all(BUSY).await?;
        stream.shutdown().await?;
        tokio::io::copy(&mut (&mut stream).take(REFUSED_BYTES), &mut tokio::io::sink()).await
    };
    _ = timeout(REFUSAL_TIME, refusal).await.unwrap_or_else(|late| Err(io::Error::other(late)));
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn a_question_gets_its_answer_within_a_deadline_that_is_longer_than_a_connection() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let times = Times { connection: Duration::from_millis(20), answer: TIMES.answer };
        let deadline = 5 * times.connection;
        let late = move || async move {
            sleep(deadline).await;
            "late"
        };
        let answer = runtime.block_on(async {
            let (mut client, server) = tokio::io::duplex(4096);
            let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
            tokio::spawn(serve(server, Router::new().route("/", get(late)), deadline, times, place));
            client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            answer
        });
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("late"), "{answer:?}");
    }

    #[test]
    fn the_refusal_has_the_length_that_it_says() {
        let text = std::str::from_utf8(BUSY).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
        assert!(body.contains(&format!("\"{CONNECTIONS_MAX} connections")));
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }
}
