//! The content policy of a page: nothing is loaded, and only the page's own style and script count.
//!
//! The hashes are of the whole text between the tags (Content Security Policy, level 3).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The value of the policy for a page with this style and this script.
pub(super) fn policy(style: &str, script: &str) -> String {
    let (style, script) = (hash(style), hash(script));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; \
         form-action 'none'"
    )
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_style_and_the_script_by_their_hashes() {
        // The example of the specification's section on hashes.
        let known = "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=";
        assert!(policy("", "alert('Hello, world.');").contains(&format!("script-src '{known}';")));
    }
}
