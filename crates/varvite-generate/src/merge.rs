//! [`Schema::merge`]: what several graphs of one kind know together.
//!
//! A graph shows what happens to be in it. Names are the same thing in all graphs; what one of them has, and what it allows, the
//! merged schema has and allows.

use std::collections::{BTreeMap, BTreeSet};

use varvite::{Cardinality, ValueType};

use crate::error::{GenerateError, Result};
use crate::schema::{EdgeLabel, Property, Schema};

impl Schema {
    /// Adds what another graph knows: labels, properties and edge labels that are new come last, others become as wide as both.
    ///
    /// # Errors
    /// [`GenerateError::Contradiction`], if a property has another type or another default there.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        let labels = self.merge_labels(&other.labels);
        merge_properties(&mut self.properties, other.properties, &labels)?;
        for mut edge in other.edges {
            edge.pairs = edge.pairs.iter().map(|(source, target)| (labels[source], labels[target])).collect();
            match self.edges.iter_mut().find(|known| known.name == edge.name) {
                Some(known) => known.merge(edge)?,
                None => self.edges.push(edge),
            }
        }
        Ok(())
    }

    /// The numbers here of the labels there.
    fn merge_labels(&mut self, names: &[String]) -> BTreeMap<usize, usize> {
        let mut numbers = BTreeMap::new();
        for (there, name) in names.iter().enumerate() {
            let known = self.labels.iter().position(|label| label == name);
            let here = known.unwrap_or_else(|| {
                self.labels.push(name.clone());
                self.labels.len() - 1
            });
            numbers.insert(there, here);
        }
        numbers
    }
}

impl EdgeLabel {
    /// A label is the forest's only if it is so everywhere.
    fn merge(&mut self, other: Self) -> Result<()> {
        self.is_forest &= other.is_forest;
        self.pairs.extend(other.pairs);
        merge_properties(&mut self.properties, other.properties, &BTreeMap::new())
    }
}

fn merge_properties(
    known: &mut Vec<Property>,
    others: Vec<Property>,
    labels: &BTreeMap<usize, usize>,
) -> Result<()> {
    let here = |there: &BTreeSet<usize>| there.iter().map(|label| labels[label]).collect();
    for mut other in others {
        (other.owners, other.targets) = (here(&other.owners), here(&other.targets));
        match known.iter_mut().find(|property| property.name == other.name) {
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

/// From one to optional to list, each holds what those before it hold.
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
