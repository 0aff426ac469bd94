//! Sets the `soname` of the shared library, which linked programs look for: `libvarvite.so.` and the major
//! version of the interface.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libvarvite.so.1");
    }
}
