//! Forty questions of an agent about zlib, whose answers other tools gave: ctags and grep from the sources,
//! and flatgraph from the graph. `docs/agent-questions.md` shows which answers are right, and their lengths.

use std::fmt::Write;

use serde_json::Value as Json;
use varvite_model::written::check_whole;

use crate::command::zlib;
use crate::mcp::Client;

const QUESTIONS: &str = include_str!("data/agent-questions.jsonl");
/// The most bytes of an answer, as it is sent.
const BYTES_MAX: usize = 8_000;

/// A question with its answer.
struct Asked {
    question: String,
    tool: String,
    is_right: bool,
    bytes: usize,
}

/// Asks all questions in one session.
fn asked() -> Vec<Asked> {
    let mut client = Client::new(&[zlib()]);
    let ask = |line: &str| {
        let question: Json = serde_json::from_str(line).unwrap();
        let tool = question["tool"].as_str().unwrap().to_owned();
        let (text, bytes) = client.reply(&tool, question["arguments"].clone());
        let mut words = question["answer"].as_array().unwrap().iter();
        let is_right = words.all(|words| text.contains(words.as_str().unwrap()));
        Asked { question: question["question"].as_str().unwrap().to_owned(), tool, is_right, bytes }
    };
    let asked = QUESTIONS.lines().map(ask).collect();
    client.end();
    asked
}

#[test]
fn forty_questions_are_answered_as_the_page_shows() {
    let asked = asked();
    assert_eq!(asked.len(), 40);
    let wrong: Vec<&str> = asked.iter().filter(|it| !it.is_right).map(|it| it.question.as_str()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(asked.iter().all(|it| it.bytes < BYTES_MAX));
    check_whole("docs/agent-questions.md", &page(&asked));
}

fn page(asked: &[Asked]) -> String {
    let mut bytes: Vec<usize> = asked.iter().map(|it| it.bytes).collect();
    bytes.sort_unstable();
    let (right, median, most) = (asked.iter().filter(|it| it.is_right).count(), bytes[20], bytes[39]);
    let mut page = format!(
        "# Forty questions of an agent\n\n\
         A test asks the tools of `varvite mcp` these questions about zlib, with the graph that comes with the\n\
         repository, and writes this page (`make bless`). A script chooses the tool and its arguments, so the page says\n\
         nothing about models. An answer is right if it has what ctags and grep find in zlib's sources, or what\n\
         flatgraph counts in the graph. Bytes are those of the whole message.\n\n\
         Right: {right} of {}. Bytes: median {median}, most {most}.\n\n\
         | question | tool | right | bytes |\n|---|---|---|---:|\n",
        asked.len(),
    );
    for Asked { question, tool, is_right, bytes } in asked {
        let right = if *is_right { "yes" } else { "**no**" };
        writeln!(page, "| {question} | `{tool}` | {right} | {bytes} |").unwrap();
    }
    page
}
