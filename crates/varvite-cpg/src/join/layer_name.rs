//! Names of the layers that imports of traces and profiles add.

/// The maximum length of a layer's name, in bytes.
const NAME_MAX: usize = 32;

/// Whether a layer of a trace or a profile may have this name: at most 32 letters, digits and `_`. The name
/// becomes part of the names of properties.
pub fn is_layer_name(name: &str) -> bool {
    name.len() <= NAME_MAX && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
