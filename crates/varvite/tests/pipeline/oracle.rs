//! Runs pipelines on a model, with plain loops that compute one row after another and keep all rows in lists.
//!
//! The loops are slow on purpose. They were written according to `docs/plan.md`, not to the engine's code.

use std::cell::RefCell;
use std::cmp::Ordering;

use super::oracle_functions::{constant, value_of};
use varvite::pipeline::{Emit, Key, Literal, Pipeline, Predicate, Repeat, Step, Steps, WalkOrder};
use varvite_model::{AST, ModelGraph, NodeId, Value};

/// The element of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Node(NodeId),
    /// An edge: its label, its source, its position in the out-list, and its target.
    Edge(String, NodeId, usize, NodeId),
    Value(Value),
    /// A row of columns; each cell is a list.
    Table(Vec<Vec<Item>>),
}

#[derive(Clone, Debug)]
struct Row {
    item: Item,
    path: Vec<Item>,
    depth: u32,
}

/// The error for a pipeline with more rows than a test waits for.
#[derive(Debug)]
pub(crate) struct TooMany;

type Result<T> = std::result::Result<T, TooMany>;

/// The maximum number of rows of one step, and the maximum number of visits of one walk. If there are more, a
/// test gives up.
const ROWS_MAX: usize = 20_000;

/// The rows of a pipeline, as texts.
pub(crate) fn rows_of(model: &ModelGraph, pipeline: &Pipeline) -> Result<Vec<String>> {
    let oracle = Oracle { model, named: RefCell::default() };
    let rows = oracle.run(pipeline.steps(), Vec::new())?;
    Ok(rows.iter().map(|row| oracle.text(&row.item)).collect())
}

struct Oracle<'m> {
    model: &'m ModelGraph,
    /// The rows that inner pipelines have named, the innermost last. All have the same name.
    named: RefCell<Vec<Item>>,
}

