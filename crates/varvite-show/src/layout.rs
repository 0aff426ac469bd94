//! [`Layout`]: the columns that a listing can have. Some are the caller's own, the others exist for every
//! node.
//!
//! The columns of a node are its id, its labels, its location in the source (`file`, `line`, `method` and,
//! for human readers, `location`), and every property of the graph. A row may show two nodes, such as the
//! ends of an edge; the columns of each then have a prefix.

use std::borrow::Cow;

use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::{Site, SiteCursor, Sites};

use crate::error::{Result, ShowError};
use crate::label_names::LabelNames;
use crate::output::{Cell, Column, Format, is_number};

/// The columns that rows about nodes can have: the caller's own columns, and fields and properties of the
/// nodes.
///
/// The leading columns are always shown. The other columns are shown unless a [`Selection`](crate::Selection)
/// names columns, which may be any property of the graph. A column is not opened before it is chosen.
///
/// # Panics
/// Methods with a parameter `node` (the number of a node in the row, from 0) panic if rows have no node of
/// this number.
pub struct Layout<'g> {
    graph: &'g Graph,
    own: Vec<Column>,
    /// For each node in a row, the prefix of its column names.
    prefixes: Vec<&'static str>,
    /// A sample of the nodes to show, if given. Columns without a value in the sample are left out.
    sample: Option<Vec<u32>>,
    /// Columns that are always shown.
    leading: Vec<Offer>,
    /// Columns that are shown unless the selection names columns.
    usual: Vec<Offer>,
    /// The labels of nodes. Opened when a column needs them, as are `sites` and `properties`.
    labels: Option<LabelNames>,
    sites: Option<Sites>,
    /// The folder that is prepended to relative file names.
    root: Option<String>,
    /// The opened properties, each with the title of its column.
    properties: Vec<(String, Property)>,
}

/// A column that a listing can have.
#[derive(Clone, Debug)]
enum Offer {
    /// A column of the caller, by its index.
    Own(usize),
    /// A field of a node of the row.
    Field(usize, Field),
    /// A field of a node of the row. It is shown only if the graph has columns for the field or, with
    /// `asks_sample`, if a node of the sample has a value for it.
    Known { node: usize, field: Field, asks_sample: bool },
    /// A property of a node of the row. It is shown only if the graph has it.
    Property { node: usize, name: String, title: String },
}

/// The source of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A column of the caller, by its index.
    Own(usize),
    /// A field of a node of the row.
    Of(usize, Field),
    /// A property of a node of the row: the number of the node, and the index of the property in the layout.
    Property(usize, usize),
}

/// Fields that every node can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The node's id.
    Node,
    /// The node's labels, joined by `&`.
    Label,
    /// The file that contains the node.
    File,
    /// The node's line, from 1.
    Line,
    /// The FULL_NAME of the METHOD that contains the node, or of the node itself if it is a METHOD.
    Method,
    /// The same as `Method`, under a title that says how the METHOD relates to the node.
    MethodAs(&'static str),
    /// File and line in one text, in a form that editors and terminals recognize.
    Location,
}

/// A prefix of column names that selects a property, as in `property:label`, if a column of another kind has
/// the same name.
const OF_PROPERTY: &str = "property:";

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

    /// Whether `site`, the location of `node`, has a value for this field. A METHOD that is the node itself
    /// does not count as a value.
    fn is_known(self, node: u32, site: Site<'_>) -> bool {
        match self {
            Self::File => site.file.is_some(),
            Self::Line => site.line.is_some(),
            Self::Location => site.file.is_some() || site.line.is_some(),
            _ => site.method.is_some_and(|method| method != node),
        }
    }
}

