//! Starts of pipelines: the choice between a scan of labels and a search in a column.
//!
//! A pipeline that begins with the nodes of a label, followed by conditions, can be started in two ways: read
//! the nodes of the label and test each of them, or search the column of a condition and test the label of
//! each match. [`Compiler::access`] chooses between them by estimated costs. A text index, if there is one,
//! is a third candidate.

use std::sync::Arc;

use super::steps::Compiled;
use super::{Compiler, bad_step, graph_error};
use crate::pipeline::description::{Literal, Predicate, Step};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::StepFault;
use crate::pipeline::plan::{Driver, Filter, Lookup, Operator, PropertyPlan, ScanPlan, Test, ValueFilter};
use crate::pipeline::rows::Shape;
use varvite_graph::Direction;

/// Costs of reads, in nanoseconds, measured on a graph of 16 million nodes. Only their ratios matter.
mod cost {
    /// Reading the next node of a label.
    pub(super) const NODE: f64 = 1.0;
    /// Reading the value of a random node.
    pub(super) const VALUE: f64 = 8.0;
    /// Reading a value of a column, if blocks may be skipped.
    pub(super) const SKIPPED: f64 = 0.3;
    /// Reading a value of a column from front to back.
    pub(super) const SCANNED: f64 = 1.5;
    /// Testing one text while all texts are tested in order.
    pub(super) const TEXT: f64 = 60.0;
    /// Testing one text as part of a single search through the bytes of all texts.
    pub(super) const TEXT_IN_POOL: f64 = 10.0;
    /// Reading and testing one random text.
    pub(super) const TEXT_SOMEWHERE: f64 = 150.0;
}

/// The share of nodes up to which a search for those with a property is worth it, although a later step
/// passes over nodes without it anyway.
const FEW: f64 = 0.5;

