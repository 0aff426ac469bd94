//! Findings: the everyday questions that end in places a reviewer looks at.

mod question;

use varvite_show::{counted, thousands};

use self::question::{QUESTIONS, Question};
use crate::error::Result;
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The number of places in a table.
const ROWS: usize = 25;
const INTRODUCTION: &str = "Each question is a query in the language of Joern that finds places by their \
    form. A place is a reason to look, and no proof of a fault.";

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    page.note(INTRODUCTION);
    let (mut found, mut without, mut not_asked) = (Vec::new(), Vec::new(), Vec::new());
    for question in &QUESTIONS {
        match facts.code.nodes_of(question.query) {
            Ok(nodes) if nodes.is_empty() => without.push(question.title),
            Ok(nodes) => found.push((question, nodes)),
            Err(error) if error.lacks_tree() => not_asked.push(question.title),
            Err(error) => return Err(error),
        }
    }
    page.table(&summary(&found));
    for (question, nodes) in &found {
        write_question(facts, question, nodes, page)?;
    }
    write_titles("Questions without an answer", &without, page);
    write_titles("Questions that need a syntax tree, which the graph lacks", &not_asked, page);
    Ok(())
}

fn summary(found: &[(&Question, Vec<u32>)]) -> Table {
    let mut table = Table::new("Places by question", vec![Title::text("question"), Title::number("places")]);
    for (question, nodes) in found {
        table.push(vec![Cell::Text(question.title.to_owned()), Cell::Number(nodes.len() as u64)]);
    }
    table
}

fn write_titles(heading: &str, titles: &[&str], page: &mut Page) {
    if !titles.is_empty() {
        page.heading(heading);
        page.paragraph(&format!("{}.", titles.join("; ")));
    }
}

fn write_question(facts: &Facts<'_>, question: &Question, nodes: &[u32], page: &mut Page) -> Result<()> {
    let code = &facts.code;
    page.heading(&format!("{} ({})", question.title, thousands(nodes.len() as u64)));
    page.paragraph(question.reason);
    let caption = counted(nodes.len() as u64, "place");
    let mut table = Table::new(&caption, ["place", "function", "source"].map(Title::text).into());
    for node in nodes.iter().take(ROWS) {
        let place = code.place(*node);
        table.push(vec![
            Cell::Code(place.words()),
            Cell::Code(code.method_name(&place)),
            Cell::Code(code.source_line(*node, &place)?),
        ]);
    }
    table.of_all(nodes.len() as u64, "place");
    page.table(&table);
    page.note("The query:");
    page.listing(question.query.trim());
    Ok(())
}

#[cfg(test)]
mod tests {
    use varvite_text::{Answer, translate};

    use super::super::dead::DEAD;
    use super::*;

    #[test]
    fn every_query_gives_rows() {
        for query in QUESTIONS.iter().map(|question| question.query).chain([DEAD]) {
            let answer = translate(query).map(|query| query.answer);
            assert!(matches!(answer, Ok(Answer::Rows(_))), "{query}: {answer:?}");
        }
    }
}
