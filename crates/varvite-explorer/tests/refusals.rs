//! Requests that the server refuses, each with the documented status. Some are sent by strangers: pages of
//! other sites, names that lead to the loopback interface, programs that guess. Others are mistakes.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use varvite_explorer::Limits;

use crate::server::{Server, example, file};

/// A request and the status that it gets; 0 if the connection is closed without an answer. In the request,
/// `@HOST@` stands for the address of the server, `@PORT@` for its port, `@LENGTH@` for the length of the
/// body, `@CODE@` for the used launch code, and `@TOKEN@` for the token of its page.
struct Refusal(&'static str, u16, String);

/// A request line and headers, with the right Host, and without a body.
fn plain(line: &str, headers: &str) -> String {
    format!("{line} HTTP/1.1\r\nHost: @HOST@\r\n{headers}Connection: close\r\n\r\n")
}

/// A request with this Host, or other headers in its place.
fn hosted(host: &str) -> String {
    format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n")
}

/// A question with these headers besides the token, and a body that is right.
fn question(headers: &str) -> String {
    with_body("/api/query", &format!("X-Varvite-Token: @TOKEN@\r\n{headers}"), FILES)
}

/// A question with the token, and this body.
fn body(body: &str) -> String {
    with_body("/api/query", "X-Varvite-Token: @TOKEN@\r\n", body)
}

fn with_body(path: &str, headers: &str, body: &str) -> String {
    plain(&format!("POST {path}"), &format!("{JSON}{headers}Content-Length: @LENGTH@\r\n")) + body
}

const FILES: &str = "{\"question\":\"files\"}";
const JSON: &str = "Content-Type: application/json\r\n";

/// Requests for other servers.
fn hosts() -> Vec<Refusal> {
    let host = |name, host: &str| Refusal(name, 403, hosted(&format!("Host: {host}\r\n")));
    vec![
        Refusal("no host", 403, hosted("")),
        Refusal("no host in HTTP/1.0", 403, "GET / HTTP/1.0\r\n\r\n".into()),
        host("a stranger's name", "evil.example"),
        host("a stranger's name with our port", "evil.example:@PORT@"),
        host("no port", "127.0.0.1"),
        host("another port", "127.0.0.1:1"),
        host("our name as the beginning of another", "localhost.evil.example:@PORT@"),
        host("our address as the beginning of a name", "@HOST@.evil.example"),
        host("any address", "0.0.0.0:@PORT@"),
        host("our address as one number", "2130706433:@PORT@"),
        host("another address of this machine", "127.0.0.2:@PORT@"),
        host("a user before our address", "evil@@HOST@"),
        host("an empty name", ""),
        host("two names in one header", "@HOST@, evil.example"),
        Refusal("two hosts", 403, hosted("Host: @HOST@\r\nHost: evil.example\r\n")),
        Refusal("our host twice", 403, hosted("Host: @HOST@\r\nHost: @HOST@\r\n")),
        Refusal("a forwarded host", 403, hosted("Host: evil.example\r\nX-Forwarded-Host: @HOST@\r\n")),
        Refusal("a Forwarded header", 403, hosted("Host: evil.example\r\nForwarded: host=@HOST@\r\n")),
        Refusal("another server in the address", 403, plain("GET http://evil.example/", "")),
    ]
}

/// Requests from pages of other sites.
fn origins() -> Vec<Refusal> {
    let origin = |name, origin: &str| Refusal(name, 403, question(&format!("Origin: {origin}\r\n")));
    let site = |name, site: &str| Refusal(name, 403, question(&format!("Sec-Fetch-Site: {site}\r\n")));
    vec![
        origin("a stranger's origin", "http://evil.example"),
        origin("no origin to speak of", "null"),
        origin("an empty origin", ""),
        origin("another scheme", "https://@HOST@"),
        origin("an origin without port", "http://127.0.0.1"),
        origin("another port of this machine", "http://127.0.0.1:1"),
        origin("our origin as the beginning of another", "http://@HOST@.evil.example"),
        origin("our origin with a path", "http://@HOST@/"),
        origin("our host without a scheme", "@HOST@"),
        Refusal("two origins", 403, question("Origin: http://@HOST@\r\nOrigin: http://evil.example\r\n")),
        site("a page of another site", "cross-site"),
        site("a page of another port", "same-site"),
        Refusal("a link on another site", 403, plain("GET /", "Sec-Fetch-Site: cross-site\r\n")),
        Refusal(
            "a login from another site",
            403,
            with_body("/api/login", "Origin: http://evil.example\r\n", "{}"),
        ),
        Refusal(
            "a question whether another site may ask",
            403,
            plain(
                "OPTIONS /api/query",
                "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n",
            ),
        ),
    ]
}

/// Methods that an address does not take.
fn methods() -> Vec<Refusal> {
    let method = |name, line: &str| Refusal(name, 405, plain(line, "X-Varvite-Token: @TOKEN@\r\n"));
    vec![
        method("delete a question", "DELETE /api/query"),
        method("put a question", "PUT /api/query"),
        method("patch a question", "PATCH /api/query"),
        method("get a question", "GET /api/query"),
        method("the head of a login", "HEAD /api/login"),
        method("options of a question", "OPTIONS /api/query"),
        method("the head of a document that is given once", "HEAD /view/x"),
        method("trace the page", "TRACE /"),
        method("post to the page", "POST /"),
        method("delete a file of the page", "DELETE /assets/app.js"),
        method("a method of nobody", "BREW /api/query"),
        Refusal("connect to another server", 403, plain("CONNECT evil.example:443", "")),
    ]
}

/// Questions without the token, and logins without the code.
fn tokens() -> Vec<Refusal> {
    let token = |name, headers: &str| Refusal(name, 401, with_body("/api/query", headers, FILES));
    let login = |name, code: &str| {
        Refusal(name, 401, with_body("/api/login", "", &json!({ "code": code }).to_string()))
    };
    vec![
        token("no token", ""),
        token("an empty token", "X-Varvite-Token: \r\n"),
        token("a wrong token", &format!("X-Varvite-Token: {}\r\n", "0".repeat(64))),
        token("a token and a digit", "X-Varvite-Token: @TOKEN@0\r\n"),
        token("a part of a token", "X-Varvite-Token: @TOKEN1@\r\n"),
        token("two tokens", "X-Varvite-Token: @TOKEN@\r\nX-Varvite-Token: @TOKEN@\r\n"),
        token("bytes that are no text", "X-Varvite-Token: \u{ff}\r\n"),
        token("the launch code", "X-Varvite-Token: @CODE@\r\n"),
        token("the token in another header", "Authorization: Bearer @TOKEN@\r\n"),
        token("the token in a cookie", "Cookie: X-Varvite-Token=@TOKEN@; token=@TOKEN@\r\n"),
        Refusal("the token in the address", 401, with_body("/api/query?token=@TOKEN@", "", FILES)),
        login("a code that was used", "@CODE@"),
        login("a wrong code", "0123456789abcdef0123456789abcdef"),
        login("an empty code", ""),
    ]
}

/// Addresses outside of the page.
fn addresses() -> Vec<Refusal> {
    [
        ("a folder above", "/../Cargo.toml"),
        ("a folder above the files", "/assets/../Cargo.toml"),
        ("an escaped folder above", "/assets/..%2f..%2fCargo.toml"),
        ("an escaped point", "/assets/%2e%2e/%2e%2e/etc/passwd"),
        ("a folder above in backslashes", "/assets/..%5c..%5cCargo.toml"),
        ("an absolute path", "//etc/passwd"),
        ("an absolute path of a file", "/assets//etc/passwd"),
        ("a hidden file", "/assets/.gitignore"),
        ("a zero byte", "/assets/app.js%00.png"),
        ("a file of no page", "/assets/none.js"),
        ("a view that nobody made", "/view/0123456789abcdef"),
        ("an address of nobody", "/api"),
        ("an address below a question", "/api/query/files"),
    ]
    .into_iter()
    .map(|(name, path)| Refusal(name, 404, plain(&format!("GET {path}"), "")))
    .collect()
}

/// Bodies and headers that are too large, and bytes that are no request.
fn sizes() -> Vec<Refusal> {
    let large = "x".repeat(70_000);
    vec![
        Refusal("a body that is too long", 413, body(&format!("{{\"question\":\"{large}\"}}"))),
        Refusal(
            "a body that says it is too long",
            413,
            plain("POST /api/query", &format!("{JSON}X-Varvite-Token: @TOKEN@\r\nContent-Length: 65537\r\n")),
        ),
        Refusal(
            "a body in pieces that is too long",
            413,
            plain(
                "POST /api/query",
                &format!("{JSON}X-Varvite-Token: @TOKEN@\r\nTransfer-Encoding: chunked\r\n"),
            ) + &format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.len()),
        ),
        Refusal("a login that is too long", 413, with_body("/api/login", "", &large)),
        Refusal("headers that are too long", 431, plain("GET /", &format!("X: {}\r\n", "x".repeat(20_000)))),
        Refusal("too many headers", 431, plain("GET /", &"X: x\r\n".repeat(200))),
        Refusal("an address that is too long", 431, plain(&format!("GET /{}", "x".repeat(70_000)), "")),
        Refusal("two lengths", 400, question("Content-Length: 3\r\n")),
        Refusal("a length below zero", 400, plain("POST /api/query", "Content-Length: -1\r\n")),
        Refusal("another protocol", 400, "\u{16}\u{3}\u{1}\u{2}\r\n\r\n".into()),
        // The server closes the connection without an answer, as hyper does.
        Refusal("HTTP/2", 0, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into()),
        Refusal("a line end in a header", 400, plain("GET /", "X: a\r b\r\n")),
        Refusal("a header without a name", 400, plain("GET /", ": x\r\n")),
        Refusal("a body that ends early", 400, {
            plain(
                "POST /api/query",
                &format!("{JSON}X-Varvite-Token: @TOKEN@\r\nTransfer-Encoding: chunked\r\n"),
            ) + "zz\r\n"
        }),
    ]
}

