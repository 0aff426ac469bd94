//! Random pipelines that are valid for random graphs.

use varvite::pipeline::{Case, Emit, Key, Literal, Pipeline, Predicate, Repeat, Step, Steps, WalkOrder};
use varvite_model::{AST, ModelGraph, RandomGraph, SplitMix64, Value, ValueType};

/// The kind of the current rows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Nodes,
    Edges,
    Values(ValueType),
    End,
}

pub(crate) struct Generator<'m> {
    pub(crate) random: SplitMix64,
    pub(crate) model: &'m ModelGraph,
    /// Whether the steps are inside a condition, where rows have no path and no depth.
    in_condition: bool,
}

const LABELS: [&str; 6] = ["METHOD", "CALL", "IDENTIFIER", "LITERAL", "BLOCK", "TYPE"];
const NUMBERS: [(&str, ValueType); 20] = [
    ("ORDER", ValueType::I32),
    ("I8", ValueType::I8),
    ("I16", ValueType::I16),
    ("I64", ValueType::I64),
    ("U8", ValueType::U8),
    ("U16", ValueType::U16),
    ("U32", ValueType::U32),
    ("U64", ValueType::U64),
    ("F32", ValueType::F32),
    ("F64", ValueType::F64),
    ("I8_LIST", ValueType::I8),
    ("I16_LIST", ValueType::I16),
    ("I32_LIST", ValueType::I32),
    ("I64_LIST", ValueType::I64),
    ("U8_LIST", ValueType::U8),
    ("U16_LIST", ValueType::U16),
    ("U32_LIST", ValueType::U32),
    ("U64_LIST", ValueType::U64),
    ("F32_LIST", ValueType::F32),
    ("F64_LIST", ValueType::F64),
];
/// The numeric properties that every node has.
const NUMBERS_OF_ALL: [(&str, ValueType); 3] =
    [("ORDER", ValueType::I32), ("I64", ValueType::I64), ("F64", ValueType::F64)];
const TEXTS: [&str; 5] = ["NAME", "FULL_NAME", "CODE", "STRING_LIST", "NOWHERE"];

impl<'m> Generator<'m> {
    pub(crate) fn new(seed: u64, model: &'m ModelGraph) -> Self {
        Self { random: SplitMix64::new(seed), model, in_condition: false }
    }

    pub(crate) fn pipeline(&mut self) -> Pipeline {
        let start = match self.random.below(10) {
            0 => Step::Ids { ids: self.ids() },
            1 => Step::Edges { labels: self.edge_labels() },
            2 | 3 => Step::Nodes { labels: vec![] },
            4 => Step::Nodes { labels: vec![self.label(), self.label()] },
            _ => Step::Nodes { labels: vec![self.label()] },
        };
        let mut kind = if matches!(start, Step::Edges { .. }) { Kind::Edges } else { Kind::Nodes };
        let mut pipeline = Pipeline::default().then(start);
        for _ in 0..self.random.below(6) {
            let step = self.step(&mut kind, 2);
            pipeline = pipeline.then(step);
            if kind == Kind::End {
                break;
            }
        }
        self.sort_columns(pipeline)
    }

    /// A pipeline with many steps, which are in sequence, in branches, or nested.
    pub(crate) fn large_pipeline(&mut self) -> Pipeline {
        let count = 50 + self.random.below(180);
        let steps = match self.random.below(3) {
            0 => (0..3 * count).map(|_| self.weak_filter()).collect(),
            1 => vec![self.wide(count)],
            _ => self.deep(count).0.clone(),
        };
        let all = Pipeline::default().then(Step::Nodes { labels: vec![] });
        steps.into_iter().fold(all, Pipeline::then)
    }

    /// A step that drops few nodes or none.
    fn weak_filter(&mut self) -> Step {
        let (property, _) = self.random.pick(&NUMBERS_OF_ALL);
        match self.random.below(4) {
            0 => Step::Dedup { by: Key::Itself },
            1 => Step::Skip { count: 0 },
            2 => Step::WhereNot { pipeline: Steps(vec![Step::Out { labels: vec!["NEVER".into()] }]) },
            _ => {
                let has = Step::Has { property: property.into(), is: Some(self.number_predicate()) };
                Step::Or { branches: vec![Steps(vec![has]), Steps(vec![self.weak_hop()])] }
            }
        }
    }

