//! [`Header`]: the columns of a table.

use std::collections::HashSet;

use super::record::Record;
use super::value_kind::ValueKind;
use crate::text::TextFault;

/// The type of nodes' ids, which decides whether two ids are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdType {
    /// Ids are texts.
    #[default]
    String,
    /// Ids are 64-bit integers: `7` and `007` are equal.
    Integer,
}

/// Whether a table has nodes or relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Nodes,
    Relationships,
}

/// The header of a table.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) columns: Vec<Column>,
    /// The fields of the header as text.
    pub(super) names: Vec<String>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// The id of a node. If the column has a name, the id is also stored as a property.
    Id {
        space: String,
        property: Option<String>,
        id_type: Option<IdType>,
    },
    Labels,
    Start {
        space: String,
    },
    End {
        space: String,
    },
    Type,
    Ignored,
    Property {
        name: String,
        kind: ValueKind,
        is_list: bool,
    },
}

impl Header {
    /// Parses the first row of a table, or returns a fault and the index of the faulty field.
    pub(super) fn read(record: &Record, role: Role, has_type: bool) -> Result<Self, (usize, TextFault)> {
        let (mut columns, mut taken) = (Vec::new(), HashSet::new());
        for (index, field) in record.fields().enumerate() {
            let column = Column::read(field.text.trim(), role).map_err(|fault| (index, fault))?;
            if !column.claims().all(|claim| taken.insert(claim)) {
                return Err((index, TextFault::ColumnTwice { name: field.text.to_owned() }));
            }
            columns.push(column);
        }
        let names = record.fields().map(|field| field.text.trim().to_owned()).collect();
        let header = Self { columns, names };
        header.check(role, has_type).map(|()| header).map_err(|fault| (0, fault))
    }

    fn check(&self, role: Role, has_type: bool) -> Result<(), TextFault> {
        let has = |is: fn(&Column) -> bool| self.columns.iter().any(is);
        let missing = |missing, hint| Err(TextFault::MissingColumn { missing, hint });
        match role {
            Role::Nodes => Ok(()),
            Role::Relationships if !has(|column| matches!(column, Column::Start { .. })) => {
                missing(":START_ID", "")
            }
            Role::Relationships if !has(|column| matches!(column, Column::End { .. })) => {
                missing(":END_ID", "")
            }
            Role::Relationships if !has_type && !has(|column| *column == Column::Type) => {
                missing(":TYPE", ", and no type is given with the files")
            }
            Role::Relationships => Ok(()),
        }
    }

    /// The index of the first column that satisfies a condition.
    pub(super) fn position(&self, is: impl Fn(&Column) -> bool) -> Option<usize> {
        self.columns.iter().position(is)
    }
}

impl Column {
    /// Parses a field of a header: `name:TYPE(Space){options}`.
    fn read(field: &str, role: Role) -> Result<Self, TextFault> {
        let refused = |reason| Err(TextFault::HeaderField { field: field.to_owned(), reason });
        let (plain, options) = match field.split_once('{') {
            Some((plain, options)) => match options.trim_end().strip_suffix('}') {
                Some(options) => (plain.trim_end(), options),
                None => return refused("the options are not closed"),
            },
            None => (field, ""),
        };
        let Some((name, word)) = plain.rsplit_once(':') else {
            return match plain {
                "" => refused("it is empty; write :IGNORE to skip a column"),
                name => Ok(Self::Property { name: name.to_owned(), kind: ValueKind::Text, is_list: false }),
            };
        };
        let (word, space) = match word.split_once('(') {
            Some((word, space)) => match space.strip_suffix(')') {
                Some(space) => (word, space),
                None => return refused("the space of ids is not closed"),
            },
            None => (word, ""),
        };
        let (property, space) = (name.to_owned(), space.to_owned());
        match (&*word.to_ascii_uppercase(), role) {
            ("ID", Role::Nodes) => match id_type_of(options) {
                Err(reason) => refused(reason),
                Ok(id_type) => {
                    Ok(Self::Id { space, property: (!name.is_empty()).then_some(property), id_type })
                }
            },
            ("LABEL", Role::Nodes) => Ok(Self::Labels),
            ("START_ID", Role::Relationships) => Ok(Self::Start { space }),
            ("END_ID", Role::Relationships) => Ok(Self::End { space }),
            ("TYPE", Role::Relationships) => Ok(Self::Type),
            ("IGNORE", _) => Ok(Self::Ignored),
            ("ID" | "LABEL", _) => refused("it is for nodes, but this is a table of relationships"),
            ("START_ID" | "END_ID" | "TYPE", _) => {
                refused("it is for relationships, but this is a table of nodes")
            }
            _ if name.is_empty() => refused("a property needs a name before the colon"),
            _ if !space.is_empty() => refused("only ids have a space"),
            _ => {
                let (word, is_list) = word.strip_suffix("[]").map_or((word, false), |word| (word, true));
                match ValueKind::from_name(word) {
                    Some(kind) => Ok(Self::Property { name: property, kind, is_list }),
                    None => refused(
                        "types are boolean, byte, short, int, long, float, double, char, string, point and those of times, with [] for lists",
                    ),
                }
            }
        }
    }

