//! Profiles of heaptrack: as all profiles, and what is counted at sites comes to what the run did.

use varvite_profile::heaptrack::{self, CALLS};
use varvite_profile::{Limits, ProfileFormat};

use super::profiles::read_profile;

/// Reads the profile, and asks what can be asked of it.
pub(crate) fn read_heaptrack(bytes: &[u8]) {
    read_profile(ProfileFormat::Heaptrack, bytes);
    let Ok(profile) = heaptrack::read(bytes, &Limits { memory_bytes: 16 << 20 }) else { return };
    let all: i64 = profile.sites.iter().map(|site| site.counts[CALLS]).fold(0, i64::saturating_add);
    assert!(profile.origin.is_attached || all == profile.totals.counts[CALLS]);
}