    /// A step that leads to the node itself, to its neighbours, or nowhere.
    fn weak_hop(&mut self) -> Step {
        match self.random.below(3) {
            0 => Step::Out { labels: self.edge_labels() },
            1 => Step::In { labels: vec![AST.into()] },
            _ => Step::Limit { count: 1 },
        }
    }

    fn wide(&mut self, count: usize) -> Step {
        let branches = (0..count).map(|_| Steps(vec![self.weak_hop(), Step::Limit { count: 1 }])).collect();
        match self.random.below(4) {
            0 => Step::Or { branches },
            1 => Step::And { branches },
            2 => Step::Coalesce { branches },
            _ => Step::Union { branches },
        }
    }

    /// Steps that are nested `count` levels deep.
    fn deep(&mut self, count: usize) -> Steps {
        let mut inner = Steps(vec![self.weak_hop()]);
        for _ in 0..count {
            let step = match self.random.below(7) {
                0 => Step::Where { pipeline: inner },
                1 => Step::WhereNot { pipeline: inner },
                2 => Step::Or { branches: vec![inner] },
                3 => Step::Union { branches: vec![inner] },
                4 => Step::Coalesce { branches: vec![inner, Steps(vec![self.weak_filter()])] },
                5 => {
                    let (property, _) = self.random.pick(&NUMBERS_OF_ALL);
                    let on = Steps(vec![Step::Values { property: property.into() }]);
                    let otherwise = Some(Steps(vec![self.weak_filter()]));
                    Step::Choose {
                        on,
                        cases: vec![Case { is: self.number_predicate(), then: inner }],
                        otherwise,
                    }
                }
                _ => Step::Repeat(Repeat {
                    body: inner,
                    times: Some(1),
                    until: None,
                    whilst: None,
                    emit: None,
                    dedup: self.random.chance(50),
                    order: WalkOrder::Depth,
                }),
            };
            inner = Steps(vec![step]);
        }
        inner
    }

    /// Sometimes appends a sort by a column and a limit to a pipeline whose rows have columns.
    fn sort_columns(&mut self, mut pipeline: Pipeline) -> Pipeline {
        let columns = match pipeline.steps().last() {
            Some(Step::GroupCount { by }) => Some((by.clone(), "count")),
            Some(Step::Group { by }) => Some((by.clone(), "nodes")),
            Some(Step::Columns { columns }) => columns.get(2).map(|by| (by.clone(), "node")),
            _ => None,
        };
        let Some((by, other)) = columns.filter(|_| self.random.chance(70)) else { return pipeline };
        let key = match by {
            Key::Property(name) | Key::Named(name, _) => name,
            Key::Depth => "depth".into(),
            // No sort: the order of label sets depends on the file, and columns of edges and values have
            // other names.
            _ => return pipeline,
        };
        let count = self.random.below(6) as u64;
        // The order of groups depends on the file until they are sorted by their keys.
        pipeline = pipeline.then(Step::Order { by: Key::Column(key), descending: self.random.chance(30) });
        if self.random.chance(70) && other != "nodes" {
            let descending = self.random.chance(70);
            pipeline = pipeline.then(Step::Order { by: Key::column(other), descending });
        }
        match self.random.below(4) {
            0 => pipeline,
            1 => pipeline.then(Step::Skip { count }).then(Step::Limit { count: 3 }),
            2 => pipeline.then(Step::Limit { count }),
            _ => pipeline.then(Step::Limit { count: 2 * count }).then(Step::Count {}),
        }
    }

    fn label(&mut self) -> String {
        let known: Vec<&str> =
            LABELS.into_iter().filter(|label| !self.model.nodes_with_label(label).is_empty()).collect();
        if known.is_empty() { "NOBODY".into() } else { self.random.pick(&known).into() }
    }

    fn edge_labels(&mut self) -> Vec<String> {
        let known: Vec<&str> = self.model.edge_labels().into_iter().chain([AST, "NEVER"]).collect();
        (0..self.random.below(3)).map(|_| self.random.pick(&known).to_owned()).collect()
    }

