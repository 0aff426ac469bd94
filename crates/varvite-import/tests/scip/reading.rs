//! What the parts of an index become.

use varvite_testing::scip_index::{DEFINITION, ScipDocument, ScipIndex, symbol};

use super::{Indexes, edges, index_of, shown, value};

/// Python: a class, a method that calls a function, and a function that is passed on.
///
/// ```text
/// 1  class Shop(Base):
/// 2      def open(self, door):
/// 3          unlock(door)
/// 4          return map(unlock, [door])
/// ```
const SHOP: &str = "\
class Shop(Base):
    def open(self, door):
        unlock(door)
        return map(unlock, [door])
";

fn shop() -> ScipDocument {
    let [shop, base, open, door] =
        ["m/Shop#", "m/Base#", "m/Shop#open().", "m/Shop#open().(door)"].map(symbol);
    let [unlock, map] = ["n/unlock().", "n/map()."].map(symbol);
    ScipDocument::at("shop.py")
        .enclosing(&[0, 6, 10], &shop, DEFINITION, &[0, 0, 3, 33])
        .occurrence(&[0, 11, 15], &base, 8)
        .enclosing(&[1, 8, 12], &open, DEFINITION, &[1, 4, 3, 33])
        .occurrence(&[1, 19, 23], &door, DEFINITION)
        .occurrence(&[2, 8, 14], &unlock, 8)
        .occurrence(&[2, 15, 19], &door, 8)
        .occurrence(&[3, 15, 18], &map, 8)
        .occurrence(&[3, 19, 25], &unlock, 8)
        .occurrence(&[3, 28, 32], &door, 8)
        .information(&shop, 0, "", &[&base])
}

#[test]
fn a_reference_to_a_method_is_a_call_where_the_source_shows_one() {
    let (report, graph) = Indexes::new().import(&index_of(shop().text(5, SHOP))).unwrap();
    assert_eq!(edges(&graph, "CALL"), ["CALL map 4 > METHOD map", "CALL unlock 3 > METHOD unlock"]);
    assert_eq!(
        edges(&graph, "REF"),
        [
            "IDENTIFIER door 3 > METHOD_PARAMETER_IN door 2",
            "IDENTIFIER door 4 > METHOD_PARAMETER_IN door 2",
            "METHOD_REF n/unlock(). 4 > METHOD unlock",
            "TYPE_REF m/Base# 1 > TYPE_DECL Base",
        ]
    );
    let counts = report.counts;
    assert_eq!((counts.calls, counts.method_refs, counts.calls_outside), (2, 1, 0));
    assert_eq!((counts.occurrences, counts.definitions, counts.references), (9, 3, 6));
    assert_eq!((counts.symbols, counts.external_symbols), (6, 3));
}

#[test]
fn without_the_source_no_reference_is_a_call() {
    let (report, graph) = Indexes::new().import(&index_of(shop())).unwrap();
    assert!(edges(&graph, "CALL").is_empty());
    assert_eq!((report.counts.calls, report.counts.method_refs), (0, 3));
    assert_eq!(edges(&graph, "REF").iter().filter(|edge| edge.starts_with("METHOD_REF")).count(), 3);
}

#[test]
fn the_source_may_be_in_a_folder() {
    let indexes = Indexes::new();
    std::fs::write(indexes.path("shop.py"), SHOP).unwrap();
    let folder = indexes.path("");
    let (report, _) = indexes.import_with(&index_of(shop()), |import| import.sources(folder)).unwrap();
    assert_eq!((report.counts.calls, report.counts.sources.read), (2, 1));
    // The text of the index counts more than the folder.
    let folder = indexes.path("");
    let index = index_of(shop().text(5, ""));
    let (report, _) = indexes.import_with(&index, |import| import.sources(folder)).unwrap();
    assert_eq!(
        (report.counts.calls, report.counts.sources.in_index, report.counts.sources.misplaced),
        (0, 1, 3)
    );
}

