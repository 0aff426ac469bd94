//! Documents written by other programs can be read.

use varvite::{Cardinality, ValueType};

use super::{Documents, edge_values, networkx};
use crate::neo4j_csv::{edges, labels, values};

#[test]
fn a_directed_graph_of_networkx() {
    let (report, graph) = Documents::new().import(networkx("people")).unwrap();
    assert_eq!((report.nodes, report.edges, report.undirected), (3, 3, 0));
    assert_eq!(labels(&graph), [["Person"], ["Person"], ["Number"]]);
    assert_eq!(values(&graph, "age"), ["41", "-3", ""]);
    assert_eq!(values(&graph, "height"), ["1.5", "2", ""]);
    assert_eq!(values(&graph, "is_here"), ["true", "false", ""]);
    assert_eq!(values(&graph, "about"), ["likes <tea> & \"toast\"\nat five", " ", ""]);
    let types = ["age", "height", "is_here", "about"].map(|name| graph.property(name).unwrap().value_type());
    assert_eq!(types, [ValueType::I64, ValueType::F64, ValueType::Bool, ValueType::String]);
    assert_eq!((edges(&graph, "KNOWS"), edges(&graph, "COUNTS")), (vec![(0, 1), (1, 0)], vec![(0, 2)]));
    assert_eq!(edge_values(&graph, "KNOWS", "since"), ["1999", ""]);
    assert_eq!(edge_values(&graph, "KNOWS", "weight"), ["0.25".to_owned(), 1e300f64.to_string()]);
    // Edges with the label COUNTS have no values, and so no property.
    assert!(graph.edge_property("COUNTS", Some("weight")).is_err());
}

#[test]
fn edges_without_a_direction_are_counted() {
    let (report, graph) = Documents::new().import(networkx("triangle")).unwrap();
    assert_eq!((report.edges, report.undirected), (3, 3));
    assert_eq!(edges(&graph, "EDGE"), [(0, 1), (0, 1), (1, 2)]);
    assert_eq!(edge_values(&graph, "EDGE", "weight"), ["1", "2", "3"]);
    let one = networkx("triangle").replacen("id=\"0\"", "id=\"0\" directed=\"true\"", 1);
    assert_eq!(Documents::new().import(one).unwrap().0.undirected, 2);
}

/// A document as written by `apoc.export.graphml.all` with `useTypes`, but with fewer line breaks.
const APOC: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="name" for="node" attr.name="name" attr.type="string"/>
<key id="tags" for="node" attr.name="tags" attr.type="string" attr.list="string"/>
<key id="labels" for="node" attr.name="labels" attr.type="string"/>
<key id="since" for="edge" attr.name="since" attr.type="long"/>
<key id="label" for="edge" attr.name="label" attr.type="string"/>
<graph id="G" edgedefault="directed">
<node id="n0" labels=":Person:Actor"><data key="labels">:Person:Actor</data><data key="name">Keanu</data><data key="tags">["a","b \"c\""]</data></node>
<node id="n1" labels=":Movie"><data key="labels">:Movie</data><data key="tags">[]</data></node>
<edge id="e0" source="n0" target="n1" label="ACTED_IN"><data key="label">ACTED_IN</data><data key="since">1999</data></edge>
</graph>
</graphml>
"#;

#[test]
fn a_graph_of_apoc() {
    let (_, graph) = Documents::new().import(APOC).unwrap();
    assert_eq!(labels(&graph), [vec!["Person", "Actor"], vec!["Movie"]]);
    assert_eq!(values(&graph, "tags"), ["a|b \"c\"", ""]);
    assert_eq!(graph.property("tags").unwrap().cardinality(), Cardinality::List);
    assert_eq!(
        (edges(&graph, "ACTED_IN"), edge_values(&graph, "ACTED_IN", "since")),
        (vec![(0, 1)], vec!["1999".into()])
    );
    assert_eq!(graph.properties().len(), 3);
}

#[test]
fn a_graph_of_tinkerpop() {
    let text = APOC.replace("\"labels\"", "\"labelV\"").replace("\"label\"", "\"labelE\"");
    let text = text
        .replace(" labels=\":Person:Actor\"", "")
        .replace(" labels=\":Movie\"", "")
        .replace(" label=\"ACTED_IN\"", "");
    let text = text.replace(":Person:Actor", "Person::Actor").replace(">:Movie<", ">Movie<");
    let (_, graph) = Documents::new().import(text).unwrap();
    assert_eq!(labels(&graph), [vec!["Person", "Actor"], vec!["Movie"]]);
    assert_eq!(edges(&graph, "ACTED_IN"), [(0, 1)]);
}

