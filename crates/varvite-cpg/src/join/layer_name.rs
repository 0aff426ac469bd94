//! Names of layers of traces and profiles.

/// Longest name of a layer.
const NAME_MAX: usize = 32;

/// Whether a trace or a profile may have a name, which becomes part of those of properties: letters, digits
/// and `_`, at most 32 of them.
pub fn is_layer_name(name: &str) -> bool {
    name.len() <= NAME_MAX && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
