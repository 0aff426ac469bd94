//! The programs that are recorded: zlib's is built from `bench/record`, those of sqlite and Lua are the
//! installed commands, with work from `bench/record`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::{Outcome, cannot};

/// The names of Lua's command in distributions.
const LUAS: [&str; 5] = ["lua5.4", "lua", "lua5.3", "lua5.2", "lua5.1"];
/// The work of each program, for some tenths of a second alone, so that the start of valgrind, which takes
/// half a second, does not decide; and that of lackey, for some milliseconds alone.
const ZLIB_ROUNDS: [u32; 2] = [100, 2];
const SQLITE_ROWS: [u32; 2] = [300_000, 4000];
const LUA_ROUNDS: [u32; 2] = [600, 2];

/// The arguments of a program for a number of rounds, and the repository's folder.
type Arguments = fn(&Path, u32) -> Vec<String>;

/// A program with work of any size.
pub(super) struct Program {
    pub(super) name: &'static str,
    program: PathBuf,
    arguments: Arguments,
    root: PathBuf,
    rounds: [u32; 2],
}

impl Program {
    /// The words of the command that does the work, or that of lackey.
    pub(super) fn command(&self, is_of_lackey: bool) -> Vec<String> {
        let [whole, of_lackey] = self.rounds;
        let rounds = if is_of_lackey { of_lackey } else { whole };
        let program = self.program.to_string_lossy().into_owned();
        [program].into_iter().chain((self.arguments)(&self.root, rounds)).collect()
    }
}

/// The programs that can run here. A line names each that can't.
pub(super) fn all(root: &Path, scratch: &Path, percent: u32) -> Outcome<Vec<Program>> {
    let mut programs = Vec::new();
    let mut add = |name, program: Option<PathBuf>, arguments: Arguments, rounds: [u32; 2], advice: &str| {
        match program {
            Some(program) => {
                let part = |rounds| (u64::from(rounds) * u64::from(percent) / 100).clamp(1, u32::MAX.into());
                let rounds = rounds.map(|rounds| part(rounds) as u32);
                programs.push(Program { name, program, arguments, root: root.to_owned(), rounds });
            }
            None => eprintln!("bench-record: {name} is left out: {advice}"),
        }
    };
    add("zlib", compiled(root, scratch)?, of_rounds, ZLIB_ROUNDS, "apt-get install gcc zlib1g-dev");
    let sqlite = process::is_installed("sqlite3").then(|| "sqlite3".into());
    add("sqlite", sqlite, of_sqlite, SQLITE_ROWS, "apt-get install sqlite3");
    let lua = LUAS.into_iter().find(|name| is_lua(name)).map(PathBuf::from);
    add("lua", lua, of_lua, LUA_ROUNDS, "apt-get install lua5.4");
    Ok(programs)
}

fn is_lua(name: &str) -> bool {
    Command::new(name).arg("-v").output().is_ok_and(|output| output.status.success())
}

/// The program of zlib; `None` if zlib's header is missing.
fn compiled(root: &Path, scratch: &Path) -> Outcome<Option<PathBuf>> {
    if !Path::new("/usr/include/zlib.h").exists() || !process::is_installed("gcc") {
        return Ok(None);
    }
    let program =
        std::path::absolute(scratch.join("compress")).map_err(|error| cannot("find", scratch, &error))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O2", "-o"]).arg(&program).arg(root.join("bench/record/compress.c")).arg("-lz");
    process::run(&mut gcc, "apt-get install gcc")?;
    Ok(Some(program))
}

fn of_rounds(_: &Path, rounds: u32) -> Vec<String> {
    vec![rounds.to_string()]
}

fn of_lua(root: &Path, rounds: u32) -> Vec<String> {
    vec![root.join("bench/record/sort.lua").to_string_lossy().into_owned(), rounds.to_string()]
}

/// Fills a table in memory, makes an index, and adds up groups.
fn of_sqlite(_: &Path, rows: u32) -> Vec<String> {
    let script = format!(
        "CREATE TABLE t(a INTEGER, b TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \
         {rows}) INSERT INTO t SELECT i * 7919 % 10007, 'row ' || i FROM n; CREATE INDEX i ON t(a); SELECT \
         sum(length(b)) FROM t GROUP BY a % 10 LIMIT 0;"
    );
    vec![":memory:".to_owned(), script]
}
