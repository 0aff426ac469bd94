//! [`Stream`]: collects bytes for a hash.

use blake3::Hasher;

use super::ContentHash;
use varvite_graph::Graph;

/// A hasher that collects bytes into chunks large enough for BLAKE3 to be fast.
#[derive(Default)]
pub(super) struct Stream {
    hasher: Hasher,
    pending: Vec<u8>,
}

impl Stream {
    const PIECE: usize = 64 << 10;

    #[inline]
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= Self::PIECE {
            self.flush();
        }
    }

    #[inline]
    pub(super) fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    #[inline]
    pub(super) fn u64(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    #[inline]
    pub(super) fn hash(&mut self, hash: &ContentHash) {
        self.bytes(&hash.0);
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.u64(text.len() as u64);
        self.bytes(text);
    }

    /// Adds the number of names, and each name.
    pub(super) fn names(&mut self, names: &[&str]) {
        self.u64(names.len() as u64);
        names.iter().for_each(|name| self.text(name.as_bytes()));
    }

    /// Adds the name of a layer, by the index of the layer.
    pub(super) fn layer(&mut self, graph: &Graph, layer: u32) {
        self.text(layer_name(graph, layer).as_bytes());
    }

    #[inline(never)]
    fn flush(&mut self) {
        self.hasher.update(&self.pending);
        self.pending.clear();
    }

    /// The hash of the bytes that were added since the last call of `finish`.
    pub(super) fn finish(&mut self) -> ContentHash {
        self.flush();
        let hash = ContentHash(*self.hasher.finalize().as_bytes());
        self.hasher.reset();
        hash
    }
}

/// The name of a layer, by the index of the layer.
pub(super) fn layer_name(graph: &Graph, layer: u32) -> &str {
    graph.layers().get(layer as usize).map_or("", |layer| layer.name.as_str())
}
