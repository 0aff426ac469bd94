//! The systems for which artefacts are made.
//!
//! The name of a system, such as `linux-x86_64`, is in the names of its artefacts. Java uses the same name as
//! the classifier of the jar with the native library, and `install.sh` computes it from `uname`.

use crate::{Failure, Outcome};

/// The oldest glibc with which the artefacts for Linux work: that of CentOS 7, Debian 8 and Ubuntu 14.04.
/// Note 108 compares it with a static musl.
pub(super) const GLIBC: &str = "2.17";

/// A system: its name, and Rust's name of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) triple: &'static str,
}

/// All systems. The order is that in which `make release-all` builds.
pub(crate) const TARGETS: [Target; 5] = [
    Target { name: "linux-x86_64", triple: "x86_64-unknown-linux-gnu" },
    Target { name: "linux-aarch64", triple: "aarch64-unknown-linux-gnu" },
    Target { name: "macos-aarch64", triple: "aarch64-apple-darwin" },
    Target { name: "macos-x86_64", triple: "x86_64-apple-darwin" },
    Target { name: "windows-x86_64", triple: "x86_64-pc-windows-gnu" },
];

impl Target {
    /// The system of this machine.
    pub(crate) fn host() -> Outcome<Self> {
        let name = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        Self::named(&name)
    }

    /// The system with this name.
    pub(crate) fn named(name: &str) -> Outcome<Self> {
        TARGETS.into_iter().find(|target| target.name == name).ok_or_else(|| {
            let names = TARGETS.map(|target| target.name).join(", ");
            Failure(format!("no artefacts are made for {name}: choose one of {names}"))
        })
    }

    /// The triple as `cargo zigbuild` takes it: for Linux, the oldest version of glibc follows.
    pub(crate) fn triple_of_zig(&self) -> String {
        match self.is_linux() {
            true => format!("{}.{GLIBC}", self.triple),
            false => self.triple.to_owned(),
        }
    }

    /// Whether the format of its libraries is ELF, in which symbols of a static library can be hidden.
    pub(crate) fn is_linux(&self) -> bool {
        self.name.starts_with("linux-")
    }

    /// The beginning of the names of binutils for this system, and the package of Debian that has them.
    pub(crate) fn binutils(&self) -> (&'static str, &'static str) {
        match self.name {
            "linux-aarch64" if !cfg!(target_arch = "aarch64") => {
                ("aarch64-linux-gnu-", "apt install binutils-aarch64-linux-gnu")
            }
            "linux-x86_64" if !cfg!(target_arch = "x86_64") => {
                ("x86_64-linux-gnu-", "apt install binutils-x86-64-linux-gnu")
            }
            _ => ("", "apt install binutils"),
        }
    }

    /// The file name of the shared library that cargo makes.
    pub(crate) fn built_library(&self) -> &'static str {
        self.by_system("libvarvite_c.so", "libvarvite_c.dylib", "varvite_c.dll")
    }

    /// The file name of the shared library that Java looks for.
    pub(crate) fn java_library(&self) -> &'static str {
        self.by_system("libvarvite.so", "libvarvite.dylib", "varvite.dll")
    }

    /// One of three texts: for Linux, for macOS or for Windows.
    pub(crate) fn by_system(
        &self,
        linux: &'static str,
        macos: &'static str,
        windows: &'static str,
    ) -> &'static str {
        match self.name.split_once('-') {
            Some(("linux", _)) => linux,
            Some(("macos", _)) => macos,
            _ => windows,
        }
    }

    /// The file name of a program.
    pub(crate) fn program(&self, name: &str) -> String {
        format!("{name}{}", self.by_system("", "", ".exe"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_without_artefacts_is_refused_by_name() {
        let failure = Target::named("linux-riscv64").unwrap_err();
        assert!(failure.0.contains("linux-riscv64") && failure.0.contains("macos-aarch64"), "{failure}");
    }

    #[test]
    fn linux_names_its_oldest_glibc() {
        assert_eq!(TARGETS[0].triple_of_zig(), "x86_64-unknown-linux-gnu.2.17");
        assert_eq!(TARGETS[4].triple_of_zig(), "x86_64-pc-windows-gnu");
        assert_eq!(TARGETS[4].program("varvite"), "varvite.exe");
    }
}