#[test]
fn definitions_are_in_a_tree_below_their_file() {
    let (_, graph) = Indexes::new().import(&index_of(shop().text(5, SHOP))).unwrap();
    assert_eq!(
        edges(&graph, "AST"),
        [
            "FILE shop.py > TYPE_DECL Shop 1",
            "METHOD open 2 > CALL map 4",
            "METHOD open 2 > CALL unlock 3",
            "METHOD open 2 > IDENTIFIER door 3",
            "METHOD open 2 > IDENTIFIER door 4",
            "METHOD open 2 > METHOD_PARAMETER_IN door 2",
            "METHOD open 2 > METHOD_REF n/unlock(). 4",
            "TYPE_DECL Shop 1 > METHOD open 2",
            "TYPE_DECL Shop 1 > TYPE_REF m/Base# 1",
        ]
    );
    assert_eq!(edges(&graph, "CONTAINS").len(), 5);
    assert_eq!(
        edges(&graph, "SOURCE_FILE"),
        ["METHOD open 2 > FILE shop.py", "TYPE_DECL Shop 1 > FILE shop.py"]
    );
    assert_eq!(edges(&graph, "INHERITS_FROM"), ["TYPE_DECL Shop 1 > TYPE_DECL Base"]);
}

#[test]
fn nodes_have_the_properties_of_code_property_graphs() {
    let (_, graph) = Indexes::new().import(&index_of(shop().text(5, SHOP).text(4, "Python"))).unwrap();
    let find = |wanted: &str| (0..graph.node_count()).find(|node| shown(&graph, *node) == wanted).unwrap();
    let check = |node: &str, expected: &[(&str, &str)]| {
        for (property, text) in expected {
            assert_eq!(value(&graph, find(node), property).as_deref(), Some(*text), "{node} {property}");
        }
    };
    let package = ("PACKAGE", "scip-test pip shop 1.0");
    check(
        "METHOD open 2",
        &[
            ("FULL_NAME", "m/Shop#open()."),
            package,
            ("FILENAME", "shop.py"),
            ("COLUMN_NUMBER", "9"),
            ("LINE_NUMBER_END", "4"),
            ("IS_EXTERNAL", "false"),
            ("SYMBOL_ROLES", "1"),
        ],
    );
    check("METHOD unlock", &[("FULL_NAME", "n/unlock()."), package, ("IS_EXTERNAL", "true")]);
    check("METHOD_PARAMETER_IN door 2", &[("INDEX", "1"), ("ORDER", "1")]);
    check("CALL unlock 3", &[("METHOD_FULL_NAME", "n/unlock()."), ("CODE", "unlock(door)"), ("ORDER", "2")]);
    check("META_DATA scip-test", &[("LANGUAGE", "Python"), ("ROOT", "file:///shop")]);
}

#[test]
fn a_kind_counts_more_than_the_form_of_a_symbol() {
    let [value, function] = ["value.", "function."].map(symbol);
    let document = ScipDocument::at("a.ts")
        .text(5, "function()\nvalue()")
        .occurrence(&[0, 0, 8], &function, 0)
        .occurrence(&[1, 0, 5], &value, 0)
        .occurrence(&[1, 0, 5], "local 1", DEFINITION)
        .occurrence(&[1, 0, 5], "local 2", 0)
        .information(&function, 17, "", &[])
        .information("local 1", 17, "inner", &[]);
    let (_, graph) = Indexes::new().import(&index_of(document)).unwrap();
    assert_eq!(edges(&graph, "CALL"), ["CALL function 1 > METHOD function"]);
    assert_eq!(
        edges(&graph, "REF"),
        ["IDENTIFIER local 2 2 > LOCAL local 2", "IDENTIFIER value 2 > LOCAL value"]
    );
    assert_eq!(edges(&graph, "AST").first().map(String::as_str), Some("FILE a.ts > CALL function 1"));
    assert!(edges(&graph, "AST").contains(&"FILE a.ts > METHOD inner 2".to_owned()));
}