#[test]
fn a_graph_of_igraph() {
    let text = r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <!-- Created by igraph -->
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="v_x" for="node" attr.name="x" attr.type="double"/>
  <graph id="G" edgedefault="directed">
    <node id="n0"><data key="v_name">a</data><data key="v_x">0.5</data></node>
    <node id="n1"><data key="v_name">b</data><data key="v_x">nan</data></node>
    <edge source="n1" target="n0"></edge>
  </graph>
</graphml>"#;
    let (_, graph) = Documents::new().import(text).unwrap();
    assert_eq!(
        (values(&graph, "x"), edges(&graph, "EDGE")),
        (vec!["0.5".into(), "NaN".into()], vec![(1, 0)])
    );
}

/// An edge may come before its nodes, defaults replace missing values, CDATA is text, and prefixes have no
/// meaning.
#[test]
fn what_the_standard_allows_is_read() {
    let text = r#"<?xml version="1.0"?>
<!DOCTYPE graphml SYSTEM "graphml.dtd">
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
<g:desc>anything</g:desc>
<g:key id="c" for="node" attr.name="color" attr.type="string"><g:default>yellow</g:default></g:key>
<g:key id="w" for="edge" attr.name="weight" attr.type="float"><g:default>1.5</g:default></g:key>
<g:key id="k" for="all" attr.name="kind"/>
<g:key id="d" for="node" yfiles.type="nodegraphics"/>
<g:graph edgedefault="directed">
<g:edge source="b" target="a"/>
<g:edge source="a" target="b"><g:data key="w">2</g:data><g:data key="k">x</g:data></g:edge>
<g:node id="a"><g:data key="d"><y:ShapeNode xmlns:y="y"><y:Fill color="red"/>text</y:ShapeNode></g:data></g:node>
<g:node id="b"><g:data key="c"><![CDATA[<b>]]>&#x21;&amp;</g:data><g:data key="k">y</g:data></g:node>
</g:graph>
</g:graphml>"#;
    let (_, graph) = Documents::new().import(text).unwrap();
    // The first node that an edge names is node 0.
    assert_eq!(values(&graph, "color"), ["<b>!&", "yellow"]);
    assert_eq!(
        (values(&graph, "kind"), edges(&graph, "EDGE")),
        (vec!["y".into(), String::new()], vec![(0, 1), (1, 0)])
    );
    assert_eq!(edge_values(&graph, "EDGE", "weight"), ["1.5", "2"]);
    assert_eq!(edge_values(&graph, "EDGE", "kind"), ["", "x"]);
    assert_eq!(graph.property("color").unwrap().cardinality(), Cardinality::One);
}

#[test]
fn the_keys_of_labels_can_be_named() {
    let text = networkx("people");
    let (_, graph) = Documents::new()
        .import_with(&text, |import| import.node_labels("about").edge_labels("none"))
        .unwrap();
    assert_eq!(values(&graph, "label"), ["Person", "Person", "Number"]);
    assert_eq!(edges(&graph, "EDGE"), [(0, 1), (0, 2), (1, 0)]);
    assert_eq!(edge_values(&graph, "EDGE", "label"), ["KNOWS", "COUNTS", "KNOWS"]);
}

/// A document saved by yEd. The drawings in it contain texts, and resources follow the graph.
const YED: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key attr.name="size" attr.type="int" for="node" id="d4"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="graphml" id="d7" yfiles.type="resources"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <data key="d0" xml:space="preserve">Made by hand</data>
    <node id="n0">
      <data key="d4">7</data>
      <data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="0.0" y="0.0"/>
        <y:NodeLabel alignment="center" visible="true">Start &amp; end<y:LabelModel><y:SmartNodeLabelModel distance="4.0"/></y:LabelModel></y:NodeLabel>
        <y:Shape type="rectangle"/></y:ShapeNode></data>
    </node>
    <node id="n1">
      <data key="d4"/>
      <data key="d6"><y:ShapeNode><y:NodeLabel hasText="false"> </y:NodeLabel></y:ShapeNode></data>
    </node>
    <edge id="e0" source="n0" target="n1">
      <data key="d10"><y:PolyLineEdge><y:EdgeLabel>goes to</y:EdgeLabel></y:PolyLineEdge></data>
    </edge>
    <edge id="e1" source="n1" target="n0"><data key="d10"><y:PolyLineEdge/></data></edge>
  </graph>
  <data key="d7"><y:Resources/></data>
