//! The table of all steps: what each is called in a plan, what it has, what it takes and gives, and what it
//! does.
//!
//! This is the one place where a step is declared. [`Step`], its form as JSON, what is refused of it and the
//! methods of [`Pipeline`] come from here. So do the sections and the index of `docs/plan.md` and the methods
//! of Java's `Pipeline`, which a test compares; `make bless` writes them. The first sentence about a step is
//! its line in the index. Methods of `choose` and `repeat` are written by hand, in `builder.rs` and in Java.
//!
//! A step knows names, never numbers of a graph: one description runs on any graph whose schema has the
//! names.

use super::declare::steps;
use super::{Case, Key, Pipeline, Predicate, Repeat, Steps, Summary, all_steps};
use varvite_graph::internal::Names;

steps! {
    section "Starts";

    /// The nodes with any of `labels`, or all nodes without. Ids rise, each once. Conditions right after it
    /// are asked on the way, and may decide how nodes are found.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD", "TYPE"]}]}
    /// ```
    "nodes" Nodes { labels: Vec<String> = all } takes Nothing gives Nodes starts {
        /// The nodes with any of the labels, or all nodes; ids rise.
        nodes(labels: impl Names) => { labels: labels.names() };
    }

    /// The nodes with these ids, in this order, as often as they are named.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "ids", "ids": [7, 3, 7]}]}
    /// ```
    "ids" Ids { ids: Vec<u32> } takes Nothing gives Nodes starts {
        /// The nodes with these ids, in this order.
        ids(ids: impl IntoIterator<Item = u32>) => { ids: ids.into_iter().collect() };
    }

    /// The edges with any of `labels`, or all edges, each once: label by label in the order of the schema,
    /// whatever the order of `labels`; within a label by source, in the order of its list.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "edges", "labels": ["REACHING_DEF"]}]}
    /// ```
    "edges" Edges { labels: Vec<String> = all } takes Nothing gives Edges starts {
        /// The edges with any of the labels, or all edges.
        edges(labels: impl Names) => { labels: labels.names() };
    }

    section "Keeping rows";

    /// Nodes or edges that have `property`; with `is`, those with a value that passes the predicate: of a
    /// list one is enough.
    ///
    /// Among the conditions right after a start `nodes` with labels (or `nodes` and then `has_label`), a
    /// property that none of these nodes has is an error, which names the labels whose nodes have it: the
    /// answer could only be empty. Without labels that is a property that no node has. Labels without any
    /// node are not refused. It is found when the plan is compiled, by looking at owners and nodes until one
    /// is both: mostly the first, and never more than the fewer of the two. `has_not`, and `has` further on
    /// or inside of steps, are not refused.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "has", "property": "NAME", "is": {"regex": "mem(cpy|set)"}}]}
    /// ```
    "has" Has { property: String, is: Option<Predicate> } takes Elements gives Same methods {
        /// Keeps nodes or edges that have the property.
        has_any(property: &str) as has => { property: property.to_owned(), is: None };
        /// Keeps nodes or edges that have a value of the property that is as asked for; of a list one is
        /// enough.
        has(property: &str, is: Predicate) => { property: property.to_owned(), is: Some(is) };
    }

    /// What `has` would drop: absent values stay.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "has_not", "property": "NAME", "is": {"eq": "main"}}]}
    /// ```
    "has_not" HasNot { property: String, is: Option<Predicate> } takes Elements gives Same methods {
        /// Keeps nodes or edges that lack the property.
        has_none(property: &str) as hasNot => { property: property.to_owned(), is: None };
        /// Keeps nodes or edges that have no value of the property that is like this; absent ones stay.
        has_not(property: &str, is: Predicate) => { property: property.to_owned(), is: Some(is) };
    }

    /// Nodes, or edges, with any of the labels.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "has_label", "labels": ["CALL"]}]}
    /// ```
    "has_label" HasLabel { labels: Vec<String> } takes Elements gives Same methods {
        /// Keeps nodes, or edges, with any of the labels.
        has_label(labels: impl Names) => { labels: labels.names() };
    }

    /// Nodes with one of the ids. An id without a node, or of one that was removed, is refused.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "has_id", "ids": [1, 2, 3]}]}
    /// ```
    "has_id" HasId { ids: Vec<u32> } takes Nodes gives Same methods {
        /// Keeps nodes with one of the ids.
        has_id(ids: impl IntoIterator<Item = u32>) => { ids: ids.into_iter().collect() };
    }

    /// Values that pass a predicate.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "is", "is": {"gt": 2}}]}
    /// ```
    "is" Is { is: Predicate } takes Values gives Same methods {
        /// Keeps values that are as asked for.
        is(is: Predicate) => { is: is };
    }

    /// Rows for which the inner pipeline gives anything. It is not run further than to its first result, and
    /// its steps are no part of paths.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "where", "pipeline": [
    ///     {"step": "out", "labels": ["AST"]}, {"step": "count"}, {"step": "is", "is": {"gt": 2}}]}]}
    /// ```
    "where" Where { pipeline: Steps } takes Single gives Same methods {
        /// Keeps rows for which `pipeline` gives anything; it is not run further than to that.
        where_(pipeline: Pipeline) => { pipeline: pipeline.into() };
    }

    /// Rows for which the inner pipeline gives nothing.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "where_not", "pipeline": [{"step": "in", "labels": ["CALL"]}]}]}
    /// ```
    "where_not" WhereNot { pipeline: Steps } takes Single gives Same methods {
        /// Keeps rows for which `pipeline` gives nothing.
        where_not(pipeline: Pipeline) => { pipeline: pipeline.into() };
    }

    /// Rows for which every branch gives anything; without branches all.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "and", "branches": [[{"step": "out"}], [{"step": "in"}]]}]}
    /// ```
    "and" And { branches: Vec<Steps> } takes Single gives Same methods {
        /// Keeps rows for which every branch gives anything.
        and(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// Rows for which one of the branches gives anything; without branches none.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"},
    ///   {"step": "or", "branches": [[{"step": "has_label", "labels": ["CALL"]}], [{"step": "in", "labels": ["CALL"]}]]}]}
    /// ```
    "or" Or { branches: Vec<Steps> } takes Single gives Same methods {
        /// Keeps rows for which one of the branches gives anything.
        or(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// Rows whose path has no node and no edge twice. Values are no part of it.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "both", "labels": ["CALL"]},
    ///   {"step": "both", "labels": ["CALL"]},
    ///   {"step": "simple_path"}]}
    /// ```
    "simple_path" SimplePath {} takes Single gives Same methods {
        /// Keeps rows whose path has no node and no edge twice.
        simple_path() => {};
    }

    section "Moving";

    /// From nodes to the targets of their edges; a target of several edges comes several times.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]}]}
    /// ```
    "out" Out { labels: Vec<String> = all } takes Nodes gives Nodes methods {
        /// To the targets of edges; a target of several comes several times.
        out(labels: impl Names) => { labels: labels.names() };
    }

    /// From nodes to the sources of edges that lead to them.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "in", "labels": ["CALL"]}]}
    /// ```
    "in" In { labels: Vec<String> = all } takes Nodes gives Nodes methods {
        /// To the sources of edges that lead here.
        in_(labels: impl Names) => { labels: labels.names() };
    }

    /// `out`, then `in`, of each row. An edge from a node to itself is in both lists, and leads to the node
    /// twice.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "ids", "ids": [1]}, {"step": "both"}]}
    /// ```
    "both" Both { labels: Vec<String> = all } takes Nodes gives Nodes methods {
        /// `out`, then `in`, of each row.
        both(labels: impl Names) => { labels: labels.names() };
    }

    /// From nodes to the edges that start at them.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"},
    ///   {"step": "out_edges", "labels": ["REACHING_DEF"]},
    ///   {"step": "has", "property": "VARIABLE"}]}
    /// ```
    "out_edges" OutEdges { labels: Vec<String> = all } takes Nodes gives Edges methods {
        /// To the edges that start here.
        out_edges(labels: impl Names) => { labels: labels.names() };
    }

    /// From nodes to the edges that lead to them.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "in_edges", "labels": ["REACHING_DEF"]}, {"step": "source"}]}
    /// ```
    "in_edges" InEdges { labels: Vec<String> = all } takes Nodes gives Edges methods {
        /// To the edges that lead here.
        in_edges(labels: impl Names) => { labels: labels.names() };
    }

    /// `out_edges`, then `in_edges`, of each row.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "ids", "ids": [1]}, {"step": "both_edges"}, {"step": "label"}]}
    /// ```
    "both_edges" BothEdges { labels: Vec<String> = all } takes Nodes gives Edges methods {
        /// The edges that start here, then those that lead here, of each row.
        both_edges(labels: impl Names) => { labels: labels.names() };
    }

    /// From edges to the node where each starts.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "edges", "labels": ["CALL"]}, {"step": "source"}]}
    /// ```
    "source" Source {} takes Edges gives Nodes methods {
        /// From edges to where they start.
        source() => {};
    }

    /// From edges to the node where each leads.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "edges", "labels": ["CALL"]}, {"step": "target"}]}
    /// ```
    "target" Target {} takes Edges gives Nodes methods {
        /// From edges to where they lead.
        target() => {};
    }

    /// From nodes to everything below them in the tree of the graph, in the order of a depth-first walk;
    /// `with_self` begins with the node. In a forest these are ranges of ids, and a `count`, a `has_label`
    /// with one label and a `count`, or a `group_count` by label right after it look at no node twice. In
    /// another graph, and where paths are asked for, the tree is walked, each node once for each row.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "descendants", "with_self": true},
    ///   {"step": "group_count", "by": "label"}]}
    /// ```
    "descendants" Descendants { with_self: bool = false } takes Nodes gives Nodes methods {
        /// To everything below in the tree, in the order of a depth-first walk.
        descendants() => { with_self: false };
        /// To the node itself and everything below it in the tree.
        subtree() => { with_self: true };
    }

    /// From nodes to everything above them in the tree of the graph, the nearest first; `with_self` begins
    /// with the node. Where that is no forest a node may have several parents: then all nodes above come
    /// level by level, each once for each row and the row itself not again, and within a level in the order
    /// of the in-lists of the level before.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["IDENTIFIER"]}, {"step": "ancestors"}]}
    /// ```
    "ancestors" Ancestors { with_self: bool = false } takes Nodes gives Nodes methods {
        /// To everything above in the tree, the nearest first.
        ancestors() => { with_self: false };
    }

    /// From nodes to the first node above each that has any of `labels` (if there are some) and for which the
    /// pipeline `where` (if there is one) gives anything; nothing where there is none. The first is the one
    /// that `ancestors` would give first; above it nobody looks, and where the tree is no forest a level is
    /// looked at in its order. For rows that rise and a single label this is one pass.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["IDENTIFIER"]},
    ///   {"step": "nearest_ancestor", "labels": ["METHOD"]}]}
    /// ```
    "nearest_ancestor" NearestAncestor { labels: Vec<String> = all, condition as "where": Option<Steps> }
        takes Nodes gives Nodes methods {
        /// To the first node above that has any of the labels.
        nearest_ancestor(labels: impl Names) => { labels: labels.names(), condition: None };
        /// To the first node above that has any of the labels and for which `condition` gives anything.
        nearest_ancestor_where(labels: impl Names, condition: Pipeline) => {
            labels: labels.names(), condition: Some(condition.into())
        };
    }

    section "Branches and walks";

    /// The results of every branch, one branch after another, for each row.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "union", "branches": [[{"step": "out", "labels": ["CALL"]}], [{"step": "in", "labels": ["AST"]}]]}]}
    /// ```
    "union" Union { branches: Vec<Steps> } takes Single gives OfBranches methods {
        /// The results of every branch, one branch after another, for each row.
        union(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// The results of the first branch that gives any, for each row.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"},
    ///   {"step": "coalesce", "branches": [[{"step": "out", "labels": ["CALL"]}], []]}]}
    /// ```
    "coalesce" Coalesce { branches: Vec<Steps> } takes Single gives OfBranches methods {
        /// The results of the first branch that gives any, for each row.
        coalesce(branches: impl IntoIterator<Item = Pipeline>) => { branches: all_steps(branches) };
    }

    /// For each row, `on` is asked for its first value; the first of the `cases` whose predicate `is` it
    /// passes says with `then` what is done with the row. If none does, or `on` gives nothing, it is
    /// `otherwise`, or nothing comes out.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "choose", "on": [{"step": "label"}],
    ///   "cases": [{"is": {"eq": "CALL"}, "then": [{"step": "out", "labels": ["CALL"]}]}], "otherwise": []}]}
    /// ```
    "choose" Choose { on: Steps, cases: Vec<Case>, otherwise: Option<Steps> } takes Single gives OfBranches

    /// The pipeline `body`, from nodes to nodes, again and again; for each row for itself. A node's *depth*
    /// is how often the body was passed. In turn:
    ///
    /// - with `dedup`, a node that this walk has visited is dropped; a walk belongs to one row;
    /// - at depth `times` a node comes out and is not gone on from, whatever else is said;
    /// - a node for which `whilst` gives nothing comes out and is not gone on from; the start is asked too;
    /// - a node for which `until` gives anything comes out and is not gone on from; the start is not asked;
    /// - `emit` lets nodes out that are gone on from: `"all"`, `"all_but_first"`, or `{"where": [..]}`;
    /// - then the body gives its successors.
    ///
    /// Without any of these everything is walked and nothing comes out; `times` alone gives what is reached
    /// in exactly so many turns. `order` is `"depth"` (the default: a node, then everything behind its first
    /// successor) or `"breadth"` (level by level). The stack is the engine's own, within the budget. A walk
    /// that can't end, because a path came to a node twice and neither `times` nor `dedup` is there, is an
    /// error.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "limit", "count": 1},
    ///   {"step": "repeat", "body": [{"step": "in", "labels": ["CALL"]}, {"step": "nearest_ancestor", "labels": ["METHOD"]}],
    ///    "emit": "all_but_first", "dedup": true, "order": "breadth"},
    ///   {"step": "columns", "columns": ["itself", "depth", {"property": "NAME"}]}]}
    /// ```
    "repeat" Repeat(repeat: Repeat) takes Nodes gives Nodes

    section "All rows";

    /// The first row of each key. Rows without the key count as one.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]}, {"step": "dedup"}]}
    /// ```
    "dedup" Dedup { by: Key = itself } takes Single gives Same methods {
        /// Each row once.
        dedup() => { by: Key::Itself };
        /// The first row of each key; rows without it count as one.
        dedup_by(by: impl Into<Key>) as dedup => { by: by.into() };
    }

    /// Sorts by a key, or with `descending` the other way round. Equal rows keep their order; rows without
    /// the key come last either way. Texts are compared by bytes, and a null that is stored is greater than
    /// every text; references by id; truth values false first; floats in the total order of IEEE 754. Labels
    /// are in the order of the tables of the file. Edges by themselves are sorted by label in the order of
    /// the schema, and within a label by source and then by the place in its list, as `edges` gives them;
    /// only those of the tree, where it is a forest, by target. With `limit` right behind
    /// it (or `skip` and then `limit`) only about twice as many rows are held as are asked for. The twenty
    /// methods that most calls lead to:
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]},
    ///   {"step": "group_count", "by": {"property": "FULL_NAME"}},
    ///   {"step": "order", "by": {"column": "count"}, "descending": true}, {"step": "limit", "count": 20}]}
    /// ```
    "order" Order { by: Key = itself, descending: bool = false } takes Any gives Same methods {
        /// Sorts, rising; equal rows keep their order, those without the key come last.
        order_by(by: impl Into<Key>) as order => { by: by.into(), descending: false };
        /// Sorts, falling; equal rows keep their order, those without the key come last.
        order_by_descending(by: impl Into<Key>) as orderDescending => { by: by.into(), descending: true };
    }

    /// The first `count` rows. Steps before it stop working when it has them.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "limit", "count": 10}]}
    /// ```
    "limit" Limit { count: u64 } takes Any gives Same methods {
        /// The first `count` rows; steps before it stop working when it has them.
        limit(count: u64) => { count: count };
    }

    /// All but the first `count` rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "skip", "count": 10}]}
    /// ```
    "skip" Skip { count: u64 } takes Any gives Same methods {
        /// All but the first `count` rows.
        skip(count: u64) => { count: count };
    }

    /// `count` rows drawn at random, each as likely, in their order. The same seed draws the same rows.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "sample", "count": 5, "seed": 1}]}
    /// ```
    "sample" Sample { count: u64, seed: u64 } takes Single gives Same methods {
        /// `count` rows drawn at random, each as likely, in their order; the same seed draws the same.
        sample(count: u64, seed: u64) => { count: count, seed: seed };
    }

    section "Results";

    /// The values of a property of nodes or edges: nothing for a row without, several for a list.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "out", "labels": ["CALL"]},
    ///   {"step": "values", "property": "FULL_NAME"}]}
    /// ```
    "values" Values { property: String } takes Elements gives Values methods {
        /// The values of a property: nothing for a row without, several for a list.
        values(property: &str) => { property: property.to_owned() };
    }

    /// The labels of each node, joined by `&`, or the label of each edge.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "label"}, {"step": "dedup"}]}
    /// ```
    "label" Label {} takes Elements gives Values methods {
        /// The labels of each node, joined by `&`, or the label of each edge.
        label() => {};
    }

    /// The depth that each row has from the last `repeat` before it; 0 without, and for a row that was made
    /// of many (`count`, `sum` ..).
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "repeat", "body": [{"step": "out", "labels": ["AST"]}], "emit": "all", "dedup": true},
    ///   {"step": "depth"}]}
    /// ```
    "depth" Depth {} takes Single gives Values methods {
        /// The depth that each row has from the last `repeat` before it; 0 without.
        depth() => {};
    }

    /// A row with one column, `path`: the list of what was visited from the start to the row, itself
    /// included, with every turn of a `repeat`. Rows are nodes or edges.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]}, {"step": "out", "labels": ["CALL"]}, {"step": "path"}]}
    /// ```
    "path" Path {} takes Elements gives Columns methods {
        /// The list of what was visited from the start to each row.
        path() => {};
    }

    /// Lets rows through as they are, and gives them to the caller as well, under `name`: nodes, edges,
    /// values or rows of columns, in their order. What passed while a batch was made is good until the next
    /// is asked for, and after the last batch there may be more: rows that passed and led to nothing. Rows
    /// are treated in batches, so that before a step that stops early (`limit`) more may pass than come out.
    /// Only among the outermost steps, each name once. It is flatgraph's `sideEffect` for callers that send
    /// no code.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "side", "name": "methods"},
    ///   {"step": "in", "labels": ["CALL"]},
    ///   {"step": "count"}]}
    /// ```
    "side" Side { name: String } takes Any gives Same methods {
        /// Lets rows through as they are, and gives them to the caller under a name as well.
        side(name: &str) => { name: name.to_owned() };
    }

    /// A row of columns for each row: keys, named `node`, `edge`, `value`, `label`, `depth`, or like the
    /// property. A property whose cardinality in the schema is *list* gives a list, also of a single value,
    /// and an empty one for a row without; of others the cell is empty then. Every column has a name of its
    /// own: of several columns `node` the second is `node_2`, so that a property may be named like a key.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]},
    ///   {"step": "columns", "columns": ["itself", "label", {"property": "NAME"}]}]}
    /// ```
    "columns" Columns { columns: Vec<Key> } takes Single gives Columns methods {
        /// A row of columns for each row.
        columns(columns: impl IntoIterator<Item = Key>) => { columns: columns.into_iter().collect() };
    }

    /// For each key, how many rows have it: columns named like the key, and `count`. Groups come in a fixed
    /// order: numbers rise, texts and labels follow the tables of the file; the group of rows without the
    /// key, if there are such rows, comes last, with an empty key.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "group_count", "by": {"property": "NAME"}}]}
    /// ```
    "group_count" GroupCount { by: Key = itself } takes Single gives Columns methods {
        /// For each key, how many rows have it.
        group_count(by: impl Into<Key>) => { by: by.into() };
    }

    /// For each key, what `columns` say of the rows that have it: `"count"`, how many they are; and
    /// `{"sum": ..}`, `{"min": ..}`, `{"max": ..}` or `{"mean": ..}` of the first values that they have of a
    /// property, which are numbers. Columns are named like the key, `count`, and like `min_ORDER`. Where no
    /// row has a value the sum is 0 and the others are empty; a sum beyond 64 bits is an error. NaN is
    /// neither the least nor the greatest. Groups come in the order of `group_count`.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["CALL"]},
    ///   {"step": "summarize", "by": {"property": "NAME"}, "columns": ["count", {"min": "ORDER"}, {"mean": "ORDER"}]}]}
    /// ```
    "summarize" Summarize { by: Key = itself, columns: Vec<Summary> } takes Elements gives Columns methods {
        /// For each key, what the columns say of the rows that have it.
        summarize(by: impl Into<Key>, columns: impl IntoIterator<Item = Summary>)
            => { by: by.into(), columns: columns.into_iter().collect() };
    }

    /// For each key, the nodes that have it, in their order: columns named like the key, and `nodes`.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes", "labels": ["METHOD"]}, {"step": "group", "by": {"property": "NAME"}}]}
    /// ```
    "group" Group { by: Key = itself } takes Nodes gives Columns methods {
        /// For each key, the nodes that have it.
        group(by: impl Into<Key>) => { by: by.into() };
    }

    /// How many rows there are.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "count"}]}
    /// ```
    "count" Count {} takes Any gives Values methods {
        /// How many rows there are.
        count() => {};
    }

    /// The sum of numbers, 0 for none. Whole numbers give a whole number of 64 bits, signed or unsigned like
    /// theirs, and an error if it does not fit: in C that of a plan (-34), on the command line exit code 6.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "sum"}]}
    /// ```
    "sum" Sum {} takes Values gives Values methods {
        /// The sum of numbers, 0 for none.
        sum() => {};
    }

    /// The least of numbers; no row if there is none. NaN counts as no number, here and in `max`.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "min"}]}
    /// ```
    "min" Min {} takes Values gives Values methods {
        /// The least of numbers; no row if there is none.
        min() => {};
    }

    /// The greatest of numbers; no row if there is none. NaN counts as no number.
    ///
    /// ```json
    /// {"version": 1, "steps": [{"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "max"}]}
    /// ```
    "max" Max {} takes Values gives Values methods {
        /// The greatest of numbers; no row if there is none.
        max() => {};
    }

    /// The mean of numbers, with a fraction; no row if there is none.
    ///
    /// ```json
    /// {"version": 1, "steps": [
    ///   {"step": "nodes"}, {"step": "values", "property": "ORDER"}, {"step": "mean"}]}
    /// ```
    "mean" Mean {} takes Values gives Values methods {
        /// The mean of numbers, with a fraction; no row if there is none.
        mean() => {};
    }

}
