//! Questions of an agent with known answers: to `varvite mcp`, to grep and to a list of ctags.

use std::path::Path;
use std::process::{Command, Stdio};

use super::facts::{self, Fact};
use super::mcp::Agent;
use crate::Failure;
use crate::record::figures::Unit;
use crate::record::results::Results;
use crate::report::asks::{AGENT, CTAGS, GREP, OURS, RIGHT};

/// Puts all questions to the server. grep and ctags answer only if the folder of sources is there.
pub(super) fn measure(
    questions: &Path,
    command: &Path,
    graph: &Path,
    sources: Option<&Path>,
    results: &mut Results,
) -> Result<(), Failure> {
    let mut agent = Agent::start(command, graph)?;
    let list = sources.map(ctags).transpose()?;
    for (number, fact) in facts::read(questions)?.iter().enumerate() {
        let mut keep = |side: &str, text: &str, bytes: usize, words: &[String]| {
            let is_right = words.iter().all(|word| text.contains(word.as_str()));
            let question = fact.question();
            results.row_mut(&format!("{AGENT}{number:02}"), &question, Unit::Size).add(side, bytes as f64);
            let row = results.row_mut(&format!("{RIGHT}{number:02}"), &question, Unit::Count);
            row.add(side, f64::from(u8::from(is_right)));
        };
        let (tool, arguments, words) = fact.call();
        let reply = agent.call(tool, &arguments)?;
        keep(OURS, &reply.text, reply.bytes, &words);
        if let Some((found, words)) =
            sources.and_then(|sources| Some((sources, fact.grep()?))).map(asked_grep).transpose()?
        {
            keep(GREP, &found, found.len(), &words);
        }
        if let Some((found, words)) = list.as_deref().and_then(|list| asked_list(list, fact)) {
            keep(CTAGS, &found, found.len(), &words);
        }
    }
    Ok(())
}

/// The lines that grep finds for a whole word in all files of a folder.
fn asked_grep(
    (sources, (word, words)): (&Path, (&str, Vec<String>)),
) -> Result<(String, Vec<String>), Failure> {
    let mut grep = Command::new("grep");
    grep.args(["-rnw", "--include=*.[ch]", "-e", word, "."]).current_dir(sources);
    // grep fails if it finds nothing.
    Ok((output(&mut grep)?, words))
}

/// The list of all functions and macros that ctags makes of a folder, with lines, ends and parameters.
fn ctags(sources: &Path) -> Result<String, Failure> {
    let mut ctags = Command::new("ctags");
    ctags.args(["-R", "--languages=C", "--langmap=C:.c.h", "--kinds-C=fd", "--fields=+neS", "-f", "-", "."]);
    let list = output(ctags.current_dir(sources))?.replace("\t./", "\t");
    match list.is_empty() {
        true => Err(Failure(format!("ctags finds no function in {}", sources.display()))),
        false => Ok(list),
    }
}

/// The lines of ctags' list that an agent reads for a question.
fn asked_list(list: &str, fact: &Fact) -> Option<(String, Vec<String>)> {
    let (sought, words) = fact.ctags()?;
    let is_sought = |line: &&str| match sought.starts_with('\t') {
        true => line.contains(&sought),
        false => line.starts_with(&sought),
    };
    let found = list.lines().filter(is_sought).map(|line| format!("{line}\n")).collect();
    Some((found, words))
}

fn output(command: &mut Command) -> Result<String, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.map_err(|error| Failure(format!("cannot run {program}: {error}")))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_reads_the_lines_of_a_name_or_of_a_file() {
        let list = "f\ta.c\t/^int f/;\"\tf\tline:3\ng\tb.c\t/^f g/;\"\tf\tline:9\n";
        let (name, file) = ("g".to_owned(), "b.c".to_owned());
        let around = Fact::Around { name: name.clone(), file: file.clone(), line: 10 };
        assert_eq!(asked_list(list, &around).unwrap().0, format!("{}\n", list.lines().nth(1).unwrap()));
        let defined = Fact::Defined { name: "f".to_owned(), file: "a.c".to_owned(), line: 3 };
        let (found, words) = asked_list(list, &defined).unwrap();
        assert!(found.starts_with("f\ta.c") && found.contains(&words[0]), "{found}");
    }
}