    /// The names that only this column may have in its table: its role, and the name of its property.
    fn claims(&self) -> impl Iterator<Item = String> + use<> {
        let (role, name) = match self {
            Self::Id { property, .. } => (Some(":ID"), property.as_ref()),
            Self::Labels => (Some(":LABEL"), None),
            Self::Start { .. } => (Some(":START_ID"), None),
            Self::End { .. } => (Some(":END_ID"), None),
            Self::Type => (Some(":TYPE"), None),
            Self::Ignored => (None, None),
            Self::Property { name, .. } => (None, Some(name)),
        };
        // The prefix ensures that no property name equals a role.
        let name = name.map(|name| format!("property {name}"));
        role.map(str::to_owned).into_iter().chain(name)
    }
}

/// The type of ids in the options of a column, as in `{id-type: int, label: Person}`.
fn id_type_of(options: &str) -> Result<Option<IdType>, &'static str> {
    let pairs = options.split(',').filter_map(|option| option.split_once(':'));
    let mut types = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("id-type"));
    let Some((_, value)) = types.next() else { return Ok(None) };
    match &*value.trim().to_ascii_lowercase() {
        "string" => Ok(Some(IdType::String)),
        "integer" | "int" | "long" => Ok(Some(IdType::Integer)),
        _ => Err("an id-type must be string, int or long"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(field: &str, role: Role) -> Column {
        Column::read(field, role).unwrap()
    }

    #[test]
    fn columns_are_what_neo4j_takes_them_for() {
        let id = |space: &str, property: Option<&str>, id_type| {
            let (space, property) = (space.to_owned(), property.map(str::to_owned));
            Column::Id { space, property, id_type }
        };
        assert_eq!(column(":ID", Role::Nodes), id("", None, None));
        assert_eq!(column("movieId:ID(Movie)", Role::Nodes), id("Movie", Some("movieId"), None));
        let with_type = column("id:ID(P){label:Person, id-type: long}", Role::Nodes);
        assert_eq!(with_type, id("P", Some("id"), Some(IdType::Integer)));
        assert_eq!(
            column(":START_ID(Movie)", Role::Relationships),
            Column::Start { space: "Movie".to_owned() }
        );
        assert_eq!(column("x:IGNORE", Role::Nodes), Column::Ignored);
        let property = |name: &str, kind, is_list| Column::Property { name: name.to_owned(), kind, is_list };
        assert_eq!(column("name", Role::Nodes), property("name", ValueKind::Text, false));
        assert_eq!(column("a:b:string[]", Role::Nodes), property("a:b", ValueKind::Text, true));
        assert_eq!(column("at:point{crs:WGS-84}", Role::Nodes), property("at", ValueKind::Text, false));
        assert_eq!(column("is:BOOLEAN", Role::Relationships), property("is", ValueKind::Boolean, false));
    }

    #[test]
    fn fields_that_say_nothing_are_refused() {
        let check = |field, role, what: &str| {
            let message = Column::read(field, role).unwrap_err().to_string();
            assert!(message.contains(what), "{message}");
        };
        check("", Role::Nodes, ":IGNORE");
        check(":int", Role::Nodes, "needs a name");
        check("a:decimal", Role::Nodes, "types are");
        check(":ID(A", Role::Nodes, "not closed");
        check("a:int(A)", Role::Nodes, "only ids");
        check(":ID", Role::Relationships, "is for nodes");
        check(":TYPE", Role::Nodes, "is for relationships");
        check(":ID{id-type:real}", Role::Nodes, "id-type");
        check(":ID{id-type:int", Role::Nodes, "options");
    }
}
