//! Documents that are refused, with the line in the error.

use varvite::Task;
use varvite_import::TextError;

use super::Documents;

#[track_caller]
fn check_document(text: &[u8], line: u64, what: &str) {
    let documents = Documents::new();
    let error = match documents.import(text) {
        Ok((report, _)) => panic!("{report:?} of {}", String::from_utf8_lossy(text)),
        Err(error) => error,
    };
    assert!(matches!(error, TextError::Source { .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains(&format!("g.graphml: line {line}: ")) && message.contains(what), "{message}");
    assert!(!documents.path("g.varvite").exists());
}

/// Checks a document with `inside` in its graph, which begins in line 4.
#[track_caller]
fn check(inside: &str, line: u64, what: &str) {
    let head =
        "<graphml>\n<key id='n' for='node' attr.name='n' attr.type='int'/>\n<graph edgedefault='directed'>\n";
    check_document(format!("{head}{inside}\n</graph>\n</graphml>\n").as_bytes(), line, what);
}

#[test]
fn what_a_graph_does_not_have_is_refused() {
    check("<node id='a'/>\n<hyperedge/>", 5, "a hyperedge cannot be imported");
    check("<node id='a'>\n<graph/></node>", 5, "a nested graph");
    check("<node id='a'><port name='p'/></node>", 4, "a port");
    check("<node id='a'/><edge source='a' target='a' sourceport='p'/>", 4, "a port");
    check("</graph>\n<graph>", 5, "a second graph");
    check("<locator/>", 4, "lies elsewhere");
}

#[test]
fn what_makes_no_sense_is_refused() {
    check("<node/>", 4, "a node without id");
    check("<node id='a'/>\n<edge source='a'/>", 5, "a edge without target");
    check("<node id='a'/>\n\n<node id='a'/>", 6, "second node with the id \"a\"");
    check("<node id='a'/>\n<edge source='a' target='b'/>", 5, "no node with the id \"b\"");
    check("<node id='a'>\n<data key='x'>1</data></node>", 5, "no key \"x\"");
    check("<node id='a'>\n<data>1</data></node>", 5, "a data without key");
    check("<node id='a'>\n<data key='n'>1.5</data></node>", 5, "\"1.5\" is not a valid int");
    check(
        "<node id='a'><data key='n'>1</data>\n<data key='n'>2</data></node>",
        5,
        "a second value of the key \"n\"",
    );
    check("<vertex/>", 4, "unexpected element \"vertex\" in graph");
    check("<key id='late'/>", 4, "keys come before");
    let key = |attributes: &str, what: &str| {
        let text = format!("<graphml>\n<key {attributes}/><graph/></graphml>");
        check_document(text.as_bytes(), 2, what);
    };
    key("for='node'", "a key without id");
    key("id='a' for='vertex'", "for is \"vertex\"");
    key("id='a' attr.type='decimal'", "attr.type is \"decimal\"");
    key("id='a'/><key id='a'", "a second key \"a\"");
    key("id='a' attr.name='p' attr.type='int'/><key id='b' attr.name='p'", "property p is string here");
}

/// In C, a name would end at a NUL. XML does not allow a NUL at all.
#[test]
fn names_that_a_graph_cannot_have_are_refused() {
    check_document(b"<graphml>\n<key id='n' for='node' attr.name='a\0b'/><graph/></graphml>", 2, "");
    check_document(b"<graphml>\n<key id='n' for='node' attr.name='a&#0;b'/><graph/></graphml>", 2, "");
}

#[test]
fn what_is_no_document_is_refused() {
    check_document(b"", 1, "without a graph");
    check_document(b"text", 1, "without a graph");
    check_document(b"<html>\n</html>", 1, "the document is \"html\"");
    check_document(b"<graphml>\n</graphml>", 2, "without a graph");
    check_document(b"<graphml><graph>\n<node id='a'>", 2, "without a graph");
    check_document(b"<graphml><graph>\n<node id='a'></edge>", 2, "not XML");
    check_document(b"<graphml><graph><node id='a></graph>", 1, "not XML");
    check_document(b"<graphml><graph/></graphml>\n<graphml/>", 2, "after the end of graphml");
    check_document(b"<graphml><graph>\n<node id='\xff'/></graph></graphml>", 2, "not UTF-8");
}

#[test]
fn nothing_is_expanded_and_nothing_lies_deep() {
    let bomb = "<!DOCTYPE graphml [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>\n\
        <graphml><key id='n' for='node'/><graph>\n<node id='x'><data key='n'>&b;</data></node></graph></graphml>";
    check_document(bomb.as_bytes(), 3, "entity \"b\"");
    let attribute = bomb.replace("id='x'", "id='&b;'");
    check_document(attribute.as_bytes(), 3, "not XML");
    let outside = "<!DOCTYPE graphml [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>\n<graphml><desc>&a;</desc><graph/></graphml>";
    check_document(outside.as_bytes(), 2, "entity \"a\"");
    let deep = format!("<graphml><desc>\n{}", "<a>".repeat(100_000));
    check_document(deep.as_bytes(), 2, "more than 64 deep");
    let wide = (0..1000).map(|number| format!(" a{number}='x'")).collect::<String>();
    check_document(
        format!("<graphml>\n<key id='a'{wide}/></graphml>").as_bytes(),
        2,
        "more than 64 attributes",
    );
    let defaults = (0..100).map(|number| format!("<key id='{number}' for='node'><default>x</default></key>"));
    check_document(
        format!("<graphml>\n{}</graphml>", defaults.collect::<String>()).as_bytes(),
        2,
        "more than 64 keys with a default",
    );
}

#[test]
fn memory_is_bounded() {
    let nodes: String = (0..50_000).map(|number| format!("<node id='n{number}'/>\n")).collect();
    let text = format!("<graphml><graph>\n{nodes}</graph></graphml>");
    let documents = Documents::new();
    let error = documents.import_with(&text, |import| import.task(Task::new().memory(500_000))).unwrap_err();
    assert_eq!(error.code(), varvite::ErrorCode::OverBudget, "{error}");
    // These edges name nodes that are never declared. The memory for such nodes counts towards the limit too.
    let edges: String =
        (0..50_000).map(|number| format!("<edge source='s{number}' target='t{number}'/>\n")).collect();
    let text = format!("<graphml><graph>\n{edges}</graph></graphml>");
    let error =
        documents.import_with(&text, |import| import.task(Task::new().memory(4_000_000))).unwrap_err();
    assert_eq!(error.code(), varvite::ErrorCode::OverBudget, "{error}");
}

/// The limit covers values of a property and captions of drawings alike.
#[test]
fn the_data_of_one_element_is_bounded() {
    let half = "x".repeat(33 << 20);
    let property = (" attr.name='NUMBER'", half.clone());
    let caption = (" yfiles.type='nodegraphics'", format!("<NodeLabel>{half}</NodeLabel>"));
    for (key, value) in [property, caption] {
        let keys = ["a", "b"].map(|id| format!("<key id='{id}' for='node'{}/>", key.replace("NUMBER", id)));
        let data = ["a", "b"].map(|id| format!("<data key='{id}'>{value}</data>"));
        let node = format!("<node id='n'>{}</node>", data.concat());
        let text =
            format!("<graphml>{}<graph edgedefault='directed'>{node}</graph></graphml>", keys.concat());
        let error = Documents::new().import(text).unwrap_err().to_string();
        assert!(error.contains("the data of one element of more than 67108864 bytes"), "{error}");
    }
}

#[test]
fn captions_that_would_be_labels_name_the_option_that_makes_them_a_property() {
    let nodes: String = (0..16_385)
        .map(|number| format!("<node id='{number}'><data key='l'>page {number}</data></node>"))
        .collect();
    let text = format!(
        "<graphml><key id='l' for='node' attr.name='label' attr.type='string'/>\
         <graph edgedefault='directed'>{nodes}</graph></graphml>"
    );
    let documents = Documents::new();
    let error = documents.import(&text).unwrap_err().to_string();
    assert!(error.contains("--node-labels"), "{error}");
    let (_, graph) = documents.import_with(&text, |import| import.node_labels("kind")).unwrap();
    assert_eq!(graph.property("label").unwrap().get(16_384).unwrap().to_string(), "page 16384");
    let text = text.replace("for='node'", "for='edge'");
    let edges = nodes.replace("<node id=", "<edge source='a' target='a' id=").replace("</node>", "</edge>");
    let text = text.replace(&nodes, &format!("<node id='a'/>{edges}"));
    let error = documents.import(&text).unwrap_err().to_string();
    assert!(error.contains("--edge-labels"), "{error}");
}
