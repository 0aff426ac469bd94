//! Builds the crate again when the built page changes.

fn main() {
    println!("cargo::rerun-if-changed=assets");
}