#[test]
fn local_symbols_belong_to_their_document_and_are_named_by_the_source() {
    let document = |path: &str, name: &str| {
        let method = symbol(&format!("{path}/f()."));
        ScipDocument::at(path)
            .text(5, &format!("f {name} = {name}"))
            .enclosing(&[0, 0, 1], &method, DEFINITION, &[0, 0, 99])
            .occurrence(&[0, 2, 3], "local 1", DEFINITION)
            .occurrence(&[0, 6, 7], "local 1", 0)
    };
    let index = ScipIndex::new().document(document("a", "x")).document(document("b", "y")).bytes();
    let (report, graph) = Indexes::new().import(&index).unwrap();
    assert_eq!(edges(&graph, "REF"), ["IDENTIFIER x 1 > LOCAL x 1", "IDENTIFIER y 1 > LOCAL y 1"]);
    assert_eq!(report.counts.local_symbols, 2);
}

#[test]
fn documents_without_enclosing_ranges_get_methods_by_the_order_of_definitions() {
    let [first, second, callee] = ["first().", "second().", "callee()."].map(symbol);
    let document = ScipDocument::at("a.go")
        .text(5, "callee()\nfirst callee()\nsecond callee()")
        .occurrence(&[0, 0, 6], &callee, 0)
        .occurrence(&[1, 0, 5], &first, DEFINITION)
        .occurrence(&[1, 6, 12], &callee, 0)
        .occurrence(&[2, 0, 6], &second, DEFINITION)
        .occurrence(&[2, 7, 13], &callee, 0);
    let (report, graph) = Indexes::new().import(&index_of(document)).unwrap();
    assert_eq!(
        edges(&graph, "CONTAINS"),
        ["METHOD first 2 > CALL callee 2", "METHOD second 3 > CALL callee 3"]
    );
    let counts = report.counts;
    assert_eq!((counts.calls, counts.calls_outside, counts.inferred_methods), (3, 1, 2));
}

#[test]
fn a_definition_counts_more_than_a_forward_definition_and_later_ones_are_references() {
    const FORWARD: u64 = 0x40;
    let f = symbol("f().");
    let header = ScipDocument::at("f.h").text(5, "int f(int);").occurrence(&[0, 4, 5], &f, FORWARD);
    let code = |path: &str| {
        let text = "int f(int x) { return f(x); }";
        let document = ScipDocument::at(path).text(5, text);
        document.enclosing(&[0, 4, 5], &f, DEFINITION, &[0, 0, 29]).occurrence(&[0, 22, 23], &f, 0)
    };
    let index = ScipIndex::new().document(header).document(code("f.c")).document(code("g.c")).bytes();
    let (report, graph) = Indexes::new().import(&index).unwrap();
    assert_eq!(edges(&graph, "SOURCE_FILE"), ["METHOD f 1 > FILE f.c"]);
    assert_eq!(edges(&graph, "CALL"), ["CALL f 1 > METHOD f 1"; 2]);
    assert_eq!(edges(&graph, "REF"), ["METHOD_REF f(). 1 > METHOD f 1"; 2]);
    assert!(edges(&graph, "AST").contains(&"FILE g.c > CALL f 1".to_owned()));
    // A METHOD has one file, so it contains nothing of its definition in another one.
    assert_eq!(edges(&graph, "CONTAINS"), ["METHOD f 1 > CALL f 1"]);
    let counts = report.counts;
    assert_eq!((counts.definitions, counts.further_definitions, counts.references), (1, 1, 3));
    assert_eq!(counts.calls_outside, 1);
}

#[test]
fn imports_and_overriding_definitions_are_no_calls() {
    const IMPORT: u64 = 2;
    let [f, g] = ["A#f().", "B#f()."].map(symbol);
    let document = ScipDocument::at("a.ts")
        .text(5, "f(1)\nf(2)")
        .occurrence(&[0, 0, 1], &f, IMPORT)
        .occurrence(&[1, 0, 1], &f, 0)
        .occurrence(&[1, 0, 1], &g, DEFINITION)
        .information(&g, 0, "", &[&f]);
    let (report, graph) = Indexes::new().import(&index_of(document)).unwrap();
    assert_eq!(report.counts.calls, 0);
    assert_eq!(edges(&graph, "REF"), ["IMPORT A#f(). 1 > METHOD f", "METHOD_REF A#f(). 2 > METHOD f"]);
    assert_eq!(edges(&graph, "IS_IMPLEMENTATION"), ["METHOD f 2 > METHOD f"]);
}