/// Questions that are not understood.
fn questions() -> Vec<Refusal> {
    let typed = |name, content_type: &str| {
        let request = body(FILES).replace(JSON, content_type);
        Refusal(name, 415, request)
    };
    let bad = |name, question: Json| Refusal(name, 400, body(&question.to_string()));
    let unknown = |name, question: Json| Refusal(name, 404, body(&question.to_string()));
    let plan = |steps: Json| json!({ "question": "plan", "plan": { "version": 1, "steps": steps } });
    vec![
        typed("no type", ""),
        typed("a text", "Content-Type: text/plain\r\n"),
        typed("a form", "Content-Type: application/x-www-form-urlencoded\r\n"),
        typed("a type that only begins well", "Content-Type: application/json-seq\r\n"),
        Refusal("no JSON", 400, body("{")),
        Refusal("an empty body", 400, body("")),
        Refusal("brackets without end", 400, body(&"[".repeat(60_000))),
        Refusal("deep objects", 400, body(&"{\"question\":".repeat(5_000))),
        Refusal("a name twice", 400, body("{\"question\":\"search\",\"text\":\"a\",\"text\":\"b\"}")),
        bad("a list", json!([])),
        bad("no question", json!({})),
        bad("a question of nobody", json!({ "question": "delete" })),
        bad("a question that is a number", json!({ "question": 7 })),
        bad("a field of nobody", json!({ "question": "files", "path": "/etc/passwd" })),
        bad("a missing field", json!({ "question": "symbol" })),
        bad("a node below zero", json!({ "question": "symbol", "node": -1 })),
        bad("a node that is a text", json!({ "question": "symbol", "node": "inflate" })),
        bad("a view of nobody", json!({ "question": "drawing", "node": 1, "view": "all" })),
        bad("a direction of nobody", json!({ "question": "paths", "from": 1, "to": 2, "direction": "up" })),
        bad("a plan that is a text", json!({ "question": "plan", "plan": "nodes" })),
        bad("a plan of the future", json!({ "question": "plan", "plan": { "version": 99, "steps": [] } })),
        bad("a step of nobody", plan(json!([{ "step": "remove" }]))),
        bad("a step of a wrong form", plan(json!([{ "step": "limit", "count": "all" }]))),
        bad(
            "a pattern of a wrong form",
            plan(json!([{ "step": "nodes" },
            { "step": "has", "property": "NAME", "is": { "regex": "(" } }])),
        ),
        bad("a text that is no query", json!({ "question": "ask", "text": "cpg.method(" })),
        bad("a query that would write", json!({ "question": "ask", "text": "cpg.method.l |> \"x\"" })),
        bad("code of nothing", json!({ "question": "code" })),
        bad("code of two questions", json!({ "question": "code", "text": "cpg.method", "node": 1 })),
        unknown("a file of nobody", json!({ "question": "symbol", "file": 99, "node": 1 })),
        unknown("a node of nobody", json!({ "question": "symbol", "node": 4_000_000_000_u32 })),
        unknown(
            "a node of nobody to draw",
            json!({ "question": "drawing", "node": 99_999_999, "view": "ast" }),
        ),
        unknown("an end of nobody", json!({ "question": "paths", "from": "inflate", "to": "no_such_name" })),
        unknown("a label of nobody", json!({ "question": "paths", "from": 1, "to": 2, "along": ["CALLS"] })),
        unknown("a layer of nobody", json!({ "question": "flame", "layer": "cpu" })),
        Refusal(
            "a label of nobody in a plan",
            404,
            body(&plan(json!([{ "step": "nodes", "labels": ["X"] }])).to_string()),
        ),
    ]
}