</graphml>
"#;

#[test]
fn captions_of_yed_are_a_property_and_the_rest_of_its_drawings_is_counted() {
    let (report, graph) = Documents::new().import(YED).unwrap();
    assert_eq!(values(&graph, "caption"), ["Start & end", ""]);
    assert_eq!(edge_values(&graph, "EDGE", "caption"), ["goes to", ""]);
    assert_eq!(values(&graph, "size"), ["7", ""]);
    assert_eq!((report.drawings, report.graph_data, report.empty_values), (2, 2, 1));
    assert_eq!(report.misplaced_values, 0);
}

/// The attribute `for` of a key says to which elements the key applies, and yEd's own attribute names the
/// kind of drawing.
#[test]
fn values_of_keys_for_other_elements_are_counted_and_are_no_drawings() {
    let keys = "<key id='g' for='graph' attr.name='made'/><key id='e' for='edge' attr.name='weight'/>\
                <key id='p' for='port' yfiles.type='portgraphics'/><key id='r' for='node' yfiles.type='resources'/>";
    let data = ["g", "e", "p", "r"].map(|key| format!("<data key='{key}'>1</data>")).concat();
    let text = format!(
        "<graphml>{keys}<graph edgedefault='directed'><node id='a'>{data}</node>\
         <edge source='a' target='a'><data key='e'>2</data><data key='g'>3</data></edge></graph></graphml>"
    );
    let (report, graph) = Documents::new().import(text).unwrap();
    assert_eq!((report.misplaced_values, report.drawings, report.graph_data), (4, 1, 0));
    assert_eq!(edge_values(&graph, "EDGE", "weight"), ["2"]);
    assert!(graph.property("made").is_err() && graph.property("weight").is_err());
}

#[test]
fn captions_of_drawings_get_a_name_of_their_own_where_a_key_has_theirs() {
    let keys = |more: &str| {
        YED.replace("<graph edgedefault", &format!("{more}<graph edgedefault"))
            .replace("<data key=\"d4\">7</data>", "<data key=\"d4\">7</data><data key=\"c\">8</data>")
    };
    let number = "<key id='c' for='node' attr.name='caption' attr.type='int'/>";
    let (_, graph) = Documents::new().import(keys(number)).unwrap();
    assert_eq!(values(&graph, "caption"), ["8", ""]);
    assert_eq!(values(&graph, "drawing_caption"), ["Start & end", ""]);
    assert_eq!(edge_values(&graph, "EDGE", "caption"), ["goes to", ""]);
    let both =
        "<key id='c' for='node' attr.name='caption'/><key id='x' for='node' attr.name='drawing_caption'/>";
    let (_, graph) = Documents::new().import(keys(both)).unwrap();
    assert_eq!(values(&graph, "caption"), ["8", ""]);
    assert_eq!(values(&graph, "drawing_caption_2"), ["Start & end", ""]);
}

#[test]
fn an_empty_number_is_no_value_and_counted_and_an_empty_text_is_a_text() {
    let keys: String = ["boolean", "int", "long", "float", "double", "string"]
        .map(|kind| format!("<key id='{kind}' for='node' attr.name='{kind}' attr.type='{kind}'/>"))
        .concat();
    let data = |text: &str| {
        let all = ["boolean", "int", "long", "float", "double", "string"];
        all.map(|kind| format!("<data key='{kind}'>{text}</data>")).concat()
    };
    let list = "<key id='l' for='node' attr.name='l' attr.type='string' attr.list='long'/>";
    let text = format!(
        "<graphml>{keys}{list}<graph edgedefault='directed'><node id='a'>{}<data key='l'>[1,2]</data></node>\
         <node id='b'>{}<data key='l'> </data></node></graph></graphml>",
        data("1"),
        data(""),
    );
    let (report, graph) = Documents::new().import(text).unwrap();
    assert_eq!(report.empty_values, 6);
    for name in ["boolean", "int", "long", "float", "double", "l"] {
        assert!(graph.property(name).unwrap().get(1).is_none(), "{name}");
    }
    assert!(graph.property("string").unwrap().is_present(1));
}