#[test]
fn a_name_that_is_declared_again_is_no_call() {
    let f = symbol("f().");
    let document = ScipDocument::at("a.py")
        .text(5, "def f(x: int): ...\ndef f(x: str): ...\n")
        .occurrence(&[0, 4, 5], &f, DEFINITION)
        .occurrence(&[1, 4, 5], &f, 8);
    let (report, _) = Indexes::new().import(&index_of(document)).unwrap();
    assert_eq!((report.counts.calls, report.counts.method_refs), (0, 1));
}

#[test]
fn what_is_left_out_is_counted() {
    let document = ScipDocument::at("a.py")
        .occurrence(&[0, 0, 1], "", 0)
        .occurrence(&[0, 0, 1], "not a symbol", 0)
        .occurrence(&[0, 0, 1], "\0a.py", DEFINITION)
        .occurrence(&[0, 0, 1], &symbol("f()."), DEFINITION)
        .information(&symbol("f()."), 0, "", &["nothing"]);
    let index =
        ScipIndex::new().document(document).document(ScipDocument::at("a.py")).field(77, b"new").bytes();
    let (report, _) = Indexes::new().import(&index).unwrap();
    let counts = report.counts;
    assert_eq!((counts.occurrences, counts.without_symbol, counts.invalid, counts.definitions), (4, 1, 2, 1));
    assert_eq!((counts.invalid_relationships, counts.relationships), (1, 0));
    assert_eq!((counts.documents, counts.repeated_documents), (2, 1));
}

#[test]
fn equal_descriptors_of_two_packages_are_two_nodes_of_one_full_name() {
    let document = ScipDocument::at("a.py")
        .text(5, "f()\nf()\n")
        .occurrence(&[0, 0, 1], &symbol("f()."), 0)
        .occurrence(&[1, 0, 1], "scip-test pip shop 2.0 f().", 0);
    let (_, graph) = Indexes::new().import(&index_of(document)).unwrap();
    let (calls, lines) = (graph.out("CALL").unwrap(), graph.property("LINE_NUMBER").unwrap());
    let called = |line| {
        let of_line = |node: &u32| calls.degree(*node) > 0 && lines.number(*node) == Some(line);
        let call = (0..graph.node_count()).find(of_line).unwrap();
        let method = calls.neighbors(call).next().unwrap();
        ["FULL_NAME", "PACKAGE"].map(|property| value(&graph, method, property).unwrap())
    };
    assert_eq!(called(1), ["f().", "scip-test pip shop 1.0"]);
    assert_eq!(called(2), ["f().", "scip-test pip shop 2.0"]);
}

#[test]
fn only_relationships_that_became_edges_count_as_such() {
    let (a, b) = (symbol("A#"), symbol("B#"));
    let document = ScipDocument::at("a.py")
        .occurrence(&[0, 0, 1], &a, DEFINITION)
        .occurrence(&[1, 0, 1], &b, DEFINITION)
        .related(&b, 7, "", &[(&a, &[]), (&a, &[3]), (&a, &[2, 4]), (&a, &[])]);
    let (report, graph) = Indexes::new().import(&index_of(document)).unwrap();
    assert_eq!((report.counts.relationships, report.counts.relationships_without_kind), (2, 2));
    let labels = ["INHERITS_FROM", "IS_REFERENCE", "EVAL_TYPE"];
    assert_eq!(labels.map(|label| edges(&graph, label).len()), [1, 1, 1]);
}

#[test]
fn the_same_index_gives_the_same_bytes() {
    let indexes = Indexes::new();
    let index = index_of(shop().text(5, SHOP));
    let file = |threads| {
        let options = |import: varvite_import::scip::ScipImport<'static>| {
            import.task(varvite::Task::new().threads(threads))
        };
        drop(indexes.import_with(&index, options).unwrap());
        std::fs::read(indexes.path("g.varvite")).unwrap()
    };
    assert_eq!(file(1), file(2));
}