impl Oracle<'_> {
    fn run(&self, steps: &[Step], mut rows: Vec<Row>) -> Result<Vec<Row>> {
        for (index, step) in steps.iter().enumerate() {
            rows = match step {
                Step::Order { by: Key::Column(name), descending } => {
                    sorted(rows, column_of(name, &steps[..index]), *descending)
                }
                step => self.step(step, rows)?,
            };
            if rows.len() > ROWS_MAX {
                return Err(TooMany);
            }
        }
        Ok(rows)
    }

    /// The results of an inner pipeline for one row.
    fn inner(&self, steps: &Steps, row: &Row) -> Result<Vec<Row>> {
        let around = self.named.borrow().len();
        let rows = self.run(&steps.0, vec![row.clone()]);
        self.named.borrow_mut().truncate(around);
        rows
    }

    fn gives_anything(&self, steps: &Steps, row: &Row) -> Result<bool> {
        Ok(!self.inner(steps, row)?.is_empty())
    }

    fn step(&self, step: &Step, rows: Vec<Row>) -> Result<Vec<Row>> {
        let each = |f: &dyn Fn(&Row) -> Vec<Item>| -> Vec<Row> {
            rows.iter().flat_map(|row| f(row).into_iter().map(|item| row.then(item))).collect()
        };
        let keep = |f: &dyn Fn(&Row) -> Result<bool>| -> Result<Vec<Row>> {
            let mut kept = Vec::new();
            for row in &rows {
                if f(row)? {
                    kept.push(row.clone());
                }
            }
            Ok(kept)
        };
        let one = |item: Item| vec![Row { item: item.clone(), path: vec![item], depth: 0 }];
        Ok(match step {
            Step::Nodes { labels } => self.starts(|node| {
                labels.is_empty() || labels.iter().any(|label| self.model.has_label(node, label))
            }),
            Step::Ids { ids } => ids.iter().flat_map(|id| one(Item::Node(NodeId(*id as usize)))).collect(),
            Step::Edges { labels } => {
                let sources = self.model.nodes();
                let asked = self.edge_labels(labels);
                let labels = self.edge_labels(&[]);
                let edges = labels.into_iter().filter(|label| asked.contains(label)).collect::<Vec<_>>();
                let edges = edges
                    .iter()
                    .flat_map(|label| sources.iter().flat_map(move |source| self.out_edges(*source, label)));
                edges.flat_map(one).collect()
            }
            Step::Has { property, is } => keep(&|row| Ok(self.has(row, property, is.as_ref())))?,
            Step::HasNot { property, is } => keep(&|row| Ok(!self.has(row, property, is.as_ref())))?,
            Step::HasLabel { labels } => keep(&|row| {
                Ok(match &row.item {
                    Item::Node(node) => labels.iter().any(|label| self.model.has_label(*node, label)),
                    Item::Edge(label, ..) => labels.contains(label),
                    _ => false,
                })
            })?,
            Step::HasId { ids } => {
                keep(&|row| Ok(matches!(row.item, Item::Node(node) if ids.contains(&(node.0 as u32)))))?
            }
            Step::Is { is } => keep(&|row| Ok(matches!(&row.item, Item::Value(value) if passes(value, is))))?,
            Step::Filter { by } => {
                keep(&|row| Ok(self.key(by, row)? == Some(Item::Value(Value::Bool(true)))))?
            }
            Step::Map { by } => {
                let mut mapped = Vec::new();
                for row in &rows {
                    mapped.extend(self.key(by, row)?.map(|item| row.then(item)));
                }
                mapped
            }
            Step::As { .. } => {
                self.named.borrow_mut().push(rows[0].item.clone());
                rows
            }
            Step::Select { .. } => {
                let named = self.named.borrow().last().cloned().expect("a named row");
                each(&|_| vec![named.clone()])
            }
            Step::Where { pipeline } => keep(&|row| self.gives_anything(pipeline, row))?,
            Step::WhereNot { pipeline } => keep(&|row| Ok(!self.gives_anything(pipeline, row)?))?,
            Step::And { branches } => keep(&|row| {
                branches.iter().try_fold(true, |all, branch| Ok(all & self.gives_anything(branch, row)?))
            })?,
            Step::Or { branches } => keep(&|row| {
                branches.iter().try_fold(false, |any, branch| Ok(any | self.gives_anything(branch, row)?))
            })?,
            Step::Out { labels } => each(&|row| self.neighbors(row, labels, true)),
            Step::In { labels } => each(&|row| self.neighbors(row, labels, false)),
            Step::Both { labels } => each(&|row| {
                let out = self.neighbors(row, labels, true);
                out.into_iter().chain(self.neighbors(row, labels, false)).collect()
            }),
            Step::OutEdges { labels } => each(&|row| self.edges(row, labels, true)),
            Step::InEdges { labels } => each(&|row| self.edges(row, labels, false)),
            Step::BothEdges { labels } => each(&|row| {
                let out = self.edges(row, labels, true);
                out.into_iter().chain(self.edges(row, labels, false)).collect()
            }),
            Step::Source {} => each(&|row| match row.item {
                Item::Edge(_, source, ..) => vec![Item::Node(source)],
                _ => vec![],
            }),
            Step::Target {} => each(&|row| match row.item {
                Item::Edge(.., target) => vec![Item::Node(target)],
                _ => vec![],
            }),
            Step::Descendants { with_self } => self.walk_tree(true, *with_self, None, rows)?,
            Step::Ancestors { with_self } => self.walk_tree(false, *with_self, None, rows)?,
            Step::NearestAncestor { labels, condition } => {
                let mut until = condition.clone().unwrap_or_default();
                if !labels.is_empty() {
                    until.0.insert(0, Step::HasLabel { labels: labels.clone() });
                }
                self.walk_tree(false, false, Some(until), rows)?
            }
            Step::Union { branches } => {
                let mut all = Vec::new();
                for row in &rows {
                    for branch in branches {
                        all.extend(self.inner(branch, row)?);
                    }
                }
                all
            }
            Step::Coalesce { branches } => {
                let mut all = Vec::new();
                for row in &rows {
                    for branch in branches {
                        let found = self.inner(branch, row)?;
                        if !found.is_empty() {
                            all.extend(found);
                            break;
                        }
                    }
                }
                all
            }
            Step::Choose { on, cases, otherwise } => {
                let mut all = Vec::new();
                for row in &rows {
                    let first = self.inner(on, row)?.into_iter().next().map(|row| row.item);
                    let case = cases.iter().find(|case| match &first {
                        Some(Item::Value(value)) => passes(value, &case.is),
                        _ => false,
                    });
                    if let Some(steps) = case.map(|case| &case.then).or(otherwise.as_ref()) {
                        all.extend(self.inner(steps, row)?);
                    }
                }
                all
            }
            Step::Repeat(repeat) => {
                let mut all = Vec::new();
                for row in &rows {
                    all.extend(self.repeat(repeat, row)?);
                }
                all
            }
            Step::Dedup { by } => {
                let mut seen: Vec<Option<Item>> = Vec::new();
                let mut kept = Vec::new();
                for row in rows {
                    let key = self.key(by, &row)?;
                    if !seen.contains(&key) {
                        seen.push(key);
                        kept.push(row);
                    }
                }
                kept
            }
            Step::Order { by, descending } => {
                let keyed = rows.into_iter().map(|row| Ok((self.key(by, &row)?, row)));
                let mut sorted: Vec<(Option<Item>, Row)> = keyed.collect::<Result<_>>()?;
                sorted.sort_by(|(a, _), (b, _)| match (a, b) {
                    (Some(a), Some(b)) if *descending => compare(b, a),
                    (Some(a), Some(b)) => compare(a, b),
                    (a, b) => b.is_some().cmp(&a.is_some()),
                });
                sorted.into_iter().map(|(_, row)| row).collect()
            }
            Step::Limit { count } => rows.into_iter().take(*count as usize).collect(),
            Step::Skip { count } => rows.into_iter().skip(*count as usize).collect(),
            Step::Side { .. } => rows,
            Step::SimplePath {} => keep(&|row| {
                let repeats = |i: usize| row.path[i + 1..].contains(&row.path[i]);
                Ok(!(0..row.path.len()).any(repeats))
            })?,
            Step::Values { property } => each(&|row| {
                self.values(row, property).iter().map(|value| Item::Value(value.clone())).collect()
            }),
            Step::Label {} => each(&|row| self.label(&row.item).into_iter().collect()),
            Step::Depth {} => each(&|row| vec![Item::Value(Value::U32(row.depth))]),
            Step::Path {} => rows.iter().map(|row| row.replaced(vec![row.path.clone()])).collect(),
            Step::Columns { columns } => {
                let cells = |row: &Row| columns.iter().map(|key| self.cell(key, row)).collect::<Result<_>>();
                rows.iter().map(|row| Ok(row.replaced(cells(row)?))).collect::<Result<_>>()?
            }
            Step::GroupCount { by } => {
                self.groups(by, &rows, |members| vec![Item::Value(Value::U64(members.len() as u64))])?
            }
            Step::Group { by } => {
                self.groups(by, &rows, |members| members.iter().map(|row| row.item.clone()).collect())?
            }
            Step::Count {} => one(Item::Value(Value::U64(rows.len() as u64))),
            Step::Sum {} => {
                let sum: i128 = numbers(&rows).iter().sum();
                one(Item::Value(Value::I64(sum as i64)))
            }
            Step::Min {} => extreme(&rows, Ordering::Less).into_iter().flat_map(one).collect(),
            Step::Max {} => extreme(&rows, Ordering::Greater).into_iter().flat_map(one).collect(),
            Step::Mean {} => {
                let numbers = numbers(&rows);
                let mean = numbers.iter().sum::<i128>() as f64 / numbers.len() as f64;
                let mean = (!numbers.is_empty()).then_some(Item::Value(Value::F64(mean)));
                mean.into_iter().flat_map(one).collect()
            }
            other => panic!("the oracle does not know {other:?}"),
        })
    }

    fn starts(&self, is_start: impl Fn(NodeId) -> bool) -> Vec<Row> {
        let nodes = self.model.nodes().into_iter().filter(|node| is_start(*node)).map(Item::Node);
        nodes.map(|item| Row { item: item.clone(), path: vec![item], depth: 0 }).collect()
    }

    fn edge_labels<'a>(&'a self, labels: &'a [String]) -> Vec<&'a str> {
        match labels {
            [] => self.model.edge_labels().into_iter().collect(),
            labels => labels.iter().map(String::as_str).collect(),
        }
    }

    fn neighbors(&self, row: &Row, labels: &[String], is_out: bool) -> Vec<Item> {
        let Item::Node(node) = row.item else { panic!("a hop from {row:?}") };
        let neighbors = |label: &str| match is_out {
            true => self.model.targets(node, label),
            false => self.model.sources(node, label).to_vec(),
        };
        self.edge_labels(labels).into_iter().flat_map(neighbors).map(Item::Node).collect()
    }

    fn out_edges(&self, node: NodeId, label: &str) -> Vec<Item> {
        let edges = self.model.out_edges(node, label);
        let item = |edge: &varvite_model::Edge<'_>| {
            Item::Edge(label.to_owned(), edge.source, edge.position, edge.target)
        };
        edges.iter().map(item).collect()
    }

    fn edges(&self, row: &Row, labels: &[String], is_out: bool) -> Vec<Item> {
        let Item::Node(node) = row.item else { panic!("a hop from {row:?}") };
        let edges = |label: &str| match is_out {
            true => self.out_edges(node, label),
            false => {
                let edges = self.model.in_edges(node, label);
                let item = |edge: &varvite_model::Edge<'_>| {
                    Item::Edge(label.to_owned(), edge.source, edge.position, edge.target)
                };
                edges.iter().map(item).collect()
            }
        };
        self.edge_labels(labels).into_iter().flat_map(edges).collect()
    }

    fn walk_tree(
        &self,
        is_down: bool,
        with_self: bool,
        until: Option<Steps>,
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let labels = vec![AST.to_owned()];
        let body = if is_down { Step::Out { labels } } else { Step::In { labels } };
        let emit = match (&until, with_self) {
            (Some(_), _) => None,
            (None, true) => Some(Emit::All),
            (None, false) => Some(Emit::AllButFirst),
        };
        // In a walk upwards, the nearest ancestor comes first. If there is `until`, only the first node that
        // passes it is taken.
        let order = if is_down { WalkOrder::Depth } else { WalkOrder::Breadth };
        let most = if until.is_some() { 1 } else { usize::MAX };
        let repeat = Repeat { body: Steps(vec![body]), until, emit, order, dedup: true, ..Repeat::default() };
        let mut all = Vec::new();
        for row in &rows {
            let found = self.repeat(&repeat, row)?;
            all.extend(found.into_iter().take(most).map(|found| Row { depth: row.depth, ..found }));
        }
        Ok(all)
    }

    /// Runs a `repeat` with flatgraph's semantics. It keeps a list of levels, each with its remaining rows
    /// and its depth.
    fn repeat(&self, repeat: &Repeat, start: &Row) -> Result<Vec<Row>> {
        let begin = Row { depth: 0, ..start.clone() };
        let mut levels: Vec<(Vec<Row>, u32)> = vec![(vec![begin], 0)];
        let mut visited: Vec<Item> = Vec::new();
        let (mut out, mut turns) = (Vec::new(), 0);
        loop {
            turns += 1;
            if turns > ROWS_MAX || out.len() > ROWS_MAX {
                return Err(TooMany);
            }
            let next = match repeat.order {
                WalkOrder::Depth => levels.len().checked_sub(1),
                WalkOrder::Breadth => (!levels.is_empty()).then_some(0),
            };
            let Some(level) = next else { return Ok(out) };
            if levels[level].0.is_empty() {
                levels.remove(level);
                continue;
            }
            let depth = levels[level].1;
            let row = levels[level].0.remove(0);
            if repeat.dedup {
                if visited.contains(&row.item) {
                    continue;
                }
                visited.push(row.item.clone());
            }
            let fails_whilst = |whilst: &Steps| Ok::<_, TooMany>(!self.gives_anything(whilst, &row)?);
            let is_last = repeat.times == Some(depth)
                || repeat.whilst.as_ref().map_or(Ok(false), fails_whilst)?
                || depth > 0
                    && repeat.until.as_ref().map_or(Ok(false), |until| self.gives_anything(until, &row))?;
            if is_last {
                out.push(row);
                continue;
            }
            let mut successors = self.inner(&repeat.body, &row)?;
            successors.iter_mut().for_each(|row| row.depth = depth + 1);
            levels.push((successors, depth + 1));
            let comes_out = match &repeat.emit {
                None => false,
                Some(Emit::All) => true,
                Some(Emit::AllButFirst) => depth > 0,
                Some(Emit::Where(steps)) => self.gives_anything(steps, &row)?,
            };
            if comes_out {
                out.push(row);
            }
        }
    }

    fn values(&self, row: &Row, property: &str) -> Vec<Value> {
        match &row.item {
            Item::Node(node) => self.model.values(*node, property).to_vec(),
            Item::Edge(label, source, position, _) => {
                let edges = self.model.out_edges(*source, label);
                edges[*position].property.into_iter().cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    fn has(&self, row: &Row, property: &str, is: Option<&Predicate>) -> bool {
        let values = self.values(row, property);
        match is {
            None => !values.is_empty(),
            Some(is) => values.iter().any(|value| passes(value, is)),
        }
    }

    fn label(&self, item: &Item) -> Option<Item> {
        let text = match item {
            Item::Node(node) => self.model.label_text(*node),
            Item::Edge(label, ..) => label.clone(),
            Item::Value(_) | Item::Table(_) => return None,
        };
        Some(Item::Value(Value::string(&text)))
    }

    fn key(&self, by: &Key, row: &Row) -> Result<Option<Item>> {
        Ok(match by {
            Key::Itself => Some(row.item.clone()),
            Key::Label => self.label(&row.item),
            Key::Depth => Some(Item::Value(Value::U32(row.depth))),
            Key::Property(name) => self.values(row, name).first().cloned().map(Item::Value),
            Key::First(steps) => self.inner(steps, row)?.into_iter().next().map(|first| first.item),
            Key::Exists(steps) => Some(Item::Value(Value::Bool(self.gives_anything(steps, row)?))),
            Key::Named(_, key) => self.key(key, row)?,
            Key::Constant(literal) => Some(constant(literal)),
            Key::Function(function, operands) => {
                let operands = operands.0.iter().map(|operand| self.key(operand, row));
                value_of(function, &operands.collect::<Result<Vec<_>>>()?)
            }
            other => panic!("no key {other:?}"),
        })
    }

    /// The items of a cell.
    fn cell(&self, key: &Key, row: &Row) -> Result<Vec<Item>> {
        Ok(match key {
            Key::Property(name) => self.values(row, name).iter().cloned().map(Item::Value).collect(),
            Key::List(steps) => self.inner(steps, row)?.into_iter().map(|row| row.item).collect(),
            Key::Named(_, key) => self.cell(key, row)?,
            key => self.key(key, row)?.into_iter().collect(),
        })
    }

    fn groups(&self, by: &Key, rows: &[Row], shown: impl Fn(&[Row]) -> Vec<Item>) -> Result<Vec<Row>> {
        let mut groups: Vec<(Option<Item>, Vec<Row>)> = Vec::new();
        for row in rows {
            let key = self.key(by, row)?;
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, members)) => members.push(row.clone()),
                None => groups.push((key, vec![row.clone()])),
            }
        }
        let table = |(key, members): (Option<Item>, Vec<Row>)| {
            let item = Item::Table(vec![key.into_iter().collect(), shown(&members)]);
            Row { item, path: Vec::new(), depth: 0 }
        };
        Ok(groups.into_iter().map(table).collect())
    }

    fn text(&self, item: &Item) -> String {
        match item {
            Item::Node(node) => format!("#{}", node.0),
            Item::Edge(label, source, position, target) => {
                let rank = match self.model.is_forest() && label == AST {
                    true => target.0,
                    false => {
                        let before = (0..source.0).map(NodeId).filter(|node| self.model.contains(*node));
                        before.map(|node| self.model.targets(node, label).len()).sum::<usize>() + position
                    }
                };
                format!("{label} {}>{} @{rank}", source.0, target.0)
            }
            Item::Value(value) => value_text(value),
            Item::Table(columns) => {
                let cells = |column: &Vec<Item>| {
                    let texts: Vec<String> = column.iter().map(|item| self.text(item)).collect();
                    format!("[{}]", texts.join(" "))
                };
                columns.iter().map(cells).collect::<Vec<_>>().join(" | ")
            }
        }
    }
}

