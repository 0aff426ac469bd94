//! [`OpenGraphs`]: the graphs of a corpus that are open now, at most a fixed number of them.
//!
//! A graph that is used while others push it out stays open until its last user drops it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use varvite::Graph;

/// The open graphs, by the numbers of their files. The least recently used one is closed first.
#[derive(Debug)]
pub(crate) struct OpenGraphs {
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Each graph, with the time of its last use.
    graphs: HashMap<usize, (Arc<Graph>, u64)>,
    /// The numbers of files, by the time of their last use.
    by_use: BTreeMap<u64, usize>,
    /// The number of uses so far.
    now: u64,
}

impl OpenGraphs {
    /// Keeps at most `most` graphs open, and at least one.
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), state: Mutex::default() }
    }

    /// No graphs, with room for as many as these.
    pub(crate) fn empty(&self) -> Self {
        Self::new(self.most)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open graph of a file, which counts as a use.
    pub(crate) fn get(&self, file: usize) -> Option<Arc<Graph>> {
        self.lock().touched(file)
    }

    /// Keeps the graph of a file. Returns the graph to use: one that another thread opened meanwhile, if
    /// there is one.
    pub(crate) fn keep(&self, file: usize, graph: Graph) -> Arc<Graph> {
        let graph = Arc::new(graph);
        // Graphs are closed after the lock is free, since this unmaps their files.
        let _closed = {
            let mut state = self.lock();
            if let Some(earlier) = state.touched(file) {
                return earlier;
            }
            let now = state.tick();
            state.graphs.insert(file, (Arc::clone(&graph), now));
            state.by_use.insert(now, file);
            state.over(self.most)
        };
        graph
    }

    /// Closes the graph of a file, unless it is used.
    pub(crate) fn forget(&self, file: usize) {
        let mut state = self.lock();
        if let Some((graph, used)) = state.graphs.remove(&file) {
            state.by_use.remove(&used);
            drop(state);
            drop(graph);
        }
    }

    /// The number of open graphs.
    pub(crate) fn len(&self) -> usize {
        self.lock().graphs.len()
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    fn touched(&mut self, file: usize) -> Option<Arc<Graph>> {
        let now = self.tick();
        let (graph, used) = self.graphs.get_mut(&file)?;
        self.by_use.remove(used);
        *used = now;
        self.by_use.insert(now, file);
        Some(Arc::clone(graph))
    }

    /// Removes the least recently used graphs beyond `most`.
    fn over(&mut self, most: usize) -> Vec<Arc<Graph>> {
        let mut closed = Vec::new();
        while self.graphs.len() > most
            && let Some((_, file)) = self.by_use.pop_first()
        {
            closed.extend(self.graphs.remove(&file).map(|(graph, _)| graph));
        }
        closed
    }
}
