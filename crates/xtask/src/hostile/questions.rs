//! [`Question`]: a command to run on each file of one kind. There is a question for every command that opens
//! such files, with arguments that cause much work.
//!
//! The commands are compared with `varvite --help`. A new command without a question is an error.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::process;
use crate::{Failure, Outcome};

/// A command to run on a file.
#[derive(Debug)]
pub(super) struct Question {
    /// The name of the question in the table of expected endings.
    pub(super) name: &'static str,
    /// The extension of the files for which the question is asked.
    pub(super) ending: &'static str,
    /// The command line. `FILE` stands for the file, `COPY` for a copy of it that may be changed, `OUT` for a
    /// path at which there is no file, and `GRAPH` for a copy of a valid graph. Words that begin with `GOOD/`
    /// stand for files in the folder of valid files.
    pub(super) words: &'static str,
}

/// The question for the C program. The Java program answers the same question, in one process for all files.
pub(super) const C: Question = graph("c", "FILE");
/// The names of the plans that the C and Java programs run. The plans are in the folder of valid files.
pub(super) const PLANS: [&str; 7] = ["count", "group", "edges", "in-edges", "repeat", "below", "texts"];

/// Commands that do not open untrusted files.
const WITHOUT_FILES: [&str; 5] = ["completions", "frontend", "joern", "man", "trace record"];
/// Commands with an option for a memory limit.
const TAKE_A_BUDGET: [&str; 36] = [
    "memory",
    "ask",
    "shell",
    "mcp",
    "explore",
    "find",
    "path",
    "query",
    "callers",
    "callees",
    "corpus clones",
    "corpus index",
    "corpus open",
    "impact",
    "source",
    "schema",
    "verify",
    "facts",
    "digest",
    "diff",
    "draw",
    "report",
    "export",
    "generate",
    "heap callers",
    "heap diff",
    "heap flame",
    "heap leaks",
    "heap on-code",
    "heap sizes",
    "heap timeline",
    "heap top",
    "trace histogram",
    "trace lines",
    "trace modules",
    "trace top",
];
/// The memory limit in questions whose command has the option. It is far below the limit of the process.
const BUDGET: &str = "64M";

