//! The table of all steps: the name of each step in a plan, its fields, the rows that it takes and gives, and
//! its documentation.
//!
//! Only this table declares steps. From it, macros generate [`Step`], its JSON form, its checks and the
//! methods of [`Pipeline`]. The sections and the index of `docs/plan.md` and the methods of Java's `Pipeline`
//! also come from it: `make bless` writes them, and a test compares them with the table. The index shows the
//! first sentence of each step's documentation. The methods of `choose` and `repeat` are not generated: they
//! are written by hand in `builder.rs` and in Java's sources.
//!
//! Except for node ids, a step refers to a graph only by names, so one description runs on any graph whose
//! schema has these names.

use super::declare::steps;
use super::{Case, Key, Pipeline, Predicate, Repeat, Steps, Summary, all_steps};
use varvite_graph::internal::Names;

steps! {
    section "Starts";

    /// The nodes with any of `labels`; without `labels`, all nodes. Each node comes once, in ascending order
    /// of ids. The engine tests the conditions right after this step while it looks for nodes, and may use
    /// one of these conditions to find the nodes.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD", "TYPE"]}]}
    /// ```
    "nodes" Nodes { labels: Vec<String> = all } takes Nothing gives Nodes starts {
        /// The nodes with any of the labels, or all nodes, in ascending order of ids.
        nodes(labels: impl Names) => { labels: labels.names() };
    }

    /// The nodes with these ids, in this order; if an id occurs several times, so does its node.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "ids", "ids": [7, 3, 7]}]}
    /// ```
    "ids" Ids { ids: Vec<u32> } takes Nothing gives Nodes starts {
        /// The nodes with these ids, in this order.
        ids(ids: impl IntoIterator<Item = u32>) => { ids: ids.into_iter().collect() };
    }

    /// The edges with any of `labels`, each once; without `labels`, all edges. The edges are sorted by label,
    /// in the order of the schema, whatever the order of `labels`. Edges of one label are sorted by source,
    /// and edges of one source have the order of its out-list.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "edges", "labels": ["REACHING_DEF"]}]}
    /// ```
    "edges" Edges { labels: Vec<String> = all } takes Nothing gives Edges starts {
        /// The edges with any of the labels, or all edges.
        edges(labels: impl Names) => { labels: labels.names() };
    }

    section "Keeping rows";

    /// Keeps nodes or edges that have `property`; with `is`, only those with a value that passes the
    /// predicate. If a node or edge has a list of values, one passing value is enough.
    ///
    /// The compiler refuses a condition that no node could pass: a `has` right after a starting `nodes` step
    /// with labels (or after `nodes` and `has_label`), if none of the nodes with these labels has the
    /// property. The error names the labels whose nodes have it. After `nodes` without labels, the compiler
    /// refuses a property that no node has. It accepts labels without any node, every `has_not`, and every
    /// `has` that comes later in the pipeline or inside another step. For this check, the compiler goes
    /// through the owners of the property or through the nodes with the labels, whichever are fewer, until it
    /// finds a node that is both. Usually the first node is one.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "has", "property": "NAME", "is": {"regex": "mem(cpy|set)"}}]}
    /// ```
    "has" Has { property: String, is: Option<Predicate> } takes Elements gives Same methods {
        /// Keeps nodes or edges that have the property.
        has_any(property: &str) as has => { property: property.to_owned(), is: None };
        /// Keeps nodes or edges that have at least one value of the property that passes the predicate.
        has(property: &str, is: Predicate) => { property: property.to_owned(), is: Some(is) };
    }

    /// Keeps the nodes or edges that `has` would drop, including those without a value.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "has_not", "property": "NAME", "is": {"eq": "main"}}]}
    /// ```
    "has_not" HasNot { property: String, is: Option<Predicate> } takes Elements gives Same methods {
        /// Keeps nodes or edges that lack the property.
        has_none(property: &str) as hasNot => { property: property.to_owned(), is: None };
        /// Keeps nodes or edges without a value of the property that passes the predicate.
        has_not(property: &str, is: Predicate) => { property: property.to_owned(), is: Some(is) };
    }

    /// Keeps nodes or edges with any of the labels.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "has_label", "labels": ["CALL"]}]}
    /// ```
    "has_label" HasLabel { labels: Vec<String> } takes Elements gives Same methods {
        /// Keeps nodes or edges with any of the labels.
        has_label(labels: impl Names) => { labels: labels.names() };
    }

    /// Keeps nodes with one of the ids. The compiler refuses an id without a node, and the id of a removed
    /// node.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "has_id", "ids": [1, 2, 3]}]}
    /// ```
    "has_id" HasId { ids: Vec<u32> } takes Nodes gives Same methods {
        /// Keeps nodes with one of the ids.
        has_id(ids: impl IntoIterator<Item = u32>) => { ids: ids.into_iter().collect() };
    }

    /// Keeps values that pass a predicate.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "is", "is": {"gt": 2}}]}
    /// ```
    "is" Is { is: Predicate } takes Values gives Same methods {
        /// Keeps values that pass the predicate.
        is(is: Predicate) => { is: is };
    }

    /// Keeps rows for which the inner pipeline gives a result. The inner pipeline stops at its first result,
    /// and its steps are not part of paths.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "where", "pipeline": [
    ///     {"step": "out", "labels": ["AST"]}, {"step": "count"}, {"step": "is", "is": {"gt": 2}}]}]}
    /// ```
    "where" Where { pipeline: Steps } takes Single gives Same methods {
        /// Keeps rows for which `pipeline` gives a result; `pipeline` stops at its first result.
        where_(pipeline: Pipeline) => { pipeline: pipeline.into() };
    }

    /// Keeps rows for which the inner pipeline gives no result.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "where_not", "pipeline": [{"step": "in", "labels": ["CALL"]}]}]}
    /// ```
    "where_not" WhereNot { pipeline: Steps } takes Single gives Same methods {
        /// Keeps rows for which `pipeline` gives no result.
        where_not(pipeline: Pipeline) => { pipeline: pipeline.into() };
    }

    /// Keeps rows for which every branch gives a result; without branches, all rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "and", "branches": [[{"step": "out"}], [{"step": "in"}]]}]}
    /// ```
    "and" And { branches: Vec<Steps> } takes Single gives Same methods {
        /// Keeps rows for which every branch gives a result.
        and(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// Keeps rows for which at least one branch gives a result; without branches, no row.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"},
    ///   {"step": "or", "branches": [[{"step": "has_label", "labels": ["CALL"]}], [{"step": "in", "labels": ["CALL"]}]]}]}
    /// ```
    "or" Or { branches: Vec<Steps> } takes Single gives Same methods {
        /// Keeps rows for which at least one branch gives a result.
        or(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// Keeps rows whose path contains no node and no edge twice. Values are not part of paths.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "both", "labels": ["CALL"]},
    ///   {"step": "both", "labels": ["CALL"]},
    ///   {"step": "simple_path"}]}
    /// ```
    "simple_path" SimplePath {} takes Single gives Same methods {
        /// Keeps rows whose path contains no node and no edge twice.
        simple_path() => {};
    }

    /// Keeps rows whose [key](#all-rows) is true, such as a comparison of two properties. A row without the
    /// key is dropped.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "filter", "by": {"gt": [
    ///   {"subtract": [{"length": {"property": "FULL_NAME"}}, {"length": {"property": "NAME"}}]}, {"constant": 20}]}}]}
    /// ```
    "filter" Filter { by: Key } takes Any gives Same methods {
        /// Keeps rows whose key is true.
        filter(by: impl Into<Key>) => { by: by.into() };
    }

    /// Names the row with which an inner pipeline begins. The step must be the first of an inner pipeline,
    /// and `select` gives the row again in this pipeline and in those inside it. An `as` further inside may
    /// use the same name, which then means its row. This example keeps the calls with an argument that has
    /// the call's own name:
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["CALL"]}, {"step": "where", "pipeline": [
    ///   {"step": "as", "name": "call"}, {"step": "out", "labels": ["ARGUMENT"]}, {"step": "filter", "by": {"eq": [
    ///     {"property": "NAME"}, {"first": [{"step": "select", "name": "call"}, {"step": "values", "property": "NAME"}]}]}}]}]}
    /// ```
    "as" As { name: String } takes Single gives Same methods {
        /// Names the row with which an inner pipeline begins.
        as_(name: &str) => { name: name.to_owned() };
    }

    section "Moving";

    /// Replaces each row by the row that the step `as` named, in the innermost pipeline with this name around
    /// the step. The path goes on from the replaced row to the named one.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "union", "branches": [[
    ///   {"step": "as", "name": "method"}, {"step": "in", "labels": ["CALL"]}, {"step": "select", "name": "method"}]]}]}
    /// ```
    "select" Select { name: String } takes Any gives Named methods {
        /// Replaces each row by the row of this name.
        select(name: &str) => { name: name.to_owned() };
    }

    /// Goes from each node to the targets of its out-edges, once for each edge.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]}]}
    /// ```
    "out" Out { labels: Vec<String> = all } takes Nodes gives Nodes methods {
        /// Goes from each node to the targets of its out-edges, once for each edge.
        out(labels: impl Names) => { labels: labels.names() };
    }

    /// Goes from each node to the sources of its in-edges, once for each edge.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "in", "labels": ["CALL"]}]}
    /// ```
    "in" In { labels: Vec<String> = all } takes Nodes gives Nodes methods {
        /// Goes from each node to the sources of its in-edges, once for each edge.
        in_(labels: impl Names) => { labels: labels.names() };
    }

    /// Goes from each node to the nodes that `out` gives, then to those that `in` gives. An edge from a node
    /// to itself is in both lists, and gives the node twice.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "ids", "ids": [1]}, {"step": "both"}]}
    /// ```
    "both" Both { labels: Vec<String> = all } takes Nodes gives Nodes methods {
        /// Goes from each node to the nodes that `out` gives, then to those that `in` gives.
        both(labels: impl Names) => { labels: labels.names() };
    }

    /// Goes from each node to its out-edges: the edges that start at it.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"},
    ///   {"step": "out_edges", "labels": ["REACHING_DEF"]},
    ///   {"step": "has", "property": "VARIABLE"}]}
    /// ```
    "out_edges" OutEdges { labels: Vec<String> = all } takes Nodes gives Edges methods {
        /// Goes from each node to its out-edges: the edges that start at it.
        out_edges(labels: impl Names) => { labels: labels.names() };
    }

    /// Goes from each node to its in-edges: the edges that lead to it.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "in_edges", "labels": ["REACHING_DEF"]}, {"step": "source"}]}
    /// ```
    "in_edges" InEdges { labels: Vec<String> = all } takes Nodes gives Edges methods {
        /// Goes from each node to its in-edges: the edges that lead to it.
        in_edges(labels: impl Names) => { labels: labels.names() };
    }

    /// Goes from each node to its out-edges, then to its in-edges.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "ids", "ids": [1]}, {"step": "both_edges"}, {"step": "label"}]}
    /// ```
    "both_edges" BothEdges { labels: Vec<String> = all } takes Nodes gives Edges methods {
        /// Goes from each node to its out-edges, then to its in-edges.
        both_edges(labels: impl Names) => { labels: labels.names() };
    }

    /// Goes from each edge to its source: the node where it starts.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "edges", "labels": ["CALL"]}, {"step": "source"}]}
    /// ```
    "source" Source {} takes Edges gives Nodes methods {
        /// Goes from each edge to its source: the node where it starts.
        source() => {};
    }

    /// Goes from each edge to its target: the node to which it leads.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "edges", "labels": ["CALL"]}, {"step": "target"}]}
    /// ```
    "target" Target {} takes Edges gives Nodes methods {
        /// Goes from each edge to its target: the node to which it leads.
        target() => {};
    }

    /// Goes from each node to all nodes below it in the tree of the graph, in the order of a depth-first
    /// walk; `with_self` gives the node itself first. If the tree is a forest, the nodes below a node are a
    /// range of ids. If the next step is then a `count`, a `group_count` by label, or a `has_label` with one
    /// label followed by a `count`, the engine reads no node twice, even if the subtrees of several rows
    /// overlap. In other graphs, and in a pipeline that needs paths, this step walks the tree, and visits
    /// each node once for each row.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "descendants", "with_self": true},
    ///   {"step": "group_count", "by": "label"}]}
    /// ```
    "descendants" Descendants { with_self: bool = false } takes Nodes gives Nodes methods {
        /// Goes from each node to all nodes below it in the tree, in the order of a depth-first walk.
        descendants() => { with_self: false };
        /// Gives each node itself, and then all nodes below it in the tree.
        subtree() => { with_self: true };
    }

    /// Goes from each node to all nodes above it in the tree of the graph, the nearest first; `with_self`
    /// gives the node itself first. If the tree is not a forest, a node may have several parents. The step
    /// then gives the nodes above level by level, each of them once for each row, and does not give the row's
    /// own node again. The nodes of one level come in the order of the in-lists of the level below.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["IDENTIFIER"]}, {"step": "ancestors"}]}
    /// ```
    "ancestors" Ancestors { with_self: bool = false } takes Nodes gives Nodes methods {
        /// Goes from each node to all nodes above it in the tree, the nearest first.
        ancestors() => { with_self: false };
    }

    /// Goes from each node to the first node above it that has any of `labels` (if the step has labels) and
    /// for which the pipeline `where` (if the step has one) gives a result. A row without such a node gives
    /// nothing. The first node is the one that `ancestors` would give first, and the step does not look above
    /// it. With a single label and rows in ascending order of ids, one pass over the rows finds all these
    /// nodes.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["IDENTIFIER"]},
    ///   {"step": "nearest_ancestor", "labels": ["METHOD"]}]}
    /// ```
    "nearest_ancestor" NearestAncestor { labels: Vec<String> = all, condition as "where": Option<Steps> }
        takes Nodes gives Nodes methods {
        /// Goes from each node to the first node above it that has any of the labels.
        nearest_ancestor(labels: impl Names) => { labels: labels.names(), condition: None };
        /// Goes from each node to the nearest ancestor that has any of the labels and passes `condition`.
        nearest_ancestor_where(labels: impl Names, condition: Pipeline) => {
            labels: labels.names(), condition: Some(condition.into())
        };
    }

    section "Branches and walks";

    /// Gives, for each row, the results of all branches, one branch after another.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "union", "branches": [[{"step": "out", "labels": ["CALL"]}], [{"step": "in", "labels": ["AST"]}]]}]}
    /// ```
    "union" Union { branches: Vec<Steps> } takes Single gives OfBranches methods {
        /// Gives, for each row, the results of all branches, one branch after another.
        union(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// Gives, for each row, the results of the first branch that has a result.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"},
    ///   {"step": "coalesce", "branches": [[{"step": "out", "labels": ["CALL"]}], []]}]}
    /// ```
    "coalesce" Coalesce { branches: Vec<Steps> } takes Single gives OfBranches methods {
        /// Gives, for each row, the results of the first branch that has a result.
        coalesce(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// Runs one of several pipelines on each row. The pipeline `on` computes a value from the row: its first
    /// result. The first of the `cases` whose predicate `is` accepts the value runs its pipeline `then` on
    /// the row. If no case accepts the value, or `on` gives nothing, the pipeline `otherwise` runs; without
    /// `otherwise` the row gives nothing.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "choose", "on": [{"step": "label"}],
    ///   "cases": [{"is": {"eq": "CALL"}, "then": [{"step": "out", "labels": ["CALL"]}]}], "otherwise": []}]}
    /// ```
    "choose" Choose { on: Steps, cases: Vec<Case>, otherwise: Option<Steps> } takes Single gives OfBranches

    /// Runs the pipeline `body`, which takes nodes and gives nodes, again and again, as a walk that starts at
    /// the row. Each row has a walk of its own. A node's *depth* is the number of times that the walk ran the
    /// body to reach it. For each node the walk applies these rules, in this order:
    ///
    /// - with `dedup`, the walk drops a node that it has visited before;
    /// - at depth `times` the node is a result and the walk does not go on from it, whatever the other fields
    ///   are;
    /// - if `whilst` gives nothing for the node, the node is a result and the walk does not go on from it;
    ///   this rule applies to the start too;
    /// - if `until` gives a result for the node, the node is a result and the walk does not go on from it;
    ///   this rule does not apply to the start;
    /// - with `emit`, nodes from which the walk goes on are results too: all of them (`"all"`), all but the
    ///   start (`"all_but_first"`), or those for which a pipeline gives a result (`{"where": [..]}`);
    /// - then the body gives the next nodes.
    ///
    /// Without any of these fields the walk visits all nodes that it can reach and has no results. With
    /// `times` alone, its results are the nodes that it reaches after exactly this number of runs of the
    /// body. `order` is `"depth"` (the default: a node, then all nodes reached through its first successor,
    /// and so on) or `"breadth"` (level by level). The stack of the walk is not the thread's stack: the
    /// engine keeps it in memory that counts towards the budget. Without `times` and `dedup`, a walk whose
    /// path comes to a node twice would never end, and is an error.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "limit", "count": 1},
    ///   {"step": "repeat", "body": [{"step": "in", "labels": ["CALL"]}, {"step": "nearest_ancestor", "labels": ["METHOD"]}],
    ///    "emit": "all_but_first", "dedup": true, "order": "breadth"},
    ///   {"step": "columns", "columns": ["itself", "depth", {"property": "NAME"}]}]}
    /// ```
    "repeat" Repeat(repeat: Repeat) takes Nodes gives Nodes

    section "All rows";

    /// Keeps the first row of each key. All rows without the key count as having the same key.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]}, {"step": "dedup"}]}
    /// ```
    "dedup" Dedup { by: Key = itself } takes Single gives Same methods {
        /// Keeps the first of equal rows.
        dedup() => { by: Key::Itself };
        /// Keeps the first row of each key; all rows without the key count as having the same key.
        dedup_by(by: impl Into<Key>) as dedup => { by: by.into() };
    }

    /// Sorts rows by a key, in ascending order by default, in descending order with `descending`. Equal rows
    /// keep their order, and rows without the key come last, even with `descending`. Texts compare by bytes,
    /// and a stored null is greater than every text; references compare by id; false comes before true;
    /// floats compare by the total order of IEEE 754. Labels have the order in which the file's tables list
    /// them. Edges that are sorted without a key are sorted by label in the order of the schema; edges of one
    /// label are sorted by source and then by their place in its out-list, as `edges` gives them. Only the
    /// edges of a tree that is a forest are sorted by target instead. If `limit` (or `skip` and then `limit`)
    /// follows, the step holds at most about twice as many rows as these steps skip and keep. This example
    /// gives the twenty methods to which the most calls lead:
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]},
    ///   {"step": "group_count", "by": {"property": "FULL_NAME"}},
    ///   {"step": "order", "by": {"column": "count"}, "descending": true}, {"step": "limit", "count": 20}]}
    /// ```
    "order" Order { by: Key = itself, descending: bool = false } takes Any gives Same methods {
        /// Sorts rows by a key, ascending; equal rows keep their order, and rows without the key come last.
        order_by(by: impl Into<Key>) as order => { by: by.into(), descending: false };
        /// Sorts rows by a key, descending; equal rows keep their order, and rows without the key come last.
        order_by_descending(by: impl Into<Key>) as orderDescending => { by: by.into(), descending: true };
    }

    /// Keeps the first `count` rows. The steps before this one stop once it has enough rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "limit", "count": 10}]}
    /// ```
    "limit" Limit { count: u64 } takes Any gives Same methods {
        /// Keeps the first `count` rows; the steps before this one stop once it has enough rows.
        limit(count: u64) => { count: count };
    }

    /// Drops the first `count` rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "skip", "count": 10}]}
    /// ```
    "skip" Skip { count: u64 } takes Any gives Same methods {
        /// Drops the first `count` rows.
        skip(count: u64) => { count: count };
    }

    /// Keeps `count` rows drawn at random, in their original order; every row is equally likely. The same
    /// seed draws the same rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "sample", "count": 5, "seed": 1}]}
    /// ```
    "sample" Sample { count: u64, seed: u64 } takes Single gives Same methods {
        /// Keeps `count` rows drawn at random, in their original order; the same seed draws the same rows.
        sample(count: u64, seed: u64) => { count: count, seed: seed };
    }

    section "Results";

    /// Gives the values of a property of nodes or edges: no value for a row without the property, several
    /// values for a list.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "out", "labels": ["CALL"]},
    ///   {"step": "values", "property": "FULL_NAME"}]}
    /// ```
    "values" Values { property: String } takes Elements gives Values methods {
        /// Gives the values of a property: no value for a row without the property, several values for a
        /// list.
        values(property: &str) => { property: property.to_owned() };
    }

    /// Gives the value of a [key](#all-rows) of each row, or the node if the key gives nodes. A row without
    /// the key is dropped.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "map", "by": {"concat": [{"property": "NAME"}, {"constant": ":"}, {"property": "ORDER"}]}}]}
    /// ```
    "map" Map { by: Key } takes Any gives OfKey methods {
        /// Gives the value of a key of each row, or the node if the key gives nodes.
        map(by: impl Into<Key>) => { by: by.into() };
    }

    /// Gives the labels of each node, joined by `&`, or the label of each edge.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "label"}, {"step": "dedup"}]}
    /// ```
    "label" Label {} takes Elements gives Values methods {
        /// Gives the labels of each node, joined by `&`, or the label of each edge.
        label() => {};
    }

    /// Gives the depth that each row had in the last `repeat` before this step. The depth is 0 if there is no
    /// `repeat` before this step, and for a row that a step computed from many rows (`count`, `sum` ..).
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "repeat", "body": [{"step": "out", "labels": ["AST"]}], "emit": "all", "dedup": true},
    ///   {"step": "depth"}]}
    /// ```
    "depth" Depth {} takes Single gives Values methods {
        /// Gives the depth of each row in the last `repeat` before this step; 0 without a `repeat`.
        depth() => {};
    }

    /// Gives a row with one column, `path`: the list of the nodes and edges from the start to the row. It
    /// includes the row itself, and the nodes and edges of every turn of a `repeat`. The step takes nodes or
    /// edges.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]}, {"step": "path"}]}
    /// ```
    "path" Path {} takes Elements gives Columns methods {
        /// Gives the list of the nodes and edges from the start to each row.
        path() => {};
    }

    /// Passes rows on unchanged, and also gives them to the caller, in the same order, as a side result
    /// called `name`. Rows that pass while a batch is being made remain valid until the caller gets the next
    /// batch. After the last batch, the side result may have more rows, which passed this step but led to no
    /// result. The engine works on batches of rows, so if a later step stops early (such as `limit`), more
    /// rows may pass this step than lead to results. The step is allowed only among the outermost steps, and
    /// each name only once. It corresponds to flatgraph's `sideEffect`, for callers that can't send code.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "side", "name": "methods"},
    ///   {"step": "in", "labels": ["CALL"]},
    ///   {"step": "count"}]}
    /// ```
    "side" Side { name: String } takes Any gives Same methods {
        /// Passes rows on unchanged, and also gives them to the caller, as a side result with this name.
        side(name: &str) => { name: name.to_owned() };
    }

    /// Turns each row into a row of columns: one column for each key, named `node`, `edge`, `value`, `label`,
    /// `depth`, or after the property. A property whose cardinality in the schema is *list* gives a list even
    /// for a single value, and an empty list for a row without the property. For other properties, a row
    /// without the property has an empty cell. Every column has a unique name: a second column `node` is
    /// named `node_2`, so a property may have the same name as a key.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "columns", "columns": ["itself", "label", {"property": "NAME"},
    ///     {"as": "calls", "first": [{"step": "in", "labels": ["CALL"]}, {"step": "count"}]}]}]}
    /// ```
    "columns" Columns { columns: Vec<Key> } takes Single gives Columns methods {
        /// Turns each row into a row of columns.
        columns(columns: impl IntoIterator<Item = Key>) => { columns: columns.into_iter().collect() };
    }

    /// Counts the rows of each key, and gives a row for each group, with a column named after the key and a
    /// column `count`. Groups have a fixed order: numbers are in ascending order, and texts and labels are in
    /// the order in which the file's tables list them. If there are rows without the key, their group comes
    /// last and has an empty key.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "group_count", "by": {"property": "NAME"}}]}
    /// ```
    "group_count" GroupCount { by: Key = itself } takes Single gives Columns methods {
        /// Counts the rows of each key.
        group_count(by: impl Into<Key>) => { by: by.into() };
    }

    /// Groups rows by a key, and computes the `columns` of each group: `"count"` is the number of its rows;
    /// `{"sum": ..}`, `{"min": ..}`, `{"max": ..}` and `{"mean": ..}` use, from each row, the first value of
    /// a numeric property. The first column is named after the key, and the others have names such as `count`
    /// or `min_ORDER`. If no row of a group has a value, the sum is 0 and the other columns are empty; a sum
    /// beyond 64 bits is an error. NaN is neither the least nor the greatest value. Groups come in the order
    /// of `group_count`.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "summarize", "by": {"property": "NAME"}, "columns": ["count", {"min": "ORDER"}, {"mean": "ORDER"}]}]}
    /// ```
    "summarize" Summarize { by: Key = itself, columns: Vec<Summary> } takes Elements gives Columns methods {
        /// Groups rows by a key, and computes the columns of each group.
        summarize(by: impl Into<Key>, columns: impl IntoIterator<Item = Summary>)
            => { by: by.into(), columns: columns.into_iter().collect() };
    }

    /// Groups nodes by a key, and gives a row for each group, with a column named after the key and a column
    /// `nodes`: the nodes of the group, in their original order.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]}, {"step": "group", "by": {"property": "NAME"}}]}
    /// ```
    "group" Group { by: Key = itself } takes Nodes gives Columns methods {
        /// Groups nodes by a key.
        group(by: impl Into<Key>) => { by: by.into() };
    }

    /// Gives the number of rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "count"}]}
    /// ```
    "count" Count {} takes Any gives Values methods {
        /// Gives the number of rows.
        count() => {};
    }

    /// Gives the sum of numbers, which is 0 if there are none. The sum of whole numbers is a 64-bit whole
    /// number, signed or unsigned like the numbers themselves. A sum that does not fit is an error: in C it
    /// has the number -34 (`PLAN`), and on the command line the exit code is 6.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "sum"}]}
    /// ```
    "sum" Sum {} takes Values gives Values methods {
        /// Gives the sum of numbers, which is 0 if there are none.
        sum() => {};
    }

    /// Gives the least number, or no row if there is no number. NaN does not count as a number, here and in
    /// `max`.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "min"}]}
    /// ```
    "min" Min {} takes Values gives Values methods {
        /// Gives the least number, or no row if there is no number.
        min() => {};
    }

    /// Gives the greatest number, or no row if there is no number. NaN does not count as a number.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "max"}]}
    /// ```
    "max" Max {} takes Values gives Values methods {
        /// Gives the greatest number, or no row if there is no number.
        max() => {};
    }

    /// Gives the mean of numbers, as a number with a fraction, or no row if there is no number.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "mean"}]}
    /// ```
    "mean" Mean {} takes Values gives Values methods {
        /// Gives the mean of numbers, as a number with a fraction, or no row if there is no number.
        mean() => {};
    }
}
