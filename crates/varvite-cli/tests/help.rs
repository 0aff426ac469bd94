//! Tests of the help texts.

use crate::command::varvite;

const COMMANDS: [&str; 19] = [
    "import",
    "frontend",
    "export",
    "generate",
    "info",
    "schema",
    "facts",
    "find",
    "path",
    "query",
    "explain",
    "tree",
    "source",
    "callers",
    "callees",
    "joern",
    "trace",
    "completions",
    "man",
];

#[test]
fn help_lists_commands_and_exit_codes() {
    let text = varvite(&["--help"]).text();
    COMMANDS.iter().for_each(|command| assert!(text.contains(command), "{command}"));
    let codes = text.split("Exit codes:").nth(1).unwrap();
    (0..=6).for_each(|code| assert!(codes.contains(&format!("\n  {code}  ")), "{code}"));
}

#[test]
fn every_command_has_help() {
    for command in COMMANDS {
        assert!(varvite(&[command, "--help"]).text().contains("Usage: varvite"), "{command}");
    }
}

#[test]
fn help_may_come_first() {
    assert_eq!(varvite(&["help"]).text(), varvite(&["--help"]).text());
    assert_eq!(varvite(&["help", "trace", "cat"]).text(), varvite(&["trace", "cat", "--help"]).text());
    varvite(&["help", "nothing"]).fails(2, &["unrecognized subcommand 'nothing'"]);
}

#[test]
fn heap_commands_take_a_profile_file_if_they_need_no_graph() {
    let help = |command| varvite(&["heap", command, "--help"]).text();
    for command in ["callers", "diff", "flame", "leaks", "timeline", "top"] {
        assert!(help(command).contains("a graph that has one, or a profile file"), "{command}");
    }
    for command in ["on-code", "sizes"] {
        assert!(help(command).contains("The graph, a .varvite file"), "{command}");
    }
    assert!(help("callers").contains("<FILE> <FUNCTION>\n"));
    assert!(help("diff").contains("<FILE> [AFTER]\n"));
}

#[test]
fn the_version_names_product_commit_and_features() {
    let product = concat!("varvite ", env!("CARGO_PKG_VERSION"), " (");
    let (long, short) = (varvite(&["--version"]).text(), varvite(&["-V"]).text());
    let [first, features, system] = long.lines().collect::<Vec<_>>()[..] else { panic!("{long}") };
    assert!(first.starts_with(product) && first.ends_with(')'), "{first}");
    assert!(features.starts_with("features: ") && system.starts_with("system: "), "{long}");
    assert_eq!(short.trim_end(), first);
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = varvite(&["completions", shell]).text();
        COMMANDS.iter().for_each(|command| assert!(script.contains(command), "{command} in {shell}"));
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_refused() {
    varvite(&["finds"]).fails(2, &["finds", "find"]);
    varvite(&["find"]).fails(2, &["<FILE>", "<LABEL>"]);
    varvite(&["import", "x", "-o", "y", "--threads", "0"]).fails(2, &["--threads"]);
    varvite(&[]).fails(2, &["Usage"]);
}
