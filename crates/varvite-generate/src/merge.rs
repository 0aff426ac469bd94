//! [`Schema::merge`]: merges the schemas of several graphs of one kind.
//!
//! A graph shows only the parts of its schema that it uses. Equal names are taken to mean the same in all
//! graphs. The merged schema has every name of any graph, and allows everything that at least one of the
//! schemas allows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use varvite::{Cardinality, ValueType};

use crate::error::{GenerateError, Result};
use crate::schema::{EdgeLabel, Property, Schema};

impl Schema {
    /// Adds the schema of another graph. New labels, properties and edge labels come last. An item that both
    /// schemas have then allows everything that either schema allows.
    ///
    /// # Errors
    /// [`GenerateError::Contradiction`] if a property has another type or default in `other`.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        let labels = self.merge_labels(&other.labels);
        merge_properties(&mut self.properties, other.properties, &labels)?;
        let mut places = places(self.edges.iter().map(|edge| &edge.name));
        for mut edge in other.edges {
            let here = |label| labels.get(label).copied();
            let pairs = edge.pairs.iter().filter_map(|(source, target)| Some((here(source)?, here(target)?)));
            edge.pairs = pairs.collect();
            let place = *places.entry(edge.name.clone()).or_insert(self.edges.len());
            match self.edges.get_mut(place) {
                Some(known) => known.merge(edge, &labels)?,
                None => {
                    let properties = std::mem::take(&mut edge.properties);
                    merge_properties(&mut edge.properties, properties, &labels)?;
                    self.edges.push(edge);
                }
            }
        }
        Ok(())
    }

    /// Adds the labels of another schema. Returns a map from the index of each of these labels in the other
    /// schema to its index in this one.
    fn merge_labels(&mut self, names: &[String]) -> BTreeMap<usize, usize> {
        let mut places = places(self.labels.iter());
        let mut numbers = BTreeMap::new();
        for (there, name) in names.iter().enumerate() {
            let here = *places.entry(name.clone()).or_insert(self.labels.len());
            if here == self.labels.len() {
                self.labels.push(name.clone());
            }
            numbers.insert(there, here);
        }
        numbers
    }
}

/// The first index of each name.
fn places<'n>(names: impl Iterator<Item = &'n String>) -> HashMap<String, usize> {
    let mut places = HashMap::new();
    for (place, name) in names.enumerate() {
        places.entry(name.clone()).or_insert(place);
    }
    places
}

impl EdgeLabel {
    /// Merges an edge label. The result is marked as the label of the forest only if both schemas mark it as
    /// such.
    fn merge(&mut self, other: Self, labels: &BTreeMap<usize, usize>) -> Result<()> {
        self.is_forest &= other.is_forest;
        self.pairs.extend(other.pairs);
        merge_properties(&mut self.properties, other.properties, labels)
    }
}

fn merge_properties(
    known: &mut Vec<Property>,
    others: Vec<Property>,
    labels: &BTreeMap<usize, usize>,
) -> Result<()> {
    let here =
        |there: &BTreeSet<usize>| there.iter().filter_map(|label| labels.get(label).copied()).collect();
    let mut places = places(known.iter().map(|property| &property.name));
    for mut other in others {
        (other.owners, other.targets) = (here(&other.owners), here(&other.targets));
        let place = *places.entry(other.name.clone()).or_insert(known.len());
        match known.get_mut(place) {
            Some(property) => property.merge(other)?,
            None => known.push(other),
        }
    }
    Ok(())
}

impl Property {
    fn merge(&mut self, other: Self) -> Result<()> {
        if (self.value_type, &self.default) != (other.value_type, &other.default) {
            return Err(GenerateError::Contradiction {
                property: self.name.clone(),
                one: described(self.value_type, self.default.as_deref()),
                other: described(other.value_type, other.default.as_deref()),
            });
        }
        self.cardinality = wider(self.cardinality, other.cardinality);
        self.owners.extend(other.owners);
        self.targets.extend(other.targets);
        Ok(())
    }
}

