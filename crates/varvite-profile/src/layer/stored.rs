//! [`HeapLayer`]: a profile that is stored in a graph.

use varvite::{Budget, Cancel, Graph, GraphError, Property, Task};

use super::coverage::Coverage;
use super::join::Join;
use super::moments;
use super::names::Names;
use super::placement::MatchClass;
use super::read_error::LayerReadError;
use super::tree::{CallTree, NONE, Place};
use crate::measure::{Counts, Measures, Sampling, Slot};
use crate::profile::{Profile, Totals};
use crate::timeline::Timeline;
use crate::{Limits, ProfileError, heaptrack};

/// Number of bytes of memory for a step: its entries in lists with spare capacity, and as much again for
/// results.
pub const STEP_BYTES: usize = 256;
/// Number of bytes of memory for a place, in addition to its texts: its entries in lists, and as much again
/// for results.
const PLACE_BYTES: usize = 192;
/// The number of steps or places between two looks at the clock.
pub(super) const STEPS_OF_LOOK: usize = 4096;

/// A profile in a layer of a graph, read into memory: its sums, and its tree of calls.
#[derive(Debug)]
pub struct HeapLayer {
    /// The names of the layer's labels and properties.
    pub names: Names,
    /// The measures of the counts.
    pub measures: Measures,
    /// The sampling from which the counts were estimated; `None` if they were counted exactly.
    pub sampling: Option<Sampling>,
    /// Sums over the whole run.
    pub totals: Totals,
    /// The command line of the program.
    pub command: String,
    /// The beginning of the run in nanoseconds since 1970, and the duration of the run in nanoseconds; 0 if
    /// not known.
    pub(super) began_unix_ns: i64,
    pub(super) duration_ns: i64,
    /// The name of the measure that the tool shows first.
    pub(super) default_measure: String,
    /// Memory in use over time.
    pub timeline: Timeline,
    /// The moments between which the counts were made; `None` if the counts are those of the whole run.
    pub moments: Option<Moments>,
    /// The memory limit for this layer and results together.
    pub(super) budget: Budget,
    pub(super) places: Vec<StoredPlace>,
    pub(super) tree: CallTree,
    pub(super) join: Join,
}

/// The moments between which a profile has counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    /// The counts begin after the end of this millisecond; `None` if they begin at the start of the run.
    pub since_ms: Option<u64>,
    /// The counts end at the end of this millisecond.
    pub ms: u64,
}

/// A place in the source, as stored in the graph.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredPlace {
    pub(super) module: String,
    pub(super) function: String,
    pub(super) file: String,
    pub(super) line: i64,
    pub(super) address: u64,
}

impl StoredPlace {
    /// The name of the module without its folders.
    pub(super) fn module_name(&self) -> &str {
        self.module.rsplit('/').next().unwrap_or_default()
    }
}

impl HeapLayer {
    /// The names of all profiles in a graph.
    pub fn names_in(graph: &Graph) -> Vec<Names> {
        graph.layers().iter().filter_map(|layer| Names::of_layer(&layer.name)).collect()
    }

    /// The measures of a profile in a graph.
    pub fn measures_in(graph: &Graph, names: &Names) -> Measures {
        let profile = graph.nodes(&names.name("PROFILE")).ok().and_then(|nodes| nodes.iter().next());
        let text =
            || graph.property(&names.name("MEASURES")).ok()?.str(profile?).map(|text| text.to_string());
        // Layers of the first version were made from heaptrack's profiles, and have no list of measures.
        text().and_then(|text| Measures::of_text(&text)).unwrap_or_else(heaptrack::measures)
    }

    /// Reads a profile from a graph.
    ///
    /// **Cost**: memory for the texts of places, and [`STEP_BYTES`] for each step of the tree (half of this
    /// is for later results). If this exceeds the memory in `limits`, opening fails.
    ///
    /// # Errors
    /// [`LayerReadError::Graph`] with [`GraphError::Unknown`] if there is no such profile, or with
    /// [`GraphError::OverBudget`] if there is too little memory; or [`LayerReadError::Damaged`].
    pub fn open(graph: &Graph, names: &Names, limits: &Limits) -> Result<Self, LayerReadError> {
        Self::open_within(graph, names, &Task::new().memory(limits.memory_bytes))
    }

