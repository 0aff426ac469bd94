//! Rules of the comparison, each with the fewest classes.

use std::fs;

use varvite_testing::class_file::{ABSTRACT, ClassWriter, FINAL, INTERFACE, PUBLIC, STATIC};

use super::super::archive::tests::archive_of;
use super::class_file::ClassFile;
use super::*;

const GRAPH: &str = "flatgraph/Graph";
const OBJECT: &str = "java/lang/Object";
const VOID: &str = "()V";

type Class = (&'static str, ClassWriter);

fn class(name: &'static str, superclass: &str) -> Class {
    (name, ClassWriter::new(PUBLIC, name, superclass))
}

/// Adds to a class.
fn with((name, class): Class, add: impl FnOnce(ClassWriter) -> ClassWriter) -> Class {
    (name, add(class))
}

/// A class of Joern that calls a method of the replaced class.
fn caller(name: &'static str, method: &str) -> Class {
    with(class(name, OBJECT), |class| class.calls(GRAPH, method, VOID))
}

fn graph(methods: &[(u16, &str)]) -> Class {
    with(class(GRAPH, OBJECT), |class| {
        methods.iter().fold(class, |class, (flags, name)| class.method(*flags, name, VOID))
    })
}

/// The verdict about jars of these classes.
fn verdict(theirs: Vec<Class>, ours: Vec<Class>) -> Result<Verdict, JoernError> {
    let folder = tempfile::tempdir().unwrap();
    let others = ["flatgraph/Accessors", "flatgraph/DiffGraphApplier"].map(|name| class(name, OBJECT));
    let ours = ours.into_iter().chain(others).collect();
    let [their_jar, our_jar] = [("theirs.jar", theirs), ("ours.jar", ours)].map(|(name, classes)| {
        let files: Vec<(String, Vec<u8>)> =
            classes.into_iter().map(|(name, class)| (format!("{name}.class"), class.bytes())).collect();
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
        let path = folder.path().join(name);
        fs::write(&path, archive_of(&files)).unwrap();
        JarFile::read(&path).unwrap()
    });
    compare(&[their_jar], &our_jar)
}

fn lack(theirs: Vec<Class>, ours: Vec<Class>) -> Option<String> {
    verdict(theirs, ours).unwrap().lack(Purpose::Graphs).map(str::to_owned)
}

#[test]
fn a_method_that_is_called_must_be_there() {
    let theirs = || vec![caller("a/User", "close"), graph(&[])];
    let said = lack(theirs(), vec![graph(&[])]).unwrap();
    assert_eq!(said, "a.User in theirs.jar needs void flatgraph.Graph.close(), which is missing");
    assert_eq!(lack(theirs(), vec![graph(&[(PUBLIC, "close")])]), None);
}

#[test]
fn the_methods_of_every_object_are_there() {
    let user = with(class("a/User", OBJECT), |class| class.calls(GRAPH, "hashCode", "()I"));
    assert_eq!(lack(vec![user], vec![graph(&[])]), None);
}

#[test]
fn a_class_and_a_field_must_be_there() {
    let user = with(class("a/User", OBJECT), |class| {
        class.reads("flatgraph/Graph$", "MODULE$", "Lflatgraph/Graph$;")
    });
    assert!(lack(vec![user], vec![graph(&[])]).unwrap().contains("needs the class flatgraph.Graph$"));
}

#[test]
fn a_method_may_be_inherited_from_the_other_side() {
    let theirs = || {
        let base = with(class("flatgraph/Base", OBJECT), |class| class.method(PUBLIC, "close", VOID));
        vec![caller("a/User", "close"), base]
    };
    assert_eq!(lack(theirs(), vec![class(GRAPH, "flatgraph/Base")]), None);
    assert!(lack(theirs(), vec![class(GRAPH, "flatgraph/Gone")]).unwrap().contains("flatgraph.Gone"));
}

#[test]
fn a_method_must_be_static_if_it_was() {
    let theirs = vec![caller("a/User", "close"), graph(&[(PUBLIC | STATIC, "close")])];
    assert!(lack(theirs, vec![graph(&[(PUBLIC, "close")])]).is_some());
}

#[test]
fn only_classes_of_the_package_see_what_is_not_public() {
    let ours = || vec![graph(&[(0, "close")])];
    assert!(lack(vec![caller("a/User", "close")], ours()).is_some());
    assert_eq!(lack(vec![caller("flatgraph/User", "close")], ours()), None);
}

#[test]
fn a_class_is_no_interface() {
    let user = with(class("a/User", OBJECT), |class| class.calls_interface(GRAPH, "close", VOID));
    assert!(lack(vec![user], vec![graph(&[(PUBLIC, "close")])]).is_some());
}

#[test]
fn a_method_that_is_overridden_must_be_there() {
    let theirs = || {
        let heir = with(class("a/Heir", GRAPH), |class| class.method(PUBLIC, "opened", VOID));
        vec![heir, graph(&[(PUBLIC, "opened")])]
    };
    assert!(lack(theirs(), vec![graph(&[])]).unwrap().contains("a.Heir in theirs.jar"));
    assert_eq!(lack(theirs(), vec![graph(&[(PUBLIC, "opened")])]), None);
    let said = lack(theirs(), vec![graph(&[(PUBLIC | FINAL, "opened")])]).unwrap();
    assert!(said.contains("needs void flatgraph.Graph.opened(), not final"), "{said}");
}

#[test]
fn a_final_class_has_no_heirs() {
    let ours = vec![(GRAPH, ClassWriter::new(PUBLIC | FINAL, GRAPH, OBJECT))];
    let said = lack(vec![class("a/Heir", GRAPH)], ours).unwrap();
    assert!(said.contains("the class flatgraph.Graph as one to inherit from"), "{said}");
}

#[test]
fn a_method_may_be_called_by_the_name_of_an_heir() {
    let user = with(class("b/User", OBJECT), |class| class.calls("a/Second", "close", VOID));
    let theirs = vec![user, class("a/First", GRAPH), class("a/Second", "a/First")];
    assert!(lack(theirs, vec![graph(&[])]).unwrap().contains("void a.Second.close()"));
}

#[test]
fn abstract_methods_of_the_other_side_are_implemented() {
    let theirs = || {
        let flags = PUBLIC | INTERFACE | ABSTRACT;
        let steps =
            ClassWriter::new(flags, "flatgraph/Steps", OBJECT).method(PUBLIC | ABSTRACT, "next", VOID);
        vec![("flatgraph/Steps", steps.method(PUBLIC, "all", VOID))]
    };
    let ours =
        |methods: &[(u16, &str)]| vec![with(graph(methods), |class| class.implements("flatgraph/Steps"))];
    let said = lack(theirs(), ours(&[])).unwrap();
    assert!(
        said.starts_with("Varvite's flatgraph.Graph needs no abstract void flatgraph.Steps.next()"),
        "{said}"
    );
    assert_eq!(lack(theirs(), ours(&[(PUBLIC, "next")])), None);
}

#[test]
fn what_our_classes_call_must_be_there() {
    let ours = |name: &'static str| {
        vec![graph(&[]), with(class(name, OBJECT), |class| class.calls("flatgraph/GNode", "seq", "()I"))]
    };
    let node = || vec![class("flatgraph/GNode", OBJECT)];
    let found = verdict(node(), ours("varvite/joern/Hops")).unwrap();
    let said = "Varvite's varvite.joern.Hops needs int flatgraph.GNode.seq(), which is missing";
    assert_eq!(found.lack(Purpose::Graphs), Some(said));
    let found = verdict(node(), ours("varvite/joern/start/Overlays")).unwrap();
    assert_eq!(found.lack(Purpose::Graphs), None);
    assert!(found.lack(Purpose::Frontend).is_some());
    let node = with(class("flatgraph/GNode", OBJECT), |class| class.method(PUBLIC, "seq", "()I"));
    assert_eq!(lack(vec![node], ours("varvite/joern/Hops")), None);
}