/// All questions.
pub(super) const ALL: &[Question] = &[
    graph("info", "info FILE"),
    graph("heap-callers", "heap callers FILE main --format csv"),
    graph("heap-diff", "heap diff FILE GOOD/run.heaptrack --format json"),
    graph("heap-flame", "heap flame FILE --format html"),
    graph("heap-flame-threads", "heap flame FILE --roots thread --format pprof -o OUT"),
    graph("heap-leaks", "heap leaks FILE --format json"),
    graph("heap-moment", "heap top FILE --since 1 --at 9 --by place --format csv"),
    graph("heap-on-code", "heap on-code FILE --all --format json"),
    graph("heap-sizes", "heap sizes FILE --format csv"),
    graph("heap-timeline", "heap timeline FILE --intervals 7"),
    graph("heap-top", "heap top FILE --format json"),
    graph("info-json", "info FILE --format json"),
    graph("memory", "memory FILE --all --format json"),
    graph("memory-touch", "memory FILE --touch all --format csv"),
    graph("memory-buffered", "memory FILE --touch all --buffered"),
    graph("schema", "schema FILE"),
    graph("schema-label", "schema FILE METHOD --format json --buffered"),
    graph("verify", "verify FILE"),
    graph("verify-buffered", "verify FILE --buffered"),
    graph("facts", "facts FILE"),
    graph("digest", "digest FILE"),
    graph("digest-range", "digest FILE --column layers --range 0..100"),
    graph("digest-compare", "digest compare FILE GRAPH"),
    graph("diff", "diff FILE GRAPH"),
    graph("diff-rows", "diff GRAPH FILE --format jsonl --buffered"),
    graph("diff-as-diff", "diff GRAPH FILE --as-diff"),
    graph("find-name", "find FILE METHOD NAME=main --limit 3"),
    graph("find-regex", "find FILE METHOD NAME~ma.*"),
    graph("find-text", "find FILE METHOD FULL_NAME~x.* --limit 20"),
    graph("find-number", "find FILE METHOD ORDER>3"),
    graph("find-sorted", "find FILE METHOD --order-by location,FULL_NAME"),
    graph("find-buffered", "find FILE METHOD FULL_NAME!=y --limit 20 --buffered"),
    graph("find-any-label", "find FILE * NAME=main --format csv"),
    graph("path", "path FILE 0 9"),
    graph("path-calls", "path FILE 0 900 --along CALL --limit 1000"),
    graph("path-names", "path FILE main other"),
    graph("query-count", "query FILE GOOD/count.json"),
    graph("query-group", "query FILE GOOD/group.json"),
    graph("query-summarize", "query FILE GOOD/summarize.json --format csv"),
    graph("query-order", "query FILE GOOD/order.json"),
    graph("query-order-texts", "query FILE GOOD/order-texts.json"),
    graph("query-edges", "query FILE GOOD/edges.json"),
    graph("query-in-edges", "query FILE GOOD/in-edges.json"),
    graph("query-repeat", "query FILE GOOD/repeat.json"),
    graph("query-paths", "query FILE GOOD/paths.json --memory 16M"),
    graph("query-below", "query FILE GOOD/below.json"),
    graph("query-above", "query FILE GOOD/above.json"),
    graph("query-texts", "query FILE GOOD/texts.json --buffered"),
    graph("explain", "explain FILE GOOD/texts.json"),
    graph("ask", "ask FILE cpg.method.map(m=>(m.name,m.caller.size,m.astChildren.size)).l --format csv"),
    graph("ask-groups", "ask FILE cpg.all.groupCount(n=>n.name.toLowerCase) --buffered"),
    graph("shell", "shell FILE"),
    graph("mcp", "mcp FILE"),
    graph("explore", "explore FILE --end-after 0"),
    graph("tree", "tree FILE 0"),
    graph("tree-names", "tree FILE METHOD:main --depth 3"),
    graph("draw", "draw FILE 0 --view ast"),
    graph("draw-ddg", "draw FILE main --view ddg --format mermaid"),
    graph("report", "report FILE"),
    graph("report-diff", "report GRAPH --diff FILE --sections changes"),
    graph("source", "source FILE main"),
    graph("source-line", "source FILE main.c:7 --format json --buffered"),
    graph("source-add", "source add COPY GOOD/. --anyway --memory 64M"),
    graph("callers", "callers FILE main"),
    graph("callers-regex", "callers FILE ~ma.* --format jsonl"),
    graph("callees", "callees FILE main"),
    graph("callees-line", "callees FILE main.c:7"),
    graph("corpus-clones", "corpus clones FILE --min-lines 0"),
    graph("corpus-clones-near", "corpus clones FILE --min-lines 0 --near"),
    graph("corpus-index", "corpus index FILE -o OUT"),
    graph("corpus-open", "corpus open FILE --format json"),
    graph("impact", "impact FILE --lines main.c:1-9 --tests .*ma.* --format json"),
    graph("impact-markdown", "impact FILE --lines main.c:1-9 --depth 9 --markdown --buffered"),
    graph("apply", "apply COPY GOOD/diff.jsonl"),
    graph("apply-layer", "apply COPY GOOD/diff.jsonl --layer added --checked"),
    graph("index", "index FILE"),
    graph("index-add", "index COPY --add FULL_NAME"),
    graph("index-drop", "index COPY --drop NAME"),
    graph("layers", "layers FILE"),
    graph("drop-layer", "drop-layer COPY trace"),
    graph("compact", "compact COPY"),
    graph("compact-to", "compact FILE -o OUT"),
    graph("compact-online", "compact COPY --online"),
    graph("export", "export FILE --format flatgraph -o OUT"),
    graph("export-source", "export FILE --format flatgraph --with-source -o OUT"),
    graph("export-graphml", "export FILE --format graphml -o OUT"),
    graph("export-parquet", "export FILE --format parquet -o OUT"),
    graph("export-functions", "export FILE --format functions-jsonl --along AST,CFG -o OUT"),
    graph("export-dot", "export FILE --format dot --part ast --of 0 -o OUT"),
    graph("export-calls", "export FILE --format graphml --part calls --of main -o OUT"),
    graph("generate", "generate java FILE --package hostile -o OUT"),
    graph("import-into", "import GOOD/run.vtrace --into COPY --binary GOOD/program@0x400000"),
    graph("import-profile-into", "import GOOD/run.heaptrack --into COPY --events"),
    trace("trace-info", "trace info FILE"),
    trace("trace-cat", "trace cat FILE --to 200000"),
    trace("trace-cat-from", "trace cat FILE --from 1000000 --to 1200000 --skip-damaged"),
    trace("trace-cat-time", "trace cat FILE --thread 1 --from-time 5 --to 100"),
    trace("trace-cat-limit", "trace cat FILE --from 7 --limit 9 --skip-damaged"),
    trace("trace-top", "trace top FILE --binary GOOD/program --format json"),
    trace("trace-lines", "trace lines FILE --skip-damaged"),
    trace("trace-modules", "trace modules FILE --format csv"),
    trace("trace-histogram", "trace histogram FILE --format json"),
    trace("trace-verify", "trace verify FILE"),
    trace("trace-convert", "trace convert FILE -o OUT"),
    trace("trace-convert-damaged", "trace convert FILE -o OUT --skip-damaged --codec lz4"),
    trace("trace-import", "import FILE --into GRAPH --binary GOOD/program@0x400000"),
    trace(
        "trace-import-damaged",
        "import FILE --into GRAPH --binary GOOD/program@0x400000 --skip-damaged --inlined",
    ),
    of("lackey", "lackey-convert", "trace convert FILE -o OUT"),
    of("perfmem", "perf-mem-convert", "trace convert FILE -o OUT"),
    of("heaptrack", "heaptrack-import", "import FILE --into GRAPH --memory 64M"),
    of("heaptrack", "heaptrack-callers", "heap callers FILE main"),
    of("heaptrack", "heaptrack-diff", "heap diff FILE GOOD/run.heaptrack --by backtrace --format json"),
    of("heaptrack", "heaptrack-events", "import FILE --into GRAPH --events --memory 64M"),
    of("heaptrack", "heaptrack-flame", "heap flame FILE --format svg -o OUT"),
    of("heaptrack", "heaptrack-leaks", "heap leaks FILE --limit 1000 --stacks 100 --format json"),
    of("heaptrack", "heaptrack-timeline", "heap timeline FILE -o OUT"),
    of("heaptrack", "heaptrack-top", "heap top FILE --by place --all"),
    of("profile", "profile-import", "import FILE --into GRAPH --memory 64M"),
    of("profile", "profile-callers", "heap callers FILE main"),
    of("profile", "profile-diff", "heap diff FILE GOOD/run.profile --by backtrace --format json"),
    of("profile", "profile-flame", "heap flame FILE --format pprof -o OUT"),
    of("profile", "profile-top", "heap top FILE --by place --all --sort samples"),
    of("drmemtrace", "drmemtrace-convert", "trace convert FILE -o OUT"),
    of("drmemtrace", "drmemtrace-modules", "trace convert FILE --modules FILE -o OUT"),
    of("elf", "binary", "import GOOD/run.vtrace --into GRAPH --binary FILE@0x400000"),
    of("elf", "binary-inlined", "import GOOD/run.vtrace --into GRAPH --binary FILE@0x400000 --inlined"),
    of("fg", "flatgraph-direct", "import FILE -o OUT --profile direct"),
    of("fg", "flatgraph-compact", "import FILE -o OUT --profile compact --index NAME"),
    of("fg", "flatgraph-archive", "import FILE -o OUT --profile archive"),
    // A valid plan may give 2^200 rows on a valid graph, so the question limits the rows.
    of("json", "plan", "query GRAPH FILE --limit 5"),
    of("json", "plan-explain", "explain GRAPH FILE"),
    of("digest", "digest-shown", "digest FILE"),
    of("digest", "digest-compared", "digest compare FILE GRAPH"),
    of("jsonl", "diff", "apply GRAPH FILE"),
    of("patch", "patch", "impact GRAPH --diff FILE --base old"),
    of("patch", "patch-markdown", "impact GRAPH --diff FILE --base new --markdown"),
    of("csv", "table-nodes", "import --format neo4j-csv --nodes FILE -o OUT --memory 64M"),
    of(
        "csv",
        "table-relationships",
        "import --nodes GOOD/nodes.csv --relationships FILE -o OUT --memory 64M",
    ),
    of("graphml", "graphml", "import FILE -o OUT --memory 64M"),
    of("graphml", "graphml-default", "import FILE -o OUT --format graphml --profile archive"),
    of("scip", "scip", "import FILE -o OUT --memory 64M"),
    of("scip", "scip-source", "import FILE -o OUT --source GOOD/. --profile archive"),
];