    /// The same as [`HeapLayer::open`], with the memory and the time of a task.
    ///
    /// # Errors
    /// The errors of [`HeapLayer::open`]; [`LayerReadError::Graph`] if the task is cancelled, or if its time
    /// is over.
    pub fn open_within(graph: &Graph, names: &Names, task: &Task<'_>) -> Result<Self, LayerReadError> {
        let names = names.clone();
        let texts = |end: &str| graph.property(&names.name(end));
        let profile = graph.nodes(&names.name("PROFILE"))?.iter().next();
        let number_of = |name: &str| -> Result<i64, GraphError> {
            let property = graph.property(name)?;
            Ok(profile.and_then(|node| property.number(node)).unwrap_or(0))
        };
        let number = |end: &str| number_of(&names.name(end));
        let text = |end: &str| texts(end).ok()?.str(profile?).map(|text| text.to_string());
        let measures = Self::measures_in(graph, &names);
        let is_sampled = number("SAMPLED").is_ok_and(|sampled| sampled != 0);
        let sampling = is_sampled.then(|| Sampling {
            period: number("PERIOD").unwrap_or(0),
            unit: text("PERIOD_UNIT").unwrap_or_default(),
            kind: text("PERIOD_TYPE").unwrap_or_default(),
        });
        let mut counts = Counts::default();
        for (name, (slot, _)) in names.totals(&measures).iter().zip(measures.iter()) {
            counts[slot] = number_of(name)?;
        }
        let totals = Totals {
            counts,
            suppressed_bytes: number("SUPPRESSED_BYTES")?,
            runtime_ms: number("RUNTIME_MS")?.max(0) as u64,
            peak_resident_bytes: number("PEAK_RESIDENT_BYTES")?.max(0) as u64,
        };
        let command = texts("COMMAND")?;
        let command = profile.and_then(|node| command.str(node)).map(Into::into).unwrap_or_default();
        let [began_unix_ns, duration_ns] =
            ["BEGAN_UNIX_NS", "DURATION_NS"].map(|end| number(end).unwrap_or(0));
        let default_measure = text("DEFAULT_MEASURE").unwrap_or_default();
        let timeline = moments::read(graph, &names)?;
        let join = Join { kind: names.kind, ..Join::default() };
        let (places, tree) = (Vec::new(), CallTree::default());
        let (budget, moments) = (Budget::of(task), None);
        let mut layer = Self {
            names,
            measures,
            sampling,
            totals,
            command,
            // Only some tools record the next fields, and layers of older versions lack them.
            began_unix_ns,
            duration_ns,
            default_measure,
            timeline,
            moments,
            budget,
            places,
            tree,
            join,
        };
        let first = layer.read_places(graph, task.flag())?;
        layer.read_tree(graph, first, task.flag())?;
        graph.check()?;
        Ok(layer)
    }

    /// Makes a layer from a profile that is not in a graph. Nothing in this layer is joined to code.
    ///
    /// **Cost**: linear in the profile.
    ///
    /// # Errors
    /// [`ProfileError::OverBudget`]
    pub fn of_profile(profile: &Profile, limits: &Limits) -> Result<Self, ProfileError> {
        let tree = CallTree::of(profile, limits)?;
        let text = |id| profile.texts.get(id).unwrap_or_default().to_owned();
        let place = |place: &Place| StoredPlace {
            module: text(place.module),
            function: text(place.function),
            file: text(place.file),
            line: place.line.into(),
            address: place.address,
        };
        let join = Join {
            places: vec![(None, MatchClass::None); tree.places.len()],
            called_at: vec![None; tree.len()],
            own_at: vec![None; tree.len()],
            kind: profile.kind,
        };
        Ok(Self {
            names: Names::of(profile.kind, ""),
            measures: profile.measures.clone(),
            sampling: profile.sampling.clone(),
            totals: profile.totals,
            command: profile.recording.command.clone(),
            began_unix_ns: profile.recording.began_unix_ns,
            duration_ns: profile.recording.duration_ns,
            default_measure: profile.recording.default_measure.clone(),
            timeline: profile.timeline.clone(),
            moments: None,
            budget: Budget::new(limits.memory_bytes),
            places: tree.places.iter().map(place).collect(),
            tree,
            join,
        })
    }

    /// Moves the measures of this profile to the slots that they have in the profile `other`. Measures that
    /// `other` lacks are left out.
    ///
    /// **Cost**: a pass over the tree.
    #[must_use]
    pub fn in_slots_of(mut self, other: &Measures) -> Self {
        let slots: Vec<_> = other.iter().map(|(slot, it)| (slot, self.measures.find(it.name()))).collect();
        let moved = |counts: &Counts| {
            let mut moved = Counts::default();
            slots.iter().for_each(|(slot, own)| moved[*slot] = own.map_or(0, |own| counts[own]));
            moved
        };
        self.tree.own.iter_mut().for_each(|own| *own = moved(own));
        self.totals.counts = moved(&self.totals.counts);
        self.measures = other.clone();
        self
    }