impl<'g> Layout<'g> {
    /// Makes a layout for rows with as many nodes as there are prefixes. The names of a node's columns begin
    /// with its prefix: `""` for the only node of a row, `"source_"` and `"target_"` for the ends of an edge.
    pub fn new(graph: &'g Graph, prefixes: &[&'static str]) -> Self {
        Self {
            graph,
            own: Vec::new(),
            prefixes: prefixes.to_vec(),
            sample: None,
            leading: Vec::new(),
            usual: Vec::new(),
            labels: None,
            sites: None,
            root: None,
            properties: Vec::new(),
        }
    }

    /// Adds a column of the caller, which is always shown. The caller's columns are numbered in the order in
    /// which they are added.
    #[must_use]
    pub fn lead_with(mut self, column: Column) -> Self {
        self.leading.push(Offer::Own(self.own.len()));
        self.own.push(column);
        self
    }

    /// Adds a field of a node, which is always shown.
    #[must_use]
    pub fn lead_with_field(mut self, node: usize, field: Field) -> Self {
        self.leading.push(Offer::Field(node, field));
        self
    }

    /// Adds a column of the caller, which is shown unless the selection names columns.
    #[must_use]
    pub fn show_own(mut self, column: Column) -> Self {
        self.usual.push(Offer::Own(self.own.len()));
        self.own.push(column);
        self
    }

    /// Adds fields of a node, which are shown unless the selection names columns.
    #[must_use]
    pub fn show_fields(mut self, node: usize, fields: &[Field]) -> Self {
        self.usual.extend(fields.iter().map(|field| Offer::Field(node, *field)));
        self
    }

    /// Adds the location and the code of one end of an edge, for human readers.
    pub(crate) fn show_end(self, node: usize) -> Self {
        self.show_fields(node, &[Field::Location]).show_property(node, "CODE", "code")
    }

    /// Sets a sample of nodes. Properties that no node of the sample has are left out; in tables, so are
    /// locations.
    pub(crate) fn of_sample(self, sample: Vec<u32>) -> Self {
        Self { sample: Some(sample), ..self }
    }

    /// Adds those parts of a node's location that the graph has. Tables have one column for file and line,
    /// and leave out the METHOD if each node is itself a METHOD.
    #[must_use]
    pub fn show_site(mut self, node: usize, format: Format) -> Self {
        let (fields, asks_sample): (&[Field], bool) = match format {
            Format::Table => (&[Field::Location, Field::Method], true),
            _ => (&[Field::File, Field::Line, Field::Method], false),
        };
        self.usual.extend(fields.iter().map(|field| Offer::Known { node, field: *field, asks_sample }));
        self
    }

    /// Adds the METHOD that contains a node, or the node itself if it is a METHOD, under the given title.
    #[must_use]
    pub fn show_method(self, node: usize, title: &'static str) -> Self {
        self.show_fields(node, &[Field::MethodAs(title)])
    }

    /// Adds a property of a node under the given title, if the graph has the property.
    #[must_use]
    pub fn show_property(mut self, node: usize, name: &str, title: &str) -> Self {
        let (name, title) = (name.to_owned(), format!("{}{title}", self.prefixes[node]));
        self.usual.push(Offer::Property { node, name, title });
        self
    }

    /// Adds the properties of a node that have these names, as far as the graph has them. Their names become
    /// the titles.
    #[must_use]
    pub fn show_properties(self, node: usize, names: &[&str]) -> Self {
        names.iter().fold(self, |layout, name| layout.show_property(node, name, name))
    }

    /// The columns to show: first the leading columns, then the named columns or, if `names` is empty, the
    /// usual ones.
    pub(crate) fn chosen(&mut self, names: &[String]) -> Result<Vec<Source>> {
        let mut shown = self.opened(&self.leading.clone())?;
        match names {
            [] => shown.extend(self.opened(&self.usual.clone())?),
            names => {
                for name in names {
                    // A column is shown once, even if it is chosen twice or is a leading column.
                    let source = self.source(name)?;
                    if !shown.iter().any(|known| self.is_same(*known, source)) {
                        shown.push(source);
                    }
                }
            }
        }
        Ok(shown)
    }

    /// Whether two columns show the same field or property.
    fn is_same(&self, one: Source, other: Source) -> bool {
        match (one, other) {
            (Source::Property(node, one), Source::Property(of, other)) => {
                node == of && self.properties[one].0 == self.properties[other].0
            }
            (one, other) => one == other,
        }
    }

    /// The columns, with unique titles: if two columns are titled `node`, the second becomes `node_2`. In
    /// JSON, only the title identifies a cell.
    pub(crate) fn columns(&self, sources: &[Source]) -> Vec<Column> {
        let mut columns: Vec<Column> = sources.iter().map(|source| self.column(*source)).collect();
        Column::with_own_names(&mut columns);
        columns
    }

    /// The column of this name: a column of the caller, a field, or a property of the graph.
    pub(crate) fn source(&mut self, name: &str) -> Result<Source> {
        let offers = self.leading.iter().chain(&self.usual);
        if let Some(offer) = offers.clone().find(|offer| self.title_of(offer) == name).cloned()
            && let Some(source) = self.opened_as_named(&offer)?
        {
            return Ok(source);
        }
        let prefixes = self.prefixes.iter().copied().enumerate();
        let named = prefixes.filter_map(|(node, prefix)| Some((node, name.strip_prefix(prefix)?)));
        let Some((node, property)) = named.into_iter().next() else { return Err(self.no_column(name)) };
        if let Some(property) = property.strip_prefix(OF_PROPERTY) {
            let title = format!("{}{property}", self.prefixes[node]);
            return Ok(self.with_property(node, title, self.graph.property(property)?));
        }
        if let Some((_, field)) = Field::NAMED.iter().find(|(known, _)| *known == property) {
            self.open(*field)?;
            return Ok(Source::Of(node, *field));
        }
        Ok(self.with_property(node, name.to_owned(), self.graph.property(property)?))
    }

    fn no_column(&self, name: &str) -> ShowError {
        let known = self.leading.iter().chain(&self.usual).filter(|offer| match offer {
            Offer::Property { name, .. } => self.graph.property(name).is_ok(),
            _ => true,
        });
        let known = known.map(|offer| self.title_of(offer)).collect();
        ShowError::NoColumn { name: name.to_owned(), known }
    }

    /// Opens columns. Columns without values in the graph or in the sample are left out.
    fn opened(&mut self, offers: &[Offer]) -> Result<Vec<Source>> {
        let opened = offers.iter().map(|offer| self.opened_if_known(offer));
        opened.filter_map(Result::transpose).collect()
    }

    fn opened_if_known(&mut self, offer: &Offer) -> Result<Option<Source>> {
        let source = self.opened_as_named(offer)?;
        let is_known = match (offer, source) {
            (Offer::Known { field, asks_sample, .. }, _) => self.knows(*field, *asks_sample),
            (Offer::Property { .. }, Some(Source::Property(_, index))) => {
                let property = &self.properties[index].1;
                self.sample.as_ref().is_none_or(|sample| sample.iter().any(|node| property.is_present(*node)))
            }
            _ => true,
        };
        Ok(source.filter(|_| is_known))
    }

    /// Opens the column of an offer, whether or not it has values. `None` for a property that the graph
    /// lacks.
    fn opened_as_named(&mut self, offer: &Offer) -> Result<Option<Source>> {
        match *offer {
            Offer::Own(index) => Ok(Some(Source::Own(index))),
            Offer::Field(node, field) | Offer::Known { node, field, .. } => {
                self.open(field)?;
                Ok(Some(Source::Of(node, field)))
            }
            Offer::Property { node, ref name, ref title } => {
                let found = optional(self.graph.property(name))?;
                Ok(found.map(|property| self.with_property(node, title.clone(), property)))
            }
        }
    }

    fn with_property(&mut self, node: usize, title: String, property: Property) -> Source {
        self.properties.push((title, property));
        Source::Property(node, self.properties.len() - 1)
    }

    /// Whether the graph has the columns that a field of locations needs. With `asks_sample`, whether any
    /// node of the sample has a value for the field; a METHOD that is the node itself does not count.
    fn knows(&self, field: Field, asks_sample: bool) -> bool {
        let Some(sites) = &self.sites else { return false };
        if let Some(sample) = self.sample.as_ref().filter(|_| asks_sample) {
            let mut cursor = sites.cursor();
            return sample.iter().any(|node| field.is_known(*node, cursor.at(*node)));
        }
        match field {
            Field::File => sites.has_files(),
            Field::Line => sites.has_lines(),
            Field::Location => sites.has_files() || sites.has_lines(),
            _ => sites.has_methods(),
        }
    }

    /// Prepends the root folder of the source (ROOT of META_DATA) to file names.
    pub(crate) fn with_root(&mut self) -> Result<()> {
        let (roots, nodes) = (self.graph.property("ROOT")?, self.graph.nodes("META_DATA")?);
        let root = nodes.iter().find_map(|node| roots.str(node)).map(String::from);
        self.root = root.filter(|root| !root.is_empty()).map(|mut root| {
            if !root.ends_with(['/', '\\']) {
                root.push('/');
            }
            root
        });
        Ok(())
    }

    /// The name of a file, with the root folder of the source if [`Layout::with_root`] set it.
    fn path_of<'f>(&self, file: &'f str) -> Cow<'f, str> {
        let is_absolute = file.starts_with(['/', '\\', '<']) || file.as_bytes().get(1) == Some(&b':');
        match &self.root {
            Some(root) if !is_absolute => format!("{root}{file}").into(),
            _ => file.into(),
        }
    }

    /// Opens the columns that a field needs.
    fn open(&mut self, field: Field) -> Result<()> {
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

    /// The title and the alignment of a column.
    pub(crate) fn column(&self, source: Source) -> Column {
        let title = self.title(source);
        match source {
            Source::Own(index) => self.own[index].clone(),
            Source::Of(_, Field::Node) => Column::node(self.graph, title),
            Source::Of(_, Field::Line) => Column::number(title),
            Source::Of(_, Field::Location) => Column::text(title).whole(),
            Source::Property(_, index) if is_number(&self.properties[index].1) => Column::number(title),
            Source::Of(..) | Source::Property(..) => Column::text(title),
        }
    }

    fn title(&self, source: Source) -> String {
        match source {
            Source::Own(index) => self.own[index].name().to_owned(),
            Source::Property(_, index) => self.properties[index].0.clone(),
            Source::Of(node, field) => self.title_of_field(node, field),
        }
    }

    fn title_of(&self, offer: &Offer) -> String {
        match offer {
            Offer::Own(index) => self.own[*index].name().to_owned(),
            Offer::Field(node, field) | Offer::Known { node, field, .. } => {
                self.title_of_field(*node, *field)
            }
            Offer::Property { title, .. } => title.clone(),
        }
    }

    fn title_of_field(&self, node: usize, field: Field) -> String {
        if let Field::MethodAs(title) = field {
            return title.to_owned();
        }
        let name = Field::NAMED.iter().find(|(_, named)| *named == field).map_or("", |(name, _)| name);
        format!("{}{name}", self.prefixes[node])
    }

    /// The labels of nodes. `None` unless a column shows them.
    pub(crate) fn labels(&self) -> Option<&LabelNames> {
        self.labels.as_ref()
    }

    /// An opened property, by its index in [`Source::Property`].
    pub(crate) fn property(&self, index: usize) -> &Property {
        &self.properties[index].1
    }

    /// Makes a cursor for each node of a row.
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
    /// The cell of a column for a node; null for a column of the caller.
    #[inline]
    pub(crate) fn read(&mut self, node: u32, source: Source) -> Cell<'_> {
        match source {
            Source::Of(_, field) => self.cell(node, field),
            Source::Property(_, index) => Cell::of_owner(&self.layout.properties[index].1, node),
            Source::Own(_) => Cell::Null,
        }
    }

    /// A field of a node.
    fn cell(&mut self, node: u32, field: Field) -> Cell<'_> {
        match field {
            Field::Node => node.into(),
            Field::Label => Cell::of_text(self.layout.labels.as_ref().map(|labels| labels.of_node(node))),
            site => self.site_cell(node, site),
        }
    }

    fn site_cell(&mut self, node: u32, field: Field) -> Cell<'_> {
        let (Some(cursor), layout) = (&mut self.site, self.layout) else { return Cell::Null };
        let site = cursor.at(node);
        let path = |file| match layout.path_of(file) {
            Cow::Borrowed(file) => Cell::of_text(Some(file)),
            Cow::Owned(path) => path.into(),
        };
        match (field, site.file, site.line) {
            (Field::File, file, _) => file.map_or(Cell::Null, path),
            (Field::Line, _, line) => line.into(),
            (Field::Location, Some(file), Some(line)) => format!("{}:{line}", layout.path_of(file)).into(),
            (Field::Location, None, Some(line)) => format!("?:{line}").into(),
            (Field::Location, file, None) => file.map_or(Cell::Null, path),
            _ => Cell::of_text(site.method_name),
        }
    }

    /// Whether the location of every node was found.
    pub(crate) fn is_complete(&self) -> bool {
        self.site.as_ref().is_none_or(SiteCursor::is_complete)
    }
}