#[test]
fn classes_that_inherit_from_each_other_end_the_search() {
    let theirs = vec![caller("a/User", "close"), class("flatgraph/Base", GRAPH)];
    assert!(lack(theirs, vec![class(GRAPH, "flatgraph/Base")]).is_some());
}

#[test]
fn a_class_file_that_is_cut_short_is_none() {
    let (_, class) = with(caller("a/User", "close"), |class| class.field(PUBLIC, "a", "I").implements("b/C"));
    let bytes = class.bytes();
    assert!(ClassFile::read(&bytes).is_some());
    // Attributes of the class, whose count is at the end, are not read.
    (0..bytes.len() - 2).for_each(|len| assert!(ClassFile::read(&bytes[..len]).is_none(), "{len}"));
}

#[test]
fn a_class_file_with_any_byte_changed_is_read_or_refused() {
    let (_, class) = with(caller("a/User", "close"), |class| class.method(PUBLIC, "a", VOID));
    let bytes = class.bytes();
    for at in 0..bytes.len() {
        for byte in [0, 1, 5, 10, 0x7F, 0xFF] {
            let mut lying = bytes.clone();
            lying[at] = byte;
            if let Some(file) = ClassFile::read(&lying) {
                file.references().for_each(drop);
                file.classes().for_each(drop);
            }
        }
    }
}