impl Compiler<'_> {
    /// Compiles the first step, together with the conditions after it that may be tested during the scan.
    pub(super) fn start(&self, steps: &[Step], prefix: &str, at: &StepAt) -> Result<Compiled> {
        match &steps[0] {
            Step::Nodes { labels } => {
                self.check_owners(labels, steps, prefix)?;
                let mut filters = Vec::new();
                for (index, step) in (1..).zip(&steps[1..conditions_on_the_way(steps)]) {
                    let at = StepAt::new(&format!("{prefix}{}", index + 1), step.name());
                    let Some(filter) = self.filter(step, &Shape::Nodes, &at)? else { break };
                    filters.push(filter);
                }
                let merged = filters.len();
                if is_in_values(&steps[merged..]) && filters.last().is_some_and(|has| has.share() > FEW) {
                    filters.pop();
                }
                let asked = steps.get(1 + merged).and_then(asked_by_all);
                let asked = asked.map(|asked| self.filter(&asked, &Shape::Nodes, at));
                // An error in a branch is reported when the branch is compiled, with its own step.
                filters.extend(asked.and_then(|filter| filter.ok().flatten()));
                let (scan, rows) = match &steps.get(1) {
                    // If a `has_label` directly follows a start with all nodes, the scan begins with the
                    // nodes of these labels, since there are fewer of them.
                    Some(Step::HasLabel { labels: asked }) if labels.is_empty() => {
                        self.access(asked, filters.split_off(1), at)?
                    }
                    _ => self.access(labels, filters, at)?,
                };
                Ok(Compiled { operator: Operator::Scan(scan), shape: Shape::Nodes, rows, merged })
            }
            Step::Ids { ids } => {
                self.check_ids(ids, at)?;
                self.take_list::<u32>(ids.len(), at)?;
                let operator = Operator::Ids(ids.as_slice().into());
                Ok(Compiled::new(operator, Shape::Nodes, ids.len() as f64))
            }
            Step::Edges { labels } => {
                let mut ways = self.edge_ways(labels, &[Direction::Out], at)?;
                ways.sort_by_key(|way| way.way.label);
                ways.dedup_by_key(|way| way.way.label);
                let rows = ways.iter().map(|way| way.out.edge_count() as f64).sum();
                Ok(Compiled::new(Operator::AllEdges(ways), Shape::Edges, rows))
            }
            _ => Err(bad_step(at, StepFault::NoStart)),
        }
    }

    /// The cheapest plan of a scan for the nodes of `labels` (for all nodes, if `labels` is empty) that pass
    /// `filters`, and an estimate of the number of these nodes.
    fn access(&self, labels: &[String], mut filters: Vec<Filter>, at: &StepAt) -> Result<(ScanPlan, f64)> {
        let nodes = match labels {
            // If nodes were removed, the list has the nodes that are left. Otherwise it is empty, which means
            // all nodes.
            [] => {
                let living = self.graph.living_nodes().map_err(|error| graph_error(at, error))?;
                living.into_iter().collect()
            }
            labels => self.label_nodes(labels, at)?,
        };
        self.take_names(labels, at)?;
        let names: Arc<str> = labels.join("|").into();
        let all = f64::from(self.graph.live_node_count());
        let labelled = match nodes.is_empty() {
            true => all,
            false => nodes.iter().map(|nodes| f64::from(nodes.len())).sum::<f64>().min(all),
        };
        let share: f64 = filters.iter().map(|filter| filter.share()).product();
        let rows = labelled * share;
        let by_label =
            cost::NODE * labelled + filters.iter().map(|filter| ask_all(filter, labelled)).sum::<f64>();
        if let Some((lookup, asked)) = self.lookup(labels, &filters, at)? {
            filters.remove(asked);
            let rows = lookup.count() as f64;
            let driver = Driver::Index(lookup);
            return Ok((ScanPlan { driver, labels: names, by_index: None, filters }, rows));
        }
        let columns = filters.iter().enumerate().filter_map(|(index, filter)| {
            let value = filter.value()?;
            Some((index, value.clone(), search(value)?))
        });
        let cheapest = columns.min_by(|(_, _, a), (_, _, b)| a.total_cmp(b));
        let driver = match cheapest {
            Some((index, value, cost)) if cost < by_label => {
                let wanted = (!labels.is_empty()).then(|| self.node_labels(labels, at)).transpose()?;
                filters.remove(index);
                Driver::Column(Box::new(value), wanted)
            }
            _ if nodes.is_empty() => Driver::All,
            _ => match filters.first().and_then(Filter::searchable).cloned() {
                Some(value) => {
                    filters.remove(0);
                    Driver::LabelValues(nodes.into(), Box::new(value))
                }
                None => Driver::Labels(nodes.into()),
            },
        };
        let by_index = match &driver {
            Driver::LabelValues(_, value) | Driver::Column(value, _) => {
                self.lookup_of_texts(labels, value, at)?
            }
            _ => None,
        };
        Ok((ScanPlan { driver, labels: names, by_index, filters }, rows))
    }

    /// The index look-up of the nodes whose texts a filter accepts. The run tests the texts before it does
    /// the look-up. `None` if the filter does not test texts, or if the property has no index.
    fn lookup_of_texts(&self, labels: &[String], value: &ValueFilter, at: &StepAt) -> Result<Option<Lookup>> {
        match &value.test {
            Test::Texts(texts) if texts.matcher.is_found_in_pool() => {
                self.lookup_of(labels, &value.plan, Arc::default(), at)
            }
            _ => Ok(None),
        }
    }

    /// The index look-up of the nodes that have certain texts of a property. `None` if the property has no
    /// index.
    fn lookup_of(
        &self,
        labels: &[String],
        plan: &PropertyPlan,
        codes: Arc<[u32]>,
        at: &StepAt,
    ) -> Result<Option<Lookup>> {
        let index = self.graph.text_index(&plan.name).map_err(|error| graph_error(at, error))?;
        let Some(index) = index else { return Ok(None) };
        let wanted = match labels {
            [] => None,
            labels => Some(self.node_labels(labels, at)?.wanted),
        };
        Ok(Some(Lookup { index: index.into(), codes, wanted, property: plan.name.clone() }))
    }

    /// Among the look-ups for `filters` in the file's indexes, the one that finds the fewest nodes, and the
    /// position of its filter. `None` if no filter's property has an index.
    fn lookup(&self, labels: &[String], filters: &[Filter], at: &StepAt) -> Result<Option<(Lookup, usize)>> {
        let mut best: Option<(Lookup, usize)> = None;
        for (place, filter) in filters.iter().enumerate() {
            let Some(ValueFilter { plan, test }) = filter.value() else { continue };
            let codes = match test {
                Test::Equal(code) => vec![*code],
                Test::Set(codes) => codes.numbers().to_vec(),
                _ => continue,
            };
            let codes = codes.into_iter().filter_map(|code| u32::try_from(code).ok()).collect();
            let Some(lookup) = self.lookup_of(labels, plan, codes, at)? else { continue };
            if best.as_ref().is_none_or(|(known, _)| lookup.count() < known.count()) {
                best = Some((lookup, place));
            }
        }
        Ok(best)
    }
}

