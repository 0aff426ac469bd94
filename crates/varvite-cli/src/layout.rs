//! [`Layout`]: the columns that a listing can have: those of the command itself, and those that every node has.
//!
//! A node has its id, its labels, where in the source it is (`file`, `line`, `method`, and for people `location`), and
//! every property of the graph. A row may tell about two nodes, as an edge does: then a prefix says of which.

use varvite::{Graph, Property};
use varvite_cpg::{Site, SiteCursor, Sites};

use crate::failure::Failure;
use crate::label_names::LabelNames;
use crate::names::optional;
use crate::output::{Cell, Column, Format, all_of, is_number};

/// The columns that a listing can have.
pub(crate) struct Layout<'g> {
    graph: &'g Graph,
    own: Vec<Column>,
    /// What precedes the names of columns of each node of a row.
    prefixes: Vec<&'static str>,
    /// Opened when a column needs them, as the properties are.
    labels: Option<LabelNames>,
    sites: Option<Sites>,
    /// Each under the title of its column.
    properties: Vec<(String, Property)>,
    /// Nodes like those that will be shown, if that is known: a column that none of them has is left out.
    sample: Option<Vec<u32>>,
    /// Columns that are always shown.
    leading: Vec<Source>,
    /// Columns that are shown unless others are chosen.
    usual: Vec<Source>,
}

/// Where the cells of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The command, by the number of its column.
    Own(usize),
    /// A node of the row.
    Of(usize, Field),
}

/// What every node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Node,
    Label,
    File,
    Line,
    Method,
    /// The METHOD, under a title that says what it is to the node.
    MethodAs(&'static str),
    /// File and line in one, as editors and terminals can follow them.
    Location,
    /// One of the properties of the layout.
    Property(usize),
}

impl Field {
    const NAMED: [(&'static str, Self); 6] = [
        ("node", Self::Node),
        ("label", Self::Label),
        ("file", Self::File),
        ("line", Self::Line),
        ("method", Self::Method),
        ("location", Self::Location),
    ];

    fn is_site(self) -> bool {
        matches!(self, Self::File | Self::Line | Self::Method | Self::MethodAs(_) | Self::Location)
    }
}

impl<'g> Layout<'g> {
    /// A layout for rows that tell about as many nodes as there are prefixes.
    pub(crate) fn new(graph: &'g Graph, prefixes: &[&'static str]) -> Self {
        Self {
            graph,
            own: Vec::new(),
            prefixes: prefixes.to_vec(),
            labels: None,
            sites: None,
            properties: Vec::new(),
            sample: None,
            leading: Vec::new(),
            usual: Vec::new(),
        }
    }

    /// Adds a column of the command, which is always shown.
    pub(crate) fn lead_with(mut self, column: Column) -> Self {
        self.leading.push(Source::Own(self.own.len()));
        self.own.push(column);
        self
    }

    /// Adds a column of the command, which is shown unless others are chosen.
    pub(crate) fn show_own(mut self, column: Column) -> Self {
        self.usual.push(Source::Own(self.own.len()));
        self.own.push(column);
        self
    }

    /// Adds a field of a node, which is always shown.
    pub(crate) fn lead_with_field(mut self, node: usize, field: Field) -> Result<Self, Failure> {
        self.open(field)?;
        self.leading.push(Source::Of(node, field));
        Ok(self)
    }

    /// Shows fields of a node unless others are chosen.
    pub(crate) fn show_fields(mut self, node: usize, fields: &[Field]) -> Result<Self, Failure> {
        for field in fields {
            self.open(*field)?;
            self.usual.push(Source::Of(node, *field));
        }
        Ok(self)
    }

    /// Shows where one end of an edge is, and its code: for people.
    pub(crate) fn show_end(self, node: usize) -> Result<Self, Failure> {
        self.show_fields(node, &[Field::Location])?.show_property(node, "CODE", "code")
    }

    /// Leaves out properties, and for people places, that none of some nodes has.
    pub(crate) fn of_sample(self, sample: Vec<u32>) -> Self {
        Self { sample: Some(sample), ..self }
    }

