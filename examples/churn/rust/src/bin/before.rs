//! Sends a message at each tick of a timer, and makes a new TLS client for each message.

use std::thread::sleep;
use std::time::Duration;

use churn::{Outcome, Server, messages, new_client, send, serve};

fn send_all(server: &Server, messages: u32) -> Outcome<u32> {
    let mut answered = 0;
    for _ in 0..messages {
        sleep(Duration::from_millis(2));
        let client = new_client(&server.certificate)?;
        answered += u32::from(send(&client, server.port, "still there?")?);
    }
    Ok(answered)
}

fn main() -> Outcome<()> {
    let Some(messages) = messages() else { return serve() };
    let answered = send_all(&Server::start()?, messages)?;
    println!("{answered} of {messages} messages were answered");
    Ok(())
}
