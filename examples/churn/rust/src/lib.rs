//! The common parts of both programs: a TLS client, a message, and a server in a process of its own, on
//! loopback.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, Stream};

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Debian's file with the certificates of trusted authorities.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Makes a TLS client as programs usually do: it trusts the authorities of the system, and the server's
/// certificate.
pub fn new_client(server: &CertificateDer<'static>) -> Outcome<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    if let Ok(authorities) = CertificateDer::pem_file_iter(AUTHORITIES) {
        roots.add_parsable_certificates(authorities.flatten());
    }
    roots.add(server.clone())?;
    let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
    Ok(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}

/// Sends a message, and returns whether it was answered.
pub fn send(client: &Arc<ClientConfig>, port: u16, message: &str) -> Outcome<bool> {
    let mut connection = ClientConnection::new(Arc::clone(client), "localhost".try_into()?)?;
    let mut socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let mut stream = Stream::new(&mut connection, &mut socket);
    stream.write_all(message.as_bytes())?;
    let mut answer = vec![0; message.len()];
    stream.read_exact(&mut answer)?;
    Ok(answer == message.as_bytes())
}

/// The server process, and the certificate that it presents.
pub struct Server {
    process: Child,
    pub port: u16,
    pub certificate: CertificateDer<'static>,
}

impl Server {
    /// Starts this program again as the server, so that the client's profile has none of its allocations.
    pub fn start() -> Outcome<Self> {
        let program = std::env::current_exe()?;
        let mut process = Command::new(program).arg("--serve").stdout(Stdio::piped()).spawn()?;
        let mut output = BufReader::new(process.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let (port, length) = line.trim().split_once(' ').ok_or("no port")?;
        let mut certificate = vec![0; length.parse()?];
        output.read_exact(&mut certificate)?;
        Ok(Self { process, port: port.parse()?, certificate: certificate.into() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the server: sends each message back, until the process is stopped.
pub fn serve() -> Outcome<()> {
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der())?;
    let certificate = certified.cert.der().clone();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut output = std::io::stdout().lock();
    writeln!(output, "{} {}", listener.local_addr()?.port(), certificate.len())?;
    output.write_all(&certificate)?;
    output.flush()?;
    let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
    let config = Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key)?);
    for socket in listener.incoming() {
        // The server continues if a client closes its connection early.
        let _ = answer(&config, socket?);
    }
    Ok(())
}

fn answer(config: &Arc<ServerConfig>, mut socket: TcpStream) -> Outcome<()> {
    let mut connection = ServerConnection::new(Arc::clone(config))?;
    let mut stream = Stream::new(&mut connection, &mut socket);
    let mut text = [0; 256];
    let length = stream.read(&mut text)?;
    stream.write_all(&text[..length])?;
    Ok(stream.flush()?)
}

/// The number of messages to send; `None` in the server process.
pub fn messages() -> Option<u32> {
    let word = std::env::args().nth(1).unwrap_or_default();
    (word != "--serve").then(|| word.parse().unwrap_or(50))
}
