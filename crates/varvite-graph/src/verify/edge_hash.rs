//! [`edge_hash`]: a hash of an edge. Sets of edges are compared by the sums of their hashes, so their order
//! does not matter.

/// The hash of the edge from `source` to `target` at `place` in the out-list of its source. Different sets of
/// edges have different wrapping sums of hashes, except by chance. Pass 0 as `place` if places are not
/// compared. Uses the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
#[inline]
pub fn edge_hash(source: u32, target: u32, place: i64) -> u64 {
    let mut number = u64::from(source) << 32 | u64::from(target);
    number ^= (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_places_all_count() {
        let edges = [(1, 2, 0), (2, 1, 0), (1, 2, 1), (1, 3, 0), (0, 0, 0), (0, 0, 1)];
        let mut hashes = edges.map(|(source, target, place)| edge_hash(source, target, place));
        hashes.sort_unstable();
        assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
