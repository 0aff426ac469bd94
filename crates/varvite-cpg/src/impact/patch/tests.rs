//! Tests of the reader of patches: what it reads, and what it refuses.

use super::*;

fn read(text: &str, side: Side) -> Vec<ChangedFile> {
    Patch::read(text.as_bytes(), side).unwrap_or_else(|error| panic!("{error}\n{text}")).files
}

fn file(path: &str, spans: &[Span]) -> ChangedFile {
    ChangedFile { path: path.to_owned(), is_there: true, is_binary: false, spans: spans.to_vec() }
}

fn absent(path: &str) -> ChangedFile {
    ChangedFile { path: path.to_owned(), ..ChangedFile::default() }
}

/// The line and the message of the error of a patch.
fn refused(text: &str) -> (u64, String) {
    let error = Patch::read(text.as_bytes(), Side::Old).expect_err(text);
    assert_eq!(Patch::read(text.as_bytes(), Side::New).expect_err(text), error);
    (error.line, error.fault.to_string())
}

const CHANGE: &str = "diff --git a/src/x.c b/src/x.c\nindex 1..2 100644\n--- a/src/x.c\n+++ b/src/x.c\n\
    @@ -10,5 +10,6 @@ int f(void)\n one\n-two\n+TWO\n+and\n three\n-four\n five\n+six\n";

#[test]
fn lines_count_on_the_chosen_side() {
    let old = [Span::lines(11, 11), Span::lines(13, 13), Span::before(15)];
    assert_eq!(read(CHANGE, Side::Old), [file("src/x.c", &old)]);
    let new = [Span::lines(11, 12), Span::before(14), Span::lines(15, 15)];
    assert_eq!(read(CHANGE, Side::New), [file("src/x.c", &new)]);
}

#[test]
fn line_ends_of_windows_and_marks_of_missing_line_ends_change_nothing() {
    let windows = CHANGE.replace('\n', "\r\n");
    assert_eq!(read(&windows, Side::Old), read(CHANGE, Side::Old));
    let no_end =
        "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ Kein Zeilenumbruch\n";
    assert_eq!(read(no_end, Side::Old), [file("x.c", &[Span::lines(1, 1)])]);
    let empty_context = "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,2 @@\n\n-a\n\n";
    assert_eq!(read(empty_context, Side::Old), [file("x.c", &[Span::lines(2, 2)])]);
}

#[test]
fn a_new_file_exists_on_the_new_side_alone_and_a_deleted_one_on_the_old() {
    let new = "diff --git a/n.c b/n.c\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.c\n@@ -0,0 +1,2 @@\n+a\n+b\n";
    assert_eq!(read(new, Side::New), [file("n.c", &[Span::lines(1, 2)])]);
    assert_eq!(read(new, Side::Old), [absent("n.c")]);
    let gone = "diff --git a/n.c b/n.c\ndeleted file mode 100644\nindex 1..0\n--- a/n.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    assert_eq!(read(gone, Side::Old), [file("n.c", &[Span::lines(1, 2)])]);
    assert_eq!(read(gone, Side::New), [absent("n.c")]);
    let empty = "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n";
    assert_eq!(read(empty, Side::New), [file("e", &[])]);
}

#[test]
fn a_renamed_file_has_the_name_of_its_side() {
    let text = "diff --git a/old.c b/b/new.c\nsimilarity index 90%\nrename from old.c\nrename to b/new.c\n\
        index 1..2\n--- a/old.c\n+++ b/b/new.c\n@@ -3 +3 @@\n-a\n+b\n";
    assert_eq!(read(text, Side::Old), [file("old.c", &[Span::lines(3, 3)])]);
    assert_eq!(read(text, Side::New), [file("b/new.c", &[Span::lines(3, 3)])]);
    let pure = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    assert_eq!(read(pure, Side::New), [file("y", &[])]);
    let copy = pure.replace("rename", "copy");
    assert_eq!(read(&copy, Side::Old), [absent("y")]);
}