/// The condition that all branches of a `union` share, if each begins with values of the same property, such
/// as the names of functions in `a ++ b`. The union gives nothing for other rows, so the scan before it can
/// search the property. `None` for other steps.
fn asked_by_all(step: &Step) -> Option<Step> {
    let Step::Union { branches } = step else { return None };
    let (mut property, mut values) = (None, Vec::new());
    for branch in branches {
        let (name, asked) = match branch.0.first()? {
            Step::Has { property, is: Some(is) } => (property.clone(), values_of(is)?.to_vec()),
            nested => match asked_by_all(nested)? {
                Step::Has { property, is: Some(Predicate::OneOf(values)) } => (property, values),
                _ => return None,
            },
        };
        if *property.get_or_insert_with(|| name.clone()) != name {
            return None;
        }
        values.extend(asked);
        if values.len() > ASKED_MAX {
            return None;
        }
    }
    Some(Step::Has { property: property?, is: Some(Predicate::OneOf(values)) })
}

/// The most values that are copied for a condition of all branches, and the most bytes of each.
const ASKED_MAX: usize = 1 << 10;

fn values_of(is: &Predicate) -> Option<&[Literal]> {
    let values = match is {
        Predicate::Eq(value) => std::slice::from_ref(value),
        Predicate::OneOf(values) => values,
        _ => return None,
    };
    let is_short = |value: &Literal| !matches!(value, Literal::Text(text) if text.len() > ASKED_MAX);
    (values.len() <= ASKED_MAX && values.iter().all(is_short)).then_some(values)
}

/// The number of steps up to and including the last condition that the starting scan tests. Conditions at the
/// end that walk from node to node are left to the worker threads. Such a condition is tested by the scan
/// only if a condition after it may be a better start.
fn conditions_on_the_way(steps: &[Step]) -> usize {
    let conditions = 1 + steps.iter().skip(1).take_while(|step| step.is_condition()).count();
    let last = steps[..conditions].iter().rposition(|step| !step.walks());
    last.map_or(conditions, |last| last + 1)
}

/// The cost of a search in the column that a filter tests. `None` if a search can't be cheaper than testing
/// nodes one by one.
fn search(ValueFilter { plan, test }: &ValueFilter) -> Option<f64> {
    let values = plan.property.value_count() as f64;
    let texts = plan.property.strings().map_or(0.0, |strings| f64::from(strings.len()));
    Some(match test {
        Test::Never => 0.0,
        Test::Equal(_) | Test::Range(_) => cost::SKIPPED * values,
        Test::Texts(asked) if asked.matcher.is_found_in_pool() => {
            cost::SCANNED * values + cost::TEXT_IN_POOL * texts
        }
        Test::Texts(_) => cost::SCANNED * values + cost::TEXT * texts,
        // Most values pass a negated test, so a search would gain nothing.
        Test::Not(_) => return None,
        Test::Set(_) | Test::Float(_) | Test::Any(_) => cost::SCANNED * values,
    })
}

/// The cost of testing `nodes` nodes one by one.
fn ask_all(filter: &Filter, nodes: f64) -> f64 {
    match filter {
        Filter::Value(ValueFilter { plan, test: Test::Texts(test) }) => {
            let share = f64::from(plan.property.len()).max(1.0);
            let texts = f64::from(test.strings.len()) * (nodes / share).min(1.0);
            cost::VALUE * nodes + cost::TEXT_SOMEWHERE * texts.min(nodes)
        }
        Filter::Labels(_) => cost::NODE * nodes,
        _ => cost::VALUE * nodes,
    }
}

/// Whether the first step keeps nodes with a property whose values the next step gives, and with them nothing
/// for any other node.
fn is_in_values(steps: &[Step]) -> bool {
    match steps {
        [Step::Has { property, is: None }, Step::Values { property: given }, ..] => property == given,
        _ => false,
    }
}