impl Row {
    fn then(&self, item: Item) -> Self {
        let mut path = self.path.clone();
        path.push(item.clone());
        Self { item, path, depth: self.depth }
    }

    fn replaced(&self, columns: Vec<Vec<Item>>) -> Self {
        Self { item: Item::Table(columns), path: Vec::new(), depth: 0 }
    }
}

/// A value as the text that tests compare.
pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::I8(value) => value.to_string(),
        Value::I16(value) => value.to_string(),
        Value::I32(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::U8(value) => value.to_string(),
        Value::U16(value) => value.to_string(),
        Value::U32(value) => value.to_string(),
        Value::U64(value) => value.to_string(),
        Value::F32(value) => format!("f{:x}", value.to_bits()),
        Value::F64(value) => format!("f{:x}", value.to_bits()),
        Value::String(text) => format!("{text:?}"),
        Value::Null => "null".into(),
        Value::Bytes(bytes) => format!("{bytes:?}"),
        Value::Ref(node) => format!("{:?}", node.map(|node| node.0)),
    }
}

pub(super) fn whole(value: &Value) -> Option<i128> {
    Some(match value {
        Value::I8(value) => i128::from(*value),
        Value::I16(value) => i128::from(*value),
        Value::I32(value) => i128::from(*value),
        Value::I64(value) => i128::from(*value),
        Value::U8(value) => i128::from(*value),
        Value::U16(value) => i128::from(*value),
        Value::U32(value) => i128::from(*value),
        Value::U64(value) => i128::from(*value),
        _ => return None,
    })
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::F32(value) => Some(f64::from(*value)),
        Value::F64(value) => Some(*value),
        value => whole(value).map(|whole| whole as f64),
    }
}