    /// The measure that the profile's tool shows first. If it is not known, the first measure.
    pub fn default_measure(&self) -> Slot {
        self.measures.find(&self.default_measure).unwrap_or_default()
    }

    /// Whether the sum of the counts of all steps exceeds 64 bits. Sums are then limited to the range of 64
    /// bits.
    ///
    /// **Cost**: a pass over the tree.
    pub fn is_saturated(&self) -> bool {
        let sum = |slot: Slot| self.tree.own.iter().map(|own| i128::from(own[slot]).abs()).sum::<i128>();
        self.measures.iter().any(|(slot, _)| sum(slot) > i64::MAX.into())
    }

    /// The share of the profile that was joined to the code.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(&self.tree, &self.join, |place| &self.places[place].module)
    }

    /// Reads the places, whose nodes are consecutive, and returns the first of these nodes.
    fn read_places(&mut self, graph: &Graph, cancel: &Cancel) -> Result<u32, LayerReadError> {
        let names = &self.names;
        let property = |end: &str| graph.property(&names.name(end));
        let [module, function, file] = [property("MODULE")?, property("FUNCTION")?, property("FILE")?];
        let (line, address, class) = (property("LINE")?, property("ADDRESS")?, property("MATCH")?);
        let (nodes, at) = (graph.nodes(&names.name("PLACE"))?, graph.out(&names.name("AT"))?);
        let text =
            |property: &Property, node| property.str(node).map_or_else(String::new, |it| it.to_string());
        for (count, node) in nodes.iter().enumerate() {
            if count % STEPS_OF_LOOK == 0 {
                cancel.check().map_err(GraphError::from)?;
            }
            let texts = [&module, &function, &file];
            self.budget.take(PLACE_BYTES)?;
            texts.iter().try_for_each(|property| self.budget.take(text_len(property, node)))?;
            let [module, function, file] = texts.map(|property| text(property, node));
            self.places.push(StoredPlace {
                module,
                function,
                file,
                line: line.number(node).unwrap_or(0),
                address: address.number(node).unwrap_or(0) as u64,
            });
            let class = class.str(node).and_then(|class| MatchClass::of_name(&class));
            self.join.places.push((at.first(node), class.unwrap_or(MatchClass::None)));
        }
        Ok(nodes.iter().next().unwrap_or(0))
    }

    fn read_tree(&mut self, graph: &Graph, first_place: u32, cancel: &Cancel) -> Result<(), LayerReadError> {
        let Self { names, measures, tree, join, places, budget, .. } = self;
        let edges = |end: &str| graph.out(&names.name(end));
        let damage = |what| LayerReadError::Damaged { layer: names.layer.clone(), what };
        let (within, called_at, own_at) = (edges("IN")?, edges("CALLED_AT")?, graph.out(&names.own_at())?);
        let steps = graph.nodes(&names.name("STEP"))?;
        let (parent, first) = (graph.property(&names.name("PARENT"))?, steps.iter().next().unwrap_or(0));
        let own: Vec<Property> =
            names.own(measures).iter().map(|name| graph.property(name)).collect::<Result<_, GraphError>>()?;
        for (count, node) in steps.iter().enumerate() {
            if count % STEPS_OF_LOOK == 0 {
                cancel.check().map_err(GraphError::from)?;
            }
            let earlier = |above| {
                let above = u32::try_from(above).ok()?.checked_sub(first)?;
                Some(above).filter(|above| (*above as usize) < tree.len())
            };
            let above = parent.number(node).map(|above| {
                earlier(above).ok_or_else(|| damage("the caller of a step is no step before it"))
            });
            let above = above.transpose()?;
            let place = within.first(node).and_then(|place| place.checked_sub(first_place));
            let place = place.filter(|place| (*place as usize) < places.len());
            let place = place.ok_or_else(|| damage("a step has no place"))?;
            let mut counts = Counts::default();
            for ((slot, _), property) in measures.iter().zip(&own) {
                counts[slot] = property.number(node).unwrap_or(0);
            }
            budget.take(STEP_BYTES)?;
            tree.parents.push(above.unwrap_or(NONE));
            tree.place_of.push(place);
            tree.own.push(counts);
            join.called_at.push(called_at.first(node).filter(|_| above.is_some()));
            join.own_at.push(own_at.first(node));
        }
        Ok(())
    }
}

/// The length of a node's text in bytes.
fn text_len(property: &Property, node: u32) -> usize {
    let code = property.number(node).and_then(|code| u32::try_from(code).ok());
    code.zip(property.strings()).and_then(|(code, texts)| texts.text_len(code)).unwrap_or(0)
}