fn described(value_type: ValueType, default: Option<&str>) -> String {
    let default = default.map_or_else(|| "no default".to_owned(), |text| format!("the default {text:?}"));
    format!("{} with {default}", value_type.name())
}

/// The wider of two cardinalities: one, optional, list; each allows all values of those before it.
fn wider(one: Cardinality, other: Cardinality) -> Cardinality {
    let rank = |cardinality| match cardinality {
        Cardinality::One => 0,
        Cardinality::Optional => 1,
        Cardinality::List => 2,
    };
    if rank(one) < rank(other) { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property(name: &str, cardinality: Cardinality, owners: &[usize]) -> Property {
        Property {
            name: name.to_owned(),
            value_type: ValueType::I32,
            cardinality,
            default: None,
            owners: owners.iter().copied().collect(),
            targets: BTreeSet::new(),
        }
    }

    fn schema(labels: &[&str], properties: Vec<Property>, pairs: &[(usize, usize)]) -> Schema {
        let edge = EdgeLabel {
            name: "AST".to_owned(),
            is_forest: true,
            pairs: pairs.iter().copied().collect(),
            properties: Vec::new(),
        };
        Schema {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            properties,
            edges: vec![edge],
        }
    }

    #[test]
    fn labels_are_the_same_by_name_whatever_their_numbers() {
        let mut one = schema(&["A", "B"], vec![property("P", Cardinality::One, &[0])], &[(0, 1)]);
        let more = vec![property("P", Cardinality::Optional, &[1]), property("Q", Cardinality::List, &[0])];
        one.merge(schema(&["C", "B"], more, &[(1, 0)])).unwrap();
        assert_eq!(one.labels, ["A", "B", "C"]);
        assert_eq!(one.properties[0].owners, BTreeSet::from([0, 1]));
        assert_eq!(one.properties[0].cardinality, Cardinality::Optional);
        assert_eq!(one.properties[1].owners, BTreeSet::from([2]));
        assert_eq!(one.edges[0].pairs, BTreeSet::from([(0, 1), (1, 2)]));
    }

    #[test]
    fn what_properties_of_edges_refer_to_is_renumbered() {
        let with_reference = |labels: &[&str], target: usize| {
            let mut schema = schema(labels, Vec::new(), &[]);
            let targets = BTreeSet::from([target]);
            schema.edges[0].properties.push(Property { targets, ..property("R", Cardinality::One, &[]) });
            schema
        };
        let mut all = Schema::default();
        all.merge(with_reference(&["A", "B"], 1)).unwrap();
        all.merge(with_reference(&["C", "A"], 0)).unwrap();
        assert_eq!(all.labels, ["A", "B", "C"]);
        assert_eq!(all.edges[0].properties[0].targets, BTreeSet::from([1, 2]));
    }

    #[test]
    fn a_graph_adds_nothing_to_itself() {
        let same = || schema(&["A", "B"], vec![property("P", Cardinality::One, &[0])], &[(0, 1)]);
        let mut merged = same();
        merged.merge(same()).unwrap();
        assert_eq!(merged, same());
    }

    #[test]
    fn a_label_that_is_no_forest_somewhere_is_none() {
        let mut one = schema(&["A"], Vec::new(), &[(0, 0)]);
        let mut other = schema(&["A"], Vec::new(), &[]);
        other.edges[0].is_forest = false;
        one.merge(other).unwrap();
        assert!(!one.edges[0].is_forest);
    }

    #[test]
    fn types_that_contradict_each_other_are_named() {
        let mut one = schema(&["A"], vec![property("P", Cardinality::One, &[0])], &[]);
        let mut other = one.clone();
        other.properties[0].value_type = ValueType::String;
        let refused = one.merge(other).unwrap_err().to_string();
        assert!(
            refused.contains("\"P\"") && refused.contains("i32 with") && refused.contains("string with"),
            "{refused}"
        );
    }
}
