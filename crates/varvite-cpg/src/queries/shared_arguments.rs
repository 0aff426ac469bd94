//! Two operations on the same object: on the path of a file, which may refer to another file by the second
//! operation, or on memory, which is freed twice.
//!
//! Finds CALLs with a NAME in [`OPERATIONS`] that have an argument with the same CODE as an argument of
//! another such CALL in the same METHOD (by CONTAINS). Arguments that are LITERALs do not count, and for each
//! NAME only the arguments at the listed indexes count. Each CALL is returned once. A closure compares the
//! pairs of CALLs.

use varvite::Graph;
use varvite::cursor::LabelTest;
use varvite::pipeline::{Plan, nodes, one_of};

use super::{Query, Question, compile, nodes_of};
use crate::{Cursors, Result, label_test};

/// Names of operations, and the ARGUMENT_INDEX of each object on which they operate.
pub const OPERATIONS: [(&str, &[i64]); 37] = [
    ("access", &[1]),
    ("chdir", &[1]),
    ("chmod", &[1]),
    ("chown", &[1]),
    ("creat", &[1]),
    ("faccessat", &[2]),
    ("fchmodat", &[2]),
    ("fopen", &[1]),
    ("fstatat", &[2]),
    ("lchown", &[1]),
    ("link", &[1, 2]),
    ("linkat", &[2, 4]),
    ("lstat", &[1]),
    ("mkdir", &[1]),
    ("mkdirat", &[2]),
    ("mkfifo", &[1]),
    ("mkfifoat", &[2]),
    ("mknod", &[1]),
    ("mknodat", &[2]),
    ("open", &[1]),
    ("openat", &[2]),
    ("readlink", &[1]),
    ("readlinkat", &[2]),
    ("rename", &[1, 2]),
    ("renameat", &[2, 4]),
    ("rmdir", &[1]),
    ("stat", &[1]),
    ("unlink", &[1]),
    ("unlinkat", &[2]),
    ("free", &[1]),
    ("kfree", &[1]),
    ("kvfree", &[1]),
    ("sqlite3DbFree", &[2]),
    ("sqlite3_free", &[1]),
    ("vfree", &[1]),
    ("TRY_FREE", &[2]),
    ("ZFREE", &[2]),
];

pub(super) const QUERY: Query = Query { name: "shared_arguments", follows: "file-operation-race", prepare };

/// The code of an operation's NAME, and the indexes of the arguments on which it operates.
type Operation = (i64, &'static [i64]);

fn prepare(graph: &Graph) -> Result<Question> {
    let named = nodes("CALL").has("NAME", one_of(OPERATIONS.map(|(name, _)| name)));
    let plans = compile(graph, [named])?;
    let (cursors, literal) = (Cursors::open(graph)?, label_test(graph, "LITERAL")?);
    let names = OPERATIONS.map(|(name, _)| name);
    let codes = cursors.name.strings().map_or(Vec::new(), |strings| strings.find_each(&names));
    let operation =
        |(code, (_, indexes)): (Option<u32>, &(_, &'static [i64]))| Some((i64::from(code?), *indexes));
    let operations: Vec<Operation> = codes.into_iter().zip(&OPERATIONS).filter_map(operation).collect();
    Ok(Box::new(move || shared(&plans, &cursors, &operations, &literal)))
}

fn shared(
    calls: &[Plan],
    cursors: &Cursors,
    operations: &[Operation],
    literal: &LabelTest,
) -> Result<Vec<u32>> {
    // One entry for each object of an operation: the METHOD, the CODE and the CALL. Once the list is sorted,
    // equal objects in the same METHOD are next to each other.
    let mut things: Vec<(u32, i64, u32)> = Vec::new();
    for call in nodes_of(calls)? {
        let name = cursors.name.number(call);
        let operation = operations.iter().find(|(code, _)| Some(*code) == name);
        let (Some((_, indexes)), Some(method)) = (operation, cursors.method(call)) else { continue };
        for argument in cursors.arguments.neighbors(call).filter(|node| !literal.matches(*node)) {
            let index = cursors.argument_index.number(argument);
            if let Some(code) = cursors.code.number(argument)
                && index.is_some_and(|index| indexes.contains(&index))
            {
                things.push((method, code, call));
            }
        }
    }
    things.sort_unstable();
    things.dedup();
    let groups = things.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|group| group.len() > 1);
    let mut found: Vec<u32> = groups.flatten().map(|(_, _, call)| *call).collect();
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