fn numbers(rows: &[Row]) -> Vec<i128> {
    let number = |row: &Row| match &row.item {
        Item::Value(value) => whole(value),
        _ => None,
    };
    rows.iter().filter_map(number).collect()
}

/// The least or the greatest value. NaN is ignored.
fn extreme(rows: &[Row], wanted: Ordering) -> Option<Item> {
    let is_nan = |item: &Item| matches!(item, Item::Value(value) if float(value).is_some_and(f64::is_nan));
    let items = rows.iter().map(|row| row.item.clone()).filter(|item| !is_nan(item));
    items.reduce(|best, item| if compare(&item, &best) == wanted { item } else { best })
}

/// The position of the column with this name in the rows that some steps give.
fn column_of(name: &str, steps: &[Step]) -> usize {
    let key_name = |key: &Key| match key {
        Key::Itself => "node".to_owned(),
        Key::Label => "label".to_owned(),
        Key::Depth => "depth".to_owned(),
        Key::Property(name) | Key::Column(name) | Key::Named(name, _) => name.clone(),
        Key::Exists(_) => "exists".to_owned(),
        Key::Function(function, _) => function.name().to_owned(),
        other => panic!("no column {other:?}"),
    };
    let names = steps.iter().rev().find_map(|step| match step {
        Step::Columns { columns } => Some(columns.iter().map(key_name).collect()),
        Step::GroupCount { by } => Some(vec![key_name(by), "count".to_owned()]),
        Step::Group { by } => Some(vec![key_name(by), "nodes".to_owned()]),
        Step::Path {} => Some(vec!["path".to_owned()]),
        _ => None,
    });
    let names: Vec<String> = names.expect("a step that makes columns");
    names.iter().position(|known| known == name).expect("a column")
}

