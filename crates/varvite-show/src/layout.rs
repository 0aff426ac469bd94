//! [`Layout`]: the columns that a listing can have: those of the caller, and those that every node has.
//!
//! A node has its id, its labels, its place in the source (`file`, `line`, `method`, and for people
//! `location`), and every property of the graph. A row may show two nodes, such as the ends of an edge: a
//! prefix of the column then distinguishes them.

use std::borrow::Cow;

use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::{Site, SiteCursor, Sites};

use crate::error::{Result, ShowError};
use crate::label_names::LabelNames;
use crate::output::{Cell, Column, Format, is_number};

/// The columns that rows about nodes can have: own ones of the caller, fields of the nodes, and properties of
/// these.
///
/// The leading columns are always shown; the others unless a [`Selection`](crate::Selection) names columns,
/// which may be any property of the graph. Nothing is opened for a column before it is chosen.
///
/// # Panics
/// Methods that take a node (its number among the nodes of a row, from 0) panic if rows have fewer nodes.
pub struct Layout<'g> {
    graph: &'g Graph,
    own: Vec<Column>,
    /// The prefix of the column names for each node of a row.
    prefixes: Vec<&'static str>,
    /// A sample of the nodes to show, if there is one: a column without a value in the sample is left out.
    sample: Option<Vec<u32>>,
    /// Columns that are always shown.
    leading: Vec<Offer>,
    /// Columns that are shown unless others are chosen.
    usual: Vec<Offer>,
    /// Opened when a column needs them, as the properties are.
    labels: Option<LabelNames>,
    sites: Option<Sites>,
    /// The folder that relative names of files belong to.
    root: Option<String>,
    /// Each under the title of its column.
    properties: Vec<(String, Property)>,
}

/// A column that a listing can have.
#[derive(Clone, Debug)]
enum Offer {
    /// A column of the caller, by its number.
    Own(usize),
    /// A field of a node of the row.
    Field(usize, Field),
    /// A field of a node of the row, if the graph, or the sample with `asks_sample`, has any value of it.
    Known { node: usize, field: Field, asks_sample: bool },
    /// A property of a node of the row, if the graph has it.
    Property { node: usize, name: String, title: String },
}

/// The source of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The caller, by the number of its column.
    Own(usize),
    /// A field of a node of the row.
    Of(usize, Field),
    /// One of the properties of the layout, of a node of the row.
    Property(usize, usize),
}

/// Fields of every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Its id.
    Node,
    /// Its labels, joined by `&`.
    Label,
    /// The file that it is in.
    File,
    /// Its line, from 1.
    Line,
    /// The FULL_NAME of the METHOD that it is or is in.
    Method,
    /// The METHOD, under a title with its relation to the node.
    MethodAs(&'static str),
    /// File and line in one, as editors and terminals can follow them.
    Location,
}