    fn ids(&mut self) -> Vec<u32> {
        let nodes = self.model.node_count();
        if nodes == 0 {
            vec![]
        } else {
            (0..1 + self.random.below(7)).map(|_| self.random.below(nodes) as u32).collect()
        }
    }

    fn steps(&mut self, from: Kind, to: Option<Kind>, depth: usize) -> Steps {
        let mut kind = from;
        let mut steps = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let mut next = kind;
            let step = self.step(&mut next, depth.saturating_sub(1));
            if next == Kind::End || to.is_some_and(|to| to != next) {
                continue;
            }
            kind = next;
            steps.push(step);
        }
        Steps(steps)
    }

    fn condition(&mut self, from: Kind, depth: usize) -> Steps {
        let before = std::mem::replace(&mut self.in_condition, true);
        let steps = self.steps(from, None, depth);
        self.in_condition = before;
        steps
    }

    fn step(&mut self, kind: &mut Kind, depth: usize) -> Step {
        match *kind {
            Kind::Nodes => self.node_step(kind, depth),
            Kind::Edges => self.edge_step(kind, depth),
            Kind::Values(value_type) => self.value_step(kind, value_type),
            Kind::End => Step::Count {},
        }
    }

    fn node_step(&mut self, kind: &mut Kind, depth: usize) -> Step {
        match self.random.below(if depth > 0 { 37 } else { 22 }) {
            0 | 1 => self.has(),
            2 => match self.has() {
                Step::Has { property, is } => Step::HasNot { property, is },
                other => other,
            },
            3 => Step::HasLabel { labels: vec![self.label(), self.label()] },
            4 => Step::HasLabel { labels: vec![self.label()] },
            5 => Step::HasId { ids: self.ids() },
            6 | 7 => Step::Out { labels: self.edge_labels() },
            8 | 9 => Step::In { labels: self.edge_labels() },
            10 => Step::Both { labels: self.edge_labels() },
            11 => {
                *kind = Kind::Edges;
                match self.random.below(3) {
                    0 => Step::OutEdges { labels: self.edge_labels() },
                    1 => Step::InEdges { labels: self.edge_labels() },
                    _ => Step::BothEdges { labels: self.edge_labels() },
                }
            }
            12 => Step::Descendants { with_self: self.random.chance(50) },
            13 => Step::Ancestors { with_self: self.random.chance(50) },
            14 => Step::NearestAncestor { labels: vec![self.label()], condition: None },
            15 => Step::Dedup { by: self.key(false) },
            16 | 17 => {
                let (property, value_type) = self.property();
                *kind = Kind::Values(value_type);
                Step::Values { property }
            }
            18 => self.cut(),
            19 => self.end(kind),
            20 => Step::Filter { by: self.truth_key() },
            21 => self.map(kind),
            22 => Step::Union { branches: vec![self.named_branch(), self.branch(depth)] },
            30 => Step::Where { pipeline: self.named_branch() },
            31 => Step::Where { pipeline: self.condition(Kind::Nodes, depth) },
            32 => Step::WhereNot { pipeline: self.condition(Kind::Nodes, depth) },
            33 => Step::Union { branches: vec![self.some_neighbours()] },
            34 => Step::Where { pipeline: self.neighbour_with_labels() },
            35 => Step::Map { by: Key::First(self.first_ancestor()) },
            36 => Step::Coalesce { branches: self.nearest_or_itself() },
            29 => Step::And { branches: vec![self.condition(*kind, depth), self.condition(*kind, depth)] },
            23 => Step::Or { branches: vec![self.condition(*kind, depth), self.condition(*kind, depth)] },
            24 => {
                Step::Union { branches: (0..1 + self.random.below(3)).map(|_| self.branch(depth)).collect() }
            }
            25 => Step::Coalesce {
                branches: (0..1 + self.random.below(3)).map(|_| self.branch(depth)).collect(),
            },
            26 => Step::Choose {
                on: Steps(vec![Step::Values { property: "ORDER".into() }]),
                cases: vec![Case { is: self.number_predicate(), then: self.branch(depth) }],
                otherwise: self.random.chance(50).then(|| self.branch(depth)),
            },
            27 => {
                let condition = Some(self.condition(Kind::Nodes, depth));
                let labels = if self.random.chance(50) { vec![self.label()] } else { vec![] };
                Step::NearestAncestor { labels, condition }
            }
            _ => Step::Repeat(self.repeat(depth)),
        }
    }

    fn map(&mut self, kind: &mut Kind) -> Step {
        let (by, value_type) = match self.random.below(2) {
            0 => (self.whole_key(), ValueType::I64),
            _ => (self.text_key(), ValueType::String),
        };
        *kind = Kind::Values(value_type);
        Step::Map { by }
    }

    fn branch(&mut self, depth: usize) -> Steps {
        self.steps(Kind::Nodes, Some(Kind::Nodes), depth)
    }

    fn repeat(&mut self, depth: usize) -> Repeat {
        let mut body = self.branch(depth);
        if body.0.is_empty() {
            body.0.push(Step::Out { labels: vec![AST.into()] });
        }
        let dedup = self.random.chance(50);
        let times = (!dedup || self.random.chance(30)).then(|| self.random.below(4) as u32);
        let maybe = |generator: &mut Self| {
            generator.random.chance(30).then(|| generator.condition(Kind::Nodes, depth))
        };
        Repeat {
            body,
            times,
            until: maybe(self),
            whilst: maybe(self),
            emit: match self.random.below(4) {
                0 => None,
                1 => Some(Emit::All),
                2 => Some(Emit::AllButFirst),
                _ => Some(Emit::Where(self.condition(Kind::Nodes, depth))),
            },
            dedup,
            order: if self.random.chance(50) { WalkOrder::Depth } else { WalkOrder::Breadth },
        }
    }

    fn edge_step(&mut self, kind: &mut Kind, _depth: usize) -> Step {
        match self.random.below(6) {
            0 | 1 => {
                *kind = Kind::Nodes;
                Step::Source {}
            }
            2 | 3 => {
                *kind = Kind::Nodes;
                Step::Target {}
            }
            4 if self.model.edge_labels().contains(RandomGraph::EDGE_PROPERTY_LABEL) => {
                let property = RandomGraph::EDGE_PROPERTY_NAME.to_owned();
                match self.random.below(3) {
                    0 => Step::Has { property, is: None },
                    1 => Step::HasNot { property, is: Some(self.text_predicate()) },
                    _ => {
                        *kind = Kind::Values(ValueType::String);
                        Step::Values { property }
                    }
                }
            }
            _ => Step::Dedup { by: if self.random.chance(50) { Key::Itself } else { Key::Label } },
        }
    }

    fn value_step(&mut self, kind: &mut Kind, value_type: ValueType) -> Step {
        let is_text = value_type == ValueType::String;
        let is_float = matches!(value_type, ValueType::F32 | ValueType::F64);
        match self.random.below(6) {
            0 if is_text => Step::Is { is: self.text_predicate() },
            0 => Step::Is { is: self.number_predicate() },
            1 => Step::Dedup { by: Key::Itself },
            2 => self.cut(),
            3 if !is_text => {
                *kind = Kind::End;
                // A mean of floats is left out, because it depends on the order in which the floats are
                // added.
                let others = if is_float { &[][..] } else { &[Step::Mean {}] };
                self.random.pick(&[&[Step::Min {}, Step::Max {}], others].concat())
            }
            4 => {
                *kind = Kind::End;
                Step::GroupCount { by: Key::Itself }
            }
            _ => {
                *kind = Kind::End;
                Step::Count {}
            }
        }
    }

    /// A step that drops the first rows, or all rows after the first ones. Only for rows whose order is
    /// specified.
    fn cut(&mut self) -> Step {
        let count = self.random.below(10) as u64;
        if self.random.chance(50) { Step::Limit { count } } else { Step::Skip { count } }
    }

    fn end(&mut self, kind: &mut Kind) -> Step {
        if self.random.chance(20) {
            return Step::Order { by: self.key(true), descending: self.random.chance(50) };
        }
        *kind = Kind::End;
        match self.random.below(if self.in_condition { 3 } else { 5 }) {
            0 => Step::Count {},
            1 => Step::GroupCount { by: self.key(false) },
            2 if self.random.chance(30) => Step::Columns { columns: self.found_keys() },
            2 => {
                let (key, list) = (self.key(false), Key::List(self.nodes_of_key()));
                let last = if self.random.chance(50) { list.named("nodes") } else { Key::Itself };
                Step::Columns { columns: vec![Key::Itself, Key::Label, key, last] }
            }
            3 => Step::Path {},
            _ => {
                *kind = Kind::Nodes;
                Step::SimplePath {}
            }
        }
    }

    /// The pipeline of a key that gives nodes.
    fn nodes_of_key(&mut self) -> Steps {
        let before = std::mem::replace(&mut self.in_condition, true);
        let steps = self.steps(Kind::Nodes, Some(Kind::Nodes), 1);
        self.in_condition = before;
        steps
    }

    /// Properties of the nodes that one search finds for several keys.
    fn found_keys(&mut self) -> Vec<Key> {
        let search = match self.random.below(3) {
            0 => self.first_ancestor(),
            1 => Steps(vec![Step::Coalesce { branches: self.nearest_or_itself() }]),
            _ => self.nodes_of_key(),
        };
        let key = |generator: &mut Self| {
            let (property, value_type) = generator.property();
            let found = Key::First(Steps([&search.0[..], &[Step::Values { property }]].concat()));
            match value_type {
                _ if generator.random.chance(30) => found,
                ValueType::String => Key::first_of([found, Key::constant("none")]),
                ValueType::F32 | ValueType::F64 => Key::first_of([found, Key::constant(-1.5)]),
                // A constant is a number with a sign, which has no room for all values.
                ValueType::U64 => found,
                _ => Key::first_of([found, Key::constant(-1)]),
            }
        };
        (0..2 + self.random.below(3)).map(|_| key(self)).collect()
    }

    fn key(&mut self, is_sorted: bool) -> Key {
        match self.random.below(10) {
            7 => self.truth_key(),
            8 => self.whole_key(),
            9 => self.text_key(),
            5 => Key::Exists(self.condition(Kind::Nodes, 1)),
            6 => Key::First(self.nodes_of_key()).named("node it"),
            0 => Key::Itself,
            1 if !is_sorted => Key::Label,
            2 if !self.in_condition => Key::Depth,
            3 => Key::Property(self.random.pick(&["NAME", "CODE", "FULL_NAME"]).into()),
            _ => Key::Property(self.random.pick(&["ORDER", "I8", "U64", "F64"]).into()),
        }
    }

    /// A function of keys that is true or false.
    fn truth_key(&mut self) -> Key {
        match self.random.below(7) {
            0 => Key::equal(self.text_key(), self.text_key()),
            5 => self.part_key(),
            1 => Key::less(self.text_key(), "CODE"),
            2 => Key::at_least(self.whole_key(), self.whole_key()),
            3 => Key::test(self.text_key(), self.text_predicate()),
            4 => Key::not(self.truth_key()),
            _ => {
                let keys = [self.truth_key(), Key::test("ORDER", self.number_predicate())];
                if self.random.chance(50) { Key::and(keys) } else { Key::or(keys) }
            }
        }
    }

    /// Whether a text contains another, begins with it or ends with it.
    fn part_key(&mut self) -> Key {
        let text = self.text_key();
        let part = match self.random.chance(50) {
            true => Key::constant(self.some_text().chars().take(2).collect::<String>()),
            false => self.text_key(),
        };
        match self.random.below(3) {
            0 => Key::contains(text, part),
            1 => Key::starts_with(text, part),
            _ => Key::ends_with(text, part),
        }
    }

    fn whole_key(&mut self) -> Key {
        match self.random.below(7) {
            0 => Key::length(self.text_key()),
            5 => Key::add("ORDER", self.folded_key(Step::Count {})),
            6 => {
                let fold = self.random.pick(&[Step::Sum {}, Step::Min {}, Step::Max {}]);
                Key::add("ORDER", self.folded_key(fold))
            }
            1 => Key::add("ORDER", self.whole_key()),
            2 => Key::subtract(Key::constant(3), "I8"),
            3 => Key::first_of([Key::from("I8"), Key::constant(-1)]),
            _ => Key::add("ORDER", "I8"),
        }
    }

    /// The result of a step that folds the values of nodes near the row.
    fn folded_key(&mut self, fold: Step) -> Key {
        let mut steps = self.nodes_of_key();
        steps.0.extend([Step::Values { property: "ORDER".into() }, fold]);
        Key::First(steps)
    }

    fn text_key(&mut self) -> Key {
        match self.random.below(8) {
            6 => Key::first_of([self.random.pick(&["NAME", "CODE"]).into(), Key::constant(self.some_text())]),
            7 => {
                let mut steps = self.nodes_of_key();
                steps.0.push(Step::Map { by: Key::first_of([Key::from("NAME"), Key::constant("none")]) });
                Key::first_of([Key::First(steps), Key::constant("none")])
            }
            0 => Key::lower(self.random.pick(&TEXTS)),
            1 => Key::upper(self.text_key()),
            2 => Key::concat([self.text_key(), Key::constant("-"), Key::from("ORDER")]),
            3 => Key::split(self.text_key(), "a", self.random.below(2) as u32),
            4 => Key::first_of([Key::from("NAME"), Key::from("CODE"), Key::constant("none")]),
            _ => Key::Property(self.random.pick(&["NAME", "CODE", "FULL_NAME"]).into()),
        }
    }

    /// Steps that lead back to the row with which they begin.
    fn named_branch(&mut self) -> Steps {
        let hop = self.weak_hop();
        let (name, back) = ("row".to_owned(), Step::Select { name: "row".into() });
        let by = match self.random.chance(50) {
            true => self.truth_key(),
            false => {
                let order = Step::Values { property: "ORDER".into() };
                Key::at_least("ORDER", Key::First(Steps(vec![back.clone(), order])))
            }
        };
        Steps(vec![Step::As { name }, hop, Step::Filter { by }, back])
    }

    /// A hop that gives some neighbours of a row.
    fn some_neighbours(&mut self) -> Steps {
        let hop = match self.random.below(3) {
            0 => Step::Out { labels: self.edge_labels() },
            1 => Step::In { labels: self.edge_labels() },
            _ => Step::Both { labels: self.edge_labels() },
        };
        let some = match self.random.chance(50) {
            true => Step::Limit { count: self.random.below(4) as u64 },
            false => Step::Dedup { by: Key::Itself },
        };
        Steps(vec![hop, some])
    }

    /// Steps that lead to neighbours whose labels pass one or two tests, or that count them.
    fn neighbour_with_labels(&mut self) -> Steps {
        let hop = Step::Both { labels: self.edge_labels() };
        let test = |generator: &mut Self| {
            let labels = (0..1 + generator.random.below(3)).map(|_| generator.label()).collect();
            Step::HasLabel { labels }
        };
        let mut steps = vec![hop, test(self)];
        match self.random.below(3) {
            0 => steps.push(test(self)),
            1 => steps.extend([test(self), self.has()]),
            _ => steps.extend([
                Step::Dedup { by: Key::Itself },
                Step::Count {},
                Step::Is { is: self.number_predicate() },
            ]),
        }
        Steps(steps)
    }

    /// Steps that lead to the first ancestor with a label.
    fn first_ancestor(&mut self) -> Steps {
        let ancestors = Step::Ancestors { with_self: self.random.chance(50) };
        Steps(vec![ancestors, Step::HasLabel { labels: vec![self.label()] }, Step::Limit { count: 1 }])
    }

    /// Branches that lead to the node itself if it has a label, and otherwise to an ancestor.
    fn nearest_or_itself(&mut self) -> Vec<Steps> {
        let labels = vec![self.label()];
        let itself = Step::HasLabel { labels: labels.clone() };
        [itself, Step::NearestAncestor { labels, condition: None }].map(|step| Steps(vec![step])).into()
    }

    fn property(&mut self) -> (String, ValueType) {
        if self.random.chance(50) {
            return (self.random.pick(&TEXTS).into(), ValueType::String);
        }
        let (name, value_type) = self.random.pick(&NUMBERS);
        (name.into(), value_type)
    }

    fn has(&mut self) -> Step {
        let (property, value_type) = self.property();
        let is = match value_type {
            _ if self.random.chance(10) => None,
            ValueType::String => Some(self.text_predicate()),
            _ => Some(self.number_predicate()),
        };
        Step::Has { property, is }
    }

    fn some_text(&mut self) -> String {
        let nodes = self.model.nodes();
        let property = self.random.pick(&TEXTS);
        let texts: Vec<String> = nodes
            .iter()
            .flat_map(|node| self.model.values(*node, property))
            .filter_map(|value| match value {
                Value::String(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        if texts.is_empty() { "x".into() } else { self.random.pick(&texts) }
    }

    fn text_predicate(&mut self) -> Predicate {
        let text = self.some_text();
        let part = |from: usize, to: usize| text.chars().skip(from).take(to).collect::<String>();
        match self.random.below(8) {
            0 => Predicate::Ne(text.as_str().into()),
            1 => Predicate::OneOf(vec![text.as_str().into(), self.some_text().into()]),
            2 => Predicate::NoneOf(vec![text.as_str().into(), "nothing".into()]),
            3 => Predicate::Prefix(part(0, 2)),
            4 => Predicate::Suffix(part(1, 100)),
            5 => Predicate::Contains(part(1, 2)),
            6 => Predicate::Regex(format!("{}.*|[a-m]+", regex::escape(&part(0, 1)))),
            _ => Predicate::Eq(text.into()),
        }
    }

    fn number(&mut self) -> Literal {
        match self.random.below(14) {
            0 => Literal::Float(0.5),
            1 => Literal::Int(-1),
            2 => Literal::Uint(u64::MAX),
            3 => Literal::Int(i64::MIN),
            4 => Literal::Float(-1e30),
            // A float that is close to a 32-bit float, and that 32-bit float itself.
            5 => Literal::Float(0.1),
            6 => Literal::Float(0.1f32.into()),
            // A whole number that no 64-bit float equals.
            7 => Literal::Int(i64::MAX),
            8 => Literal::Float(f64::MAX),
            9 => self.some_number(),
            _ => Literal::Int(self.random.below(40) as i64),
        }
    }

    /// A number that some node has as a value.
    fn some_number(&mut self) -> Literal {
        let (property, _) = self.random.pick(&NUMBERS);
        let nodes = self.model.nodes();
        let literal = |value: &Value| match *value {
            Value::I8(number) => Some(Literal::Int(number.into())),
            Value::I16(number) => Some(Literal::Int(number.into())),
            Value::I32(number) => Some(Literal::Int(number.into())),
            Value::I64(number) => Some(Literal::Int(number)),
            Value::U8(number) => Some(Literal::Int(number.into())),
            Value::U16(number) => Some(Literal::Int(number.into())),
            Value::U32(number) => Some(Literal::Int(number.into())),
            Value::U64(number) => Some(Literal::from(number)),
            Value::F32(number) if number.is_finite() => Some(Literal::Float(number.into())),
            Value::F64(number) if number.is_finite() => Some(Literal::Float(number)),
            _ => None,
        };
        let values = nodes.iter().flat_map(|node| self.model.values(*node, property));
        let numbers: Vec<Literal> = values.filter_map(literal).collect();
        if numbers.is_empty() { Literal::Int(7) } else { self.random.pick(&numbers) }
    }

    fn number_predicate(&mut self) -> Predicate {
        let (a, b) = (self.number(), self.number());
        match self.random.below(11) {
            9 => Predicate::NoneOf(vec![a, b]),
            10 => Predicate::Inside([a, b]),
            0 => Predicate::Ne(a),
            1 => Predicate::OneOf(vec![a, b]),
            2 => Predicate::Lt(a),
            3 => Predicate::Lte(a),
            4 => Predicate::Gt(a),
            5 => Predicate::Gte(a),
            6 => Predicate::Between([a, b]),
            7 => Predicate::Outside([a, b]),
            _ => Predicate::Eq(a),
        }
    }
}