const fn graph(name: &'static str, words: &'static str) -> Question {
    of("varvite", name, words)
}

const fn trace(name: &'static str, words: &'static str) -> Question {
    of("vtrace", name, words)
}

const fn of(ending: &'static str, name: &'static str, words: &'static str) -> Question {
    Question { name, ending, words }
}

/// Checks that every command in the help either has a question or opens no file.
pub(super) fn check_against_help(program: &Path) -> Outcome {
    let asked = |command: &String| ALL.iter().any(|question| is_of(question.words, command));
    let missing: Vec<String> = commands_of(program, "")?
        .into_iter()
        .filter(|command| !asked(command) && !WITHOUT_FILES.contains(&command.as_str()))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure(format!(
            "no question of a hostile file asks {missing:?}: add one in crates/xtask/src/hostile/questions.rs"
        ))),
    }
}

fn is_of(words: &str, command: &str) -> bool {
    words.strip_prefix(command).is_some_and(|rest| rest.starts_with(' '))
}

/// The subcommands that the help of `parent` lists. If a subcommand has subcommands itself, these are listed
/// instead.
fn commands_of(program: &Path, parent: &str) -> Outcome<BTreeSet<String>> {
    let mut command = Command::new(program);
    let help = process::output(command.args(parent.split_whitespace()).arg("--help"), "")?;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names =
        lines.take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next());
    let mut commands = BTreeSet::new();
    for name in names {
        let name = format!("{parent} {name}").trim_start().to_owned();
        let below = commands_of(program, &name)?;
        commands.extend(if below.is_empty() { BTreeSet::from([name]) } else { below });
    }
    Ok(commands)
}

/// The arguments that limit the memory, for commands with this option.
pub(super) fn budget(words: &str) -> &'static [&'static str] {
    let takes_one = TAKE_A_BUDGET.iter().any(|command| is_of(words, command));
    if takes_one && !words.contains("--memory") { &["--memory", BUDGET] } else { &[] }
}