/// The prefix of a property whose name is that of another kind of column: `property:label`.
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

    /// Whether a node has it, by its place: a METHOD only if that is another node.
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
    /// A layout for rows with as many nodes as there are prefixes. A prefix precedes the names of a node's
    /// columns: `""` for the one node of a row, `"source_"` and `"target_"` for the ends of an edge.
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

    /// Adds a column of the caller's own, which is always shown. Own columns have numbers in the order in
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

    /// Adds a column of the caller's own, which is shown unless others are chosen.
    #[must_use]
    pub fn show_own(mut self, column: Column) -> Self {
        self.usual.push(Offer::Own(self.own.len()));
        self.own.push(column);
        self
    }

    /// Shows fields of a node unless others are chosen.
    #[must_use]
    pub fn show_fields(mut self, node: usize, fields: &[Field]) -> Self {
        self.usual.extend(fields.iter().map(|field| Offer::Field(node, *field)));
        self
    }

    /// Shows where one end of an edge is, and its code: for people.
    pub(crate) fn show_end(self, node: usize) -> Self {
        self.show_fields(node, &[Field::Location]).show_property(node, "CODE", "code")
    }

    /// Leaves out properties, and for people places, that none of some nodes has.
    pub(crate) fn of_sample(self, sample: Vec<u32>) -> Self {
        Self { sample: Some(sample), ..self }
    }

    /// Shows the place of a node, as far as the graph has it: for people in one column, and the METHOD unless
    /// that is the node.
    #[must_use]
    pub fn show_site(mut self, node: usize, format: Format) -> Self {
        let (fields, asks_sample): (&[Field], bool) = match format {
            Format::Table => (&[Field::Location, Field::Method], true),
            _ => (&[Field::File, Field::Line, Field::Method], false),
        };
        self.usual.extend(fields.iter().map(|field| Offer::Known { node, field: *field, asks_sample }));
        self
    }

    /// Shows the METHOD that a node is or is in under a title of its own.
    #[must_use]
    pub fn show_method(self, node: usize, title: &'static str) -> Self {
        self.show_fields(node, &[Field::MethodAs(title)])
    }

    /// Shows a property of a node under a title of its own, if the graph has it.
    #[must_use]
    pub fn show_property(mut self, node: usize, name: &str, title: &str) -> Self {
        let (name, title) = (name.to_owned(), format!("{}{title}", self.prefixes[node]));
        self.usual.push(Offer::Property { node, name, title });
        self
    }

    /// Shows properties of a node under their own names, as far as the graph has them.
    #[must_use]
    pub fn show_properties(self, node: usize, names: &[&str]) -> Self {
        names.iter().fold(self, |layout, name| layout.show_property(node, name, name))
    }

    /// The columns to show: those that lead, and those of these names or, without any, the usual ones.
    pub(crate) fn chosen(&mut self, names: &[String]) -> Result<Vec<Source>> {
        let mut shown = self.opened(&self.leading.clone())?;
        match names {
            [] => shown.extend(self.opened(&self.usual.clone())?),
            names => {
                for name in names {
                    // A column that is chosen twice, or is always shown, is shown once.
                    let source = self.source(name)?;
                    if !shown.iter().any(|known| self.is_same(*known, source)) {
                        shown.push(source);
                    }
                }
            }
        }
        Ok(shown)
    }

    /// Whether two columns hold the same.
    fn is_same(&self, one: Source, other: Source) -> bool {
        match (one, other) {
            (Source::Property(node, one), Source::Property(of, other)) => {
                node == of && self.properties[one].0 == self.properties[other].0
            }
            (one, other) => one == other,
        }
    }

    /// The titles of columns, each its own: of several `node` the second is `node_2`. JSON identifies a cell
    /// by its title alone.
    pub(crate) fn columns(&self, sources: &[Source]) -> Vec<Column> {
        let mut columns: Vec<Column> = sources.iter().map(|source| self.column(*source)).collect();
        Column::with_own_names(&mut columns);
        columns
    }

    /// The column of a name: one of the caller, a field, or a property of the graph.
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

    /// Opens columns; those that the graph or the sample does not have are left out.
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

    /// The column of an offer, without regard to its values; none for a property that the graph lacks.
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

    /// Whether the graph has the columns of a place, or whether any node of the sample has one: a METHOD
    /// other than itself.
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

    /// Puts the folder of the source (the ROOT of META_DATA) before names of files.
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

    /// The name of a file, on request with the folder of the source.
    fn path_of<'f>(&self, file: &'f str) -> Cow<'f, str> {
        let is_absolute = file.starts_with(['/', '\\', '<']) || file.as_bytes().get(1) == Some(&b':');
        match &self.root {
            Some(root) if !is_absolute => format!("{root}{file}").into(),
            _ => file.into(),
        }
    }

    /// Opens the columns of a field.
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

    /// The title of a column, and how it is aligned.
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

    /// The labels of nodes, if a column has them.
    pub(crate) fn labels(&self) -> Option<&LabelNames> {
        self.labels.as_ref()
    }

    /// A property that was opened, by the number that its source has.
    pub(crate) fn property(&self, index: usize) -> &Property {
        &self.properties[index].1
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
    /// The value of a source for a node; null for a column of the caller.
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

    /// Whether every node was placed.
    pub(crate) fn is_complete(&self) -> bool {
        self.site.as_ref().is_none_or(SiteCursor::is_complete)
    }
}