#[test]
fn every_bad_request_gets_its_status() {
    let server = Server::start(vec![file("zlib", example("zlib"))], Limits::default());
    let lists = [hosts(), origins(), methods(), tokens(), addresses(), sizes(), questions()];
    let all: Vec<Refusal> = lists.into_iter().flatten().collect();
    assert!(all.len() >= 60, "{}", all.len());
    let mut wrong = Vec::new();
    for Refusal(name, status, request) in &all {
        let request = request
            .replace("@HOST@", &server.address.to_string())
            .replace("@PORT@", &server.address.port().to_string())
            .replace("@CODE@", &server.code)
            .replace("@TOKEN1@", &server.token()[1..])
            .replace("@TOKEN@", server.token());
        let length = request.split_once("\r\n\r\n").map_or(0, |(_, body)| body.len());
        let response = server.send(request.replace("@LENGTH@", &length.to_string()).as_bytes());
        let found = response.as_ref().map_or(0, |response| response.status);
        if found != *status {
            wrong.push(format!("{name}: {found} in place of {status}: {response:?}"));
        }
        if let Some(response) = response {
            assert!(!response.body.contains(server.token()), "{name}");
            assert_eq!(response.header("access-control-allow-origin"), None, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    // After all of this, the server answers as before.
    assert_eq!(server.ask(json!({ "question": "files" }))["files"][0]["name"], json!("zlib"));
}

#[test]
fn a_request_of_our_own_page_passes_the_gate() {
    let server = Server::of_examples();
    let host = server.address.to_string();
    for (headers, name) in [
        (format!("Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n"), &*host),
        (String::new(), &format!("localhost:{}", server.address.port())),
        ("Sec-Fetch-Site: none\r\n".into(), &format!("[::1]:{}", server.address.port())),
    ] {
        let length = FILES.len().to_string();
        let request = question(&headers).replace("@HOST@", name).replace("@TOKEN@", server.token());
        let request = request.replace("@LENGTH@", &length);
        let response = server.send(request.as_bytes()).unwrap();
        assert_eq!(response.status, 200, "{name}: {response:?}");
    }
}

#[test]
fn every_answer_has_the_headers_that_protect_the_page() {
    let server = Server::of_examples();
    let get = |path: &str| {
        let request = plain(&format!("GET {path}"), "").replace("@HOST@", &server.address.to_string());
        server.send(request.as_bytes()).unwrap()
    };
    for response in [get("/"), get("/none"), get("/assets/none.js"), server.post("/api/query", "{}")] {
        let policy = response.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.split("; ").any(|known| known == part), "{part}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(response.header(name), Some(value), "{name}");
        }
        assert_eq!(response.header("set-cookie"), None);
    }
    assert_eq!(get("/").header("content-type"), Some("text/html; charset=utf-8"));
}

#[test]
fn a_slow_client_loses_its_connection_and_a_slow_body_is_told_so() {
    let server = Server::of_examples();
    let begin = Instant::now();
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: ", server.address);
    assert!(server.send(request.as_bytes()).is_none());
    assert!(server.send(b"").is_none());
    let request = format!(
        "POST /api/query HTTP/1.1\r\nHost: {}\r\n{JSON}X-Varvite-Token: {}\r\nContent-Length: 10\r\n\r\n{{",
        server.address,
        server.token()
    );
    let response = server.send(request.as_bytes()).unwrap();
    assert_eq!((response.status, &response.json()["error"]["code"]), (408, &json!("too_slow")));
    let passed = begin.elapsed();
    assert!(passed >= Duration::from_secs(14) && passed < Duration::from_secs(40), "{passed:?}");
}

#[test]
fn a_question_beyond_its_time_or_memory_ends_and_the_next_is_answered() {
    let steps = |outs: usize, last: Json| {
        let mut steps = vec![json!({ "step": "nodes" })];
        steps.extend(vec![json!({ "step": "out" }); outs]);
        steps.push(last);
        json!({ "question": "plan", "plan": { "version": 1, "steps": steps } })
    };
    let limits = Limits { deadline: Duration::from_secs(1), ..Limits::default() };
    let server = Server::start(vec![file("zlib", example("zlib"))], limits);
    let begin = Instant::now();
    let (status, error) = server.fault(steps(8, json!({ "step": "count" })));
    assert_eq!((status, &error["code"]), (422, &json!("over_time")));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(server.ask(json!({ "question": "ask", "text": "cpg.method.size" })), json!({ "value": 425 }));
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let server = Server::start(vec![file("zlib", example("zlib"))], limits);
    let (status, error) = server.fault(steps(2, json!({ "step": "group", "by": "label" })));
    assert_eq!((status, &error["code"]), (422, &json!("over_memory")));
    assert_eq!(server.ask(json!({ "question": "ask", "text": "cpg.method.size" })), json!({ "value": 425 }));
}
