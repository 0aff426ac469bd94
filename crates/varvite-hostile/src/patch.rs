//! Patches that lie about their lines, that have very many files or hunks, or whose names are markup.

use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Patch,
        &[
            ("a-hunk-of-4-billion-lines", || hunk("-1,4294967294 +1,4294967294", "-a\n+b\n")),
            ("a-hunk-past-32-bits", || hunk("-4294967295,2 +1", "-a\n+b\n")),
            ("a-hunk-of-20-digits", || hunk("-18446744073709551616 +1", "-a\n+b\n")),
            ("a-hunk-that-ends-early", || hunk("-1,3 +1,3", " a\n-b\n+c\n")),
            ("a-hunk-with-a-line-too-many", || hunk("-1 +1", "-a\n+b\n+c\n")),
            ("100000-files", || many(100_000, |number| change(&format!("{number}.c"), "-1 +1", "-a\n+b\n"))),
            ("100000-files-of-one-end", || {
                many(100_000, |number| change(&format!("{number}/main.c"), "-1 +1", "-a\n+b\n"))
            }),
            ("one-file-1000-times", || many(1000, |_| change("main.c", "-1 +1", "-a\n+b\n"))),
            ("200000-hunks", || {
                let hunks = (0..200_000u32).map(|number| {
                    let line = 2 * number + 1;
                    format!("@@ -{line} +{line} @@\n-a\n+b\n")
                });
                format!("--- a/main.c\n+++ b/main.c\n{}", hunks.collect::<String>()).into_bytes()
            }),
            ("a-path-of-a-million-parts", || {
                change(&"x/".repeat(1_000_000), "-1 +1", "-a\n+b\n").into_bytes()
            }),
            ("a-patch-line-of-30-megabytes", || hunk("-1 +1", &format!("-{}\n+b\n", "a".repeat(30 << 20)))),
            ("a-patch-of-zeros", || vec![0; 100_000]),
            ("a-name-that-is-not-utf-8", || {
                b"--- \"a/\\377\\000.c\"\n+++ b/\xff.c\n@@ -1 +1 @@\n-a\n+b\n".to_vec()
            }),
            ("a-name-of-control-characters", || {
                change("\u{1b}[2J\u{202e}|`<img>`.c", "-1 +1", "-a\n+b\n").into_bytes()
            }),
            ("quotes-that-never-end", || {
                change("\"a/x.c", "-1 +1", "-a\n+b\n").replace("a/\"", "\"").into_bytes()
            }),
            ("a-combined-diff", || b"diff --cc main.c\nindex 1,2..3\n@@@ -1 -1 +1 @@@\n- a\n++b\n".to_vec()),
        ],
    )
}

fn hunk(ranges: &str, body: &str) -> Vec<u8> {
    change("main.c", ranges, body).into_bytes()
}

fn change(path: &str, ranges: &str, body: &str) -> String {
    format!("--- a/{path}\n+++ b/{path}\n@@ {ranges} @@\n{body}")
}

fn many(count: u32, make: impl Fn(u32) -> String) -> Vec<u8> {
    (0..count).map(make).collect::<String>().into_bytes()
}
