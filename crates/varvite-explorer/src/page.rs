//! The files of the page, inside the binary. Their names are those of the built page: no path of a request
//! reaches a file system.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::fault::{Fault, Result};

/// The built page. Without it, the folder has no `index.html`.
#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// The page of a build without the built page.
const NOTICE: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <title>Varvite</title>\n<h1>This varvite was built without its page</h1>\n\
    <p>Build the page (this needs Node.js), and then the command, from a checkout:</p>\n\
    <pre>make explorer-page\ncargo build --release -p varvite-cli</pre>\n\
    <p>The commands of releases have the page.</p>\n</html>\n";

/// The first file of the page.
pub(crate) async fn index() -> Response {
    match Assets::get("index.html") {
        Some(file) => ([(CONTENT_TYPE, "text/html; charset=utf-8")], file.data).into_response(),
        None => Html(NOTICE).into_response(),
    }
}

/// Another file of the page.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response> {
    let found = content_type(&name).and_then(|content_type| Some((content_type, Assets::get(&name)?)));
    let (content_type, file) = found.ok_or_else(no_route)?;
    Ok(([(CONTENT_TYPE, content_type)], file.data).into_response())
}

/// The fault of an address that the server does not have.
pub(crate) fn no_route() -> Fault {
    Fault::new(StatusCode::NOT_FOUND, "no_route", "the server has no such address")
}

/// The type of a file by its name; `None` for names that no file of the page has.
fn content_type(name: &str) -> Option<&'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let (stem, ending) = name.rsplit_once('.')?;
    if stem.is_empty() || stem.starts_with('.') || !name.bytes().all(is_plain) {
        return None;
    }
    Some(match ending {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_with_a_known_ending_are_files() {
        assert_eq!(content_type("app-1a2b.js"), Some("text/javascript; charset=utf-8"));
        for name in [
            "",
            ".js",
            ".gitignore",
            "..",
            "../lib.rs",
            "a/b.js",
            "a\\b.js",
            "a.js\0",
            "a.exe",
            "å.js",
            "..js",
        ] {
            assert_eq!(content_type(name), None, "{name}");
        }
    }
}