/// Sorts rows of columns by one column. In the oracle, every cell is a list; if a cell is not a list in the
/// engine, its list has at most one item.
fn sorted(mut rows: Vec<Row>, column: usize, descending: bool) -> Vec<Row> {
    let cells = |row: &Row| match &row.item {
        Item::Table(columns) => columns[column].clone(),
        other => panic!("no columns in {other:?}"),
    };
    let is_list = rows.iter().any(|row| cells(row).len() > 1);
    rows.sort_by(|a, b| {
        let (a, b) = (cells(a), cells(b));
        match (a.first(), b.first()) {
            _ if is_list && descending => b.len().cmp(&a.len()),
            _ if is_list => a.len().cmp(&b.len()),
            (Some(a), Some(b)) if descending => compare(b, a),
            (Some(a), Some(b)) => compare(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    });
    rows
}

/// Compares two items of the same kind.
pub(super) fn compare(a: &Item, b: &Item) -> Ordering {
    match (a, b) {
        (Item::Node(a), Item::Node(b)) => a.cmp(b),
        (Item::Value(Value::String(a)), Item::Value(Value::String(b))) => a.as_bytes().cmp(b.as_bytes()),
        (Item::Value(Value::Bool(a)), Item::Value(Value::Bool(b))) => a.cmp(b),
        (Item::Value(a), Item::Value(b)) => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => float(a).unwrap().total_cmp(&float(b).unwrap()),
        },
        other => panic!("no order of {other:?}"),
    }
}

/// Compares a value with a literal. `None` if they cannot be compared.
fn against(value: &Value, literal: &Literal) -> Option<Ordering> {
    let number = match literal {
        Literal::Int(number) => *number as f64,
        Literal::Uint(number) => *number as f64,
        Literal::Float(number) => *number,
        Literal::Bool(wanted) => {
            return matches!(value, Value::Bool(value) if value == wanted).then_some(Ordering::Equal);
        }
        Literal::Text(text) => {
            return matches!(value, Value::String(value) if value == text).then_some(Ordering::Equal);
        }
    };
    match (whole(value), literal) {
        (Some(value), Literal::Int(number)) => Some(value.cmp(&i128::from(*number))),
        (Some(value), Literal::Uint(number)) => Some(value.cmp(&i128::from(*number))),
        (Some(value), Literal::Float(number)) => exactly(*number, value).map(Ordering::reverse),
        (None, Literal::Int(number)) => exactly(float(value)?, i128::from(*number)),
        (None, Literal::Uint(number)) => exactly(float(value)?, i128::from(*number)),
        _ => float(value)?.partial_cmp(&number),
    }
}

/// Compares a float with a whole number exactly. `None` if the float is NaN.
fn exactly(number: f64, whole: i128) -> Option<Ordering> {
    if number.is_nan() || number.abs() > 1e30 {
        return number.partial_cmp(&0.0);
    }
    let floor = number.floor();
    Some((floor as i128).cmp(&whole).then(if number > floor { Ordering::Greater } else { Ordering::Equal }))
}

pub(super) fn passes(value: &Value, is: &Predicate) -> bool {
    use Ordering::{Equal, Greater, Less};
    let compared = |literal: &Literal| against(value, literal);
    let is_text = |f: &dyn Fn(&str) -> bool| matches!(value, Value::String(text) if f(text));
    match is {
        Predicate::Eq(wanted) => compared(wanted) == Some(Equal),
        Predicate::Ne(wanted) => compared(wanted) != Some(Equal),
        Predicate::OneOf(wanted) => wanted.iter().any(|wanted| compared(wanted) == Some(Equal)),
        Predicate::NoneOf(wanted) => wanted.iter().all(|wanted| compared(wanted) != Some(Equal)),
        Predicate::Lt(high) => compared(high) == Some(Less),
        Predicate::Lte(high) => matches!(compared(high), Some(Less | Equal)),
        Predicate::Gt(low) => compared(low) == Some(Greater),
        Predicate::Gte(low) => matches!(compared(low), Some(Greater | Equal)),
        Predicate::Between([low, high]) => {
            matches!(compared(low), Some(Greater | Equal)) && compared(high) == Some(Less)
        }
        Predicate::Inside([low, high]) => compared(low) == Some(Greater) && compared(high) == Some(Less),
        Predicate::Outside([low, high]) => compared(low) == Some(Less) || compared(high) == Some(Greater),
        Predicate::Prefix(wanted) => is_text(&|text| text.starts_with(wanted)),
        Predicate::Suffix(wanted) => is_text(&|text| text.ends_with(wanted)),
        Predicate::Contains(wanted) => is_text(&|text| text.contains(wanted)),
        Predicate::Regex(pattern) => {
            let regex = regex::Regex::new(&format!("^(?s:{pattern})$")).unwrap();
            is_text(&|text| regex.is_match(text))
        }
        other => panic!("the oracle does not know {other:?}"),
    }
}