#[test]
fn names_may_be_quoted_and_have_spaces_timestamps_or_no_prefix() {
    let named = |old: &str, new: &str| {
        read(&format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n"), Side::New).remove(0).path
    };
    assert_eq!(named(r#""a/\303\251.c""#, r#""b/\303\251.c""#), "\u{e9}.c");
    assert_eq!(named("a/x y.c\t", "b/x y.c\t"), "x y.c");
    assert_eq!(named("x.c\t2026-01-01", "x.c\t2026-01-02"), "x.c");
    assert_eq!(named("src/x.c", "src/x.c"), "src/x.c");
    let bare = "diff --git b/x.c b/x.c\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x.c\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(read(bare, Side::New)[0].path, "b/x.c");
}

#[test]
fn modes_and_binary_files_have_no_lines() {
    let mode = "diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n";
    assert_eq!(read(mode, Side::Old), [file("x.sh", &[])]);
    let binary = "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n";
    assert!(read(binary, Side::Old)[0].is_binary);
    let data = "diff --git a/x b/x\nindex 1..2\nGIT binary patch\ndelta 9\nQcmZ=\n\nliteral 1\nIcmZ\n\n";
    assert!(read(data, Side::Old)[0].is_binary);
    assert!(read("Binary files a/x and b/x differ\n", Side::New)[0].is_binary);
}

#[test]
fn a_message_and_a_signature_of_a_mail_are_passed_over() {
    let mail =
        format!("From 1 Mon\nSubject: [PATCH] x\n\n--- a note\n---\n x.c | 2 +-\n\n{CHANGE}-- \n2.43.0\n");
    assert_eq!(read(&mail, Side::Old), read(CHANGE, Side::Old));
    assert_eq!(read("", Side::Old), []);
}

#[test]
fn a_patch_that_lies_is_refused_with_its_line() {
    let hunk = |ranges: &str, body: &str| refused(&format!("--- a/x.c\n+++ b/x.c\n@@ {ranges} @@\n{body}"));
    for (ranges, body, line, words) in [
        ("-1,3 +1", "-a\n+b\n", 5, "ends inside of the hunk of line 3; missing lines: 2"),
        ("-1 +1", "-a\n+b\n+c\n", 6, "more lines than line 3 says"),
        ("-1 +1", "-a\n+b\n c\n", 6, "more lines"),
        ("-1,2 +1", "-a\n+b\n@@ -9 +9 @@\n", 6, "fewer lines"),
        ("-1 +1,2", "-a\n-b\n", 5, "other lines"),
        ("-1 +1", "-a\n+b\n@@ -1 +1 @@\n-c\n+d\n", 6, "begins before the end"),
        ("-0 +1", "-a\n+b\n", 3, "is invalid"),
        ("-x +1", "-a\n+b\n", 3, "is invalid"),
        ("-1,4294967295 +1", "-a\n+b\n", 3, "is invalid"),
        ("-99999999999 +1", "-a\n+b\n", 3, "is invalid"),
        ("-+1 +1", "-a\n+b\n", 3, "is invalid"),
    ] {
        let (found, message) = hunk(ranges, body);
        assert!(found == line && message.contains(words), "{ranges}: line {found}: {message}");
    }
}

#[test]
fn whatever_could_hide_a_change_is_refused() {
    for (text, line, words) in [
        ("@@ -1 +1 @@\n-a\n+b\n", 1, "without the lines `--- `"),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", 2, "without the lines `--- `"),
        ("--- a/x.c\n", 1, "not followed by a line `+++ `"),
        ("diff --git a/x b/x\n--- a/x\nx\n", 2, "not followed by a line `+++ `"),
        ("--- a/x.c\n+++ b/x.c\n", 1, "changes of the file are missing"),
        ("diff --git a/x b/x\nindex 1..2 100644\n", 1, "changes of the file are missing"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n", 1, "on neither side"),
        ("--- \"a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n", 1, "wrongly quoted"),
        ("diff --cc x.c\nindex 1,2..3\n", 1, "combined diff"),
        ("--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n", 3, "combined diff"),
        ("*** a/x.c\n--- b/x.c\n***************\n", 1, "context diff"),
        ("hello\n", 1, "not a unified diff"),
        ("1c1\n< a\n---\n> b\n", 1, "not a unified diff"),
    ] {
        let (found, message) = refused(text);
        assert!(found == line && message.contains(words), "{text:?}: line {found}: {message}");
    }
    let (line, message) = refused(&format!("{CHANGE}{CHANGE}"));
    assert_eq!((line, message.contains("src/x.c is changed a second time")), (14, true), "{message}");
}