    /// Shows where a node is, as far as the graph knows: for people in one column, and the METHOD unless that is the node.
    pub(crate) fn show_site(mut self, node: usize, format: Format) -> Result<Self, Failure> {
        self.open(Field::File)?;
        let Some(sites) = &self.sites else { return Ok(self) };
        let (mut files, mut lines, mut methods) = (sites.has_files(), sites.has_lines(), sites.has_methods());
        if let (Format::Table, Some(sample)) = (format, &self.sample) {
            let mut cursor = sites.cursor();
            let mut any =
                |is: fn(u32, Site<'_>) -> bool| sample.iter().any(|node| is(*node, cursor.at(*node)));
            files = files && any(|_, site| site.file.is_some());
            lines = lines && any(|_, site| site.line.is_some());
            methods = methods && any(|node, site| site.method.is_some_and(|method| method != node));
        }
        let known = match format {
            Format::Table => vec![(Field::Location, files || lines)],
            _ => vec![(Field::File, files), (Field::Line, lines)],
        };
        let known = known.into_iter().chain([(Field::Method, methods)]);
        self.usual.extend(known.filter(|(_, is_known)| *is_known).map(|(field, _)| Source::Of(node, field)));
        Ok(self)
    }

    /// Shows the METHOD that a node is or is in under a title of its own.
    pub(crate) fn show_method(mut self, node: usize, title: &'static str) -> Result<Self, Failure> {
        self.open(Field::Method)?;
        self.usual.push(Source::Of(node, Field::MethodAs(title)));
        Ok(self)
    }

    /// Shows a property of a node under a title of its own, if the graph has it.
    pub(crate) fn show_property(mut self, node: usize, name: &str, title: &str) -> Result<Self, Failure> {
        let found = optional(self.graph.property(name))?;
        let is_seen = |property: &Property| match &self.sample {
            Some(sample) => sample.iter().any(|node| property.is_present(*node)),
            None => true,
        };
        if let Some(property) = found.filter(is_seen) {
            self.properties.push((title.to_owned(), property));
            self.usual.push(Source::Of(node, Field::Property(self.properties.len() - 1)));
        }
        Ok(self)
    }

    /// Shows properties of a node under their own names, as far as the graph has them.
    pub(crate) fn show_properties(self, node: usize, names: &[&str]) -> Result<Self, Failure> {
        names.iter().try_fold(self, |layout, name| layout.show_property(node, name, name))
    }

    /// The columns to show: those that lead, and those of these names or, without any, the usual ones.
    pub(crate) fn chosen(&mut self, names: &[String]) -> Result<Vec<Source>, Failure> {
        let mut shown = self.leading.clone();
        match names {
            [] => shown.extend(&self.usual),
            names => {
                for name in names {
                    shown.push(self.source(name)?);
                }
            }
        }
        Ok(shown)
    }

    /// The column of a name: one of the command, a field, or a property of the graph.
    pub(crate) fn source(&mut self, name: &str) -> Result<Source, Failure> {
        if let Some(own) = self.own.iter().position(|column| column.name() == name) {
            return Ok(Source::Own(own));
        }
        let known = self.leading.iter().chain(&self.usual).copied();
        if let Some(source) = known.into_iter().find(|source| self.title(*source) == name) {
            return Ok(source);
        }
        let prefixes = self.prefixes.iter().copied().enumerate();
        let named = prefixes.filter_map(|(node, prefix)| Some((node, name.strip_prefix(prefix)?)));
        let Some((node, name)) = named.into_iter().next() else { return Err(self.no_column(name)) };
        let field = match Field::NAMED.iter().find(|(known, _)| *known == name) {
            Some((_, field)) => *field,
            None => {
                self.properties.push((name.to_owned(), self.graph.property(name)?));
                Field::Property(self.properties.len() - 1)
            }
        };
        self.open(field)?;
        Ok(Source::Of(node, field))
    }

    fn no_column(&self, name: &str) -> Failure {
        let known = self.leading.iter().chain(&self.usual).map(|source| self.title(*source));
        let known = known.collect::<Vec<_>>().join(", ");
        Failure::Usage(format!("there is no column {name:?} here: there are {known}"))
    }

    /// Opens what a field is read from.
    fn open(&mut self, field: Field) -> Result<(), Failure> {
        if field == Field::Label && self.labels.is_none() {
            self.labels = Some(LabelNames::of(self.graph)?);
        }
        if field.is_site() && self.sites.is_none() {
            self.sites = Some(Sites::open(self.graph)?);
        }
        Ok(())
    }

    /// The graph.
    pub(crate) fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// The title of a column, and how it is aligned.
    pub(crate) fn column(&self, source: Source) -> Column {
        let title = self.title(source);
        match source {
            Source::Own(index) => self.own[index].clone(),
            Source::Of(_, Field::Node) => Column::node(self.graph, title),
            Source::Of(_, Field::Line) => Column::number(title),
            Source::Of(_, Field::Property(index)) if is_number(&self.properties[index].1) => {
                Column::number(title)
            }
            Source::Of(..) => Column::text(title),
        }
    }

    fn title(&self, source: Source) -> String {
        match source {
            Source::Own(index) => self.own[index].name().to_owned(),
            Source::Of(node, Field::Property(index)) => {
                format!("{}{}", self.prefixes[node], self.properties[index].0)
            }
            Source::Of(_, Field::MethodAs(title)) => title.to_owned(),
            Source::Of(node, field) => {
                let name =
                    Field::NAMED.iter().find(|(_, named)| *named == field).map_or("", |(name, _)| name);
                format!("{}{name}", self.prefixes[node])
            }
        }
    }

    /// A cursor for each node of a row.
    pub(crate) fn cursors(&self) -> Vec<NodeCursor<'_>> {
        let cursor =
            |_: &&'static str| NodeCursor { layout: self, site: self.sites.as_ref().map(Sites::cursor) };
        self.prefixes.iter().map(cursor).collect()
    }
}

/// Reads the fields of one node after another.
pub(crate) struct NodeCursor<'l> {
    layout: &'l Layout<'l>,
    site: Option<SiteCursor<'l>>,
}

impl NodeCursor<'_> {
    /// A field of a node.
    pub(crate) fn cell(&mut self, node: u32, field: Field) -> Cell<'_> {
        match field {
            Field::Node => node.into(),
            Field::Label => Cell::of_text(self.layout.labels.as_ref().map(|labels| labels.of_node(node))),
            Field::Property(index) => all_of(&self.layout.properties[index].1, node),
            site => self.site_cell(node, site),
        }
    }

    fn site_cell(&mut self, node: u32, field: Field) -> Cell<'_> {
        let Some(cursor) = &mut self.site else { return Cell::Null };
        let site = cursor.at(node);
        match (field, site.file, site.line) {
            (Field::File, file, _) => Cell::of_text(file),
            (Field::Line, _, line) => line.into(),
            (Field::Location, Some(file), Some(line)) => format!("{file}:{line}").into(),
            (Field::Location, None, Some(line)) => format!("?:{line}").into(),
            (Field::Location, file, None) => Cell::of_text(file),
            _ => Cell::of_text(site.method_name),
        }
    }

    /// Whether every node was placed.
    pub(crate) fn is_complete(&self) -> bool {
        self.site.as_ref().is_none_or(SiteCursor::is_complete)
    }
}
