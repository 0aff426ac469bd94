//! Gives the shared library the name that linked programs look for: `libvarvite.so.` and the major version of
//! the interface.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libvarvite.so.1");
    }
}
