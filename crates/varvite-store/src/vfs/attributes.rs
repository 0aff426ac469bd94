//! [`Attributes`]: owner and permissions of a file, which are copied to the file that replaces it.
//!
//! It is an error if the permissions, or the extended attributes that programs set (`user.*`), can't be
//! copied. The owner and other extended attributes are copied if the system allows it, because only a
//! privileged process may give files to another user.

use std::ffi::OsString;

/// Owner, permissions and extended attributes of a file; on systems other than Unix only permissions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    mode: u32,
    owner: (u32, u32),
    extended: Vec<(OsString, Vec<u8>)>,
}

/// The permissions of a file that everybody may read.
#[cfg(not(unix))]
const USUAL: u32 = 0o644;
/// The permission bits to read, write and execute. A new file never gets any other mode bits.
const RIGHTS: u32 = 0o777;

impl Attributes {
    /// The permission bits, as `chmod` expects them.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// The attributes with other permission bits.
    #[must_use]
    pub fn with_mode(self, mode: u32) -> Self {
        Self { mode: mode & RIGHTS, ..self }
    }

    /// The permissions if the new file can't get the group of the old one: members of its group get only the
    /// permissions that everybody has.
    #[cfg(unix)]
    fn mode_for_another_group(&self) -> u32 {
        self.mode & !(0o070 & !((self.mode & 0o007) << 3))
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    use xattr::FileExt;

    use super::{Attributes, RIGHTS};

    impl Attributes {
        pub(in crate::vfs) fn of(file: &File) -> io::Result<Self> {
            let data = file.metadata()?;
            let mut extended = Vec::new();
            for name in unless_unsupported(file.list_xattr())?.into_iter().flatten() {
                // An attribute that has vanished or may not be read is not copied.
                if let Ok(Some(value)) = file.get_xattr(&name) {
                    extended.push((name, value));
                }
            }
            Ok(Self { mode: data.mode() & RIGHTS, owner: (data.uid(), data.gid()), extended })
        }

        pub(in crate::vfs) fn give_to(&self, file: &File) -> io::Result<()> {
            let (owner, group) = self.owner;
            let data = file.metadata()?;
            let mut has_group = data.gid() == group;
            if (data.uid(), data.gid()) != self.owner {
                has_group |= fchown(file, None, Some(group)).is_ok();
                let _ = fchown(file, Some(owner), None);
            }
            for (name, value) in &self.extended {
                let is_needed = name.as_encoded_bytes().starts_with(b"user.");
                file.set_xattr(name, value).or_else(|error| if is_needed { Err(error) } else { Ok(()) })?;
            }
            let mode = if has_group { self.mode } else { self.mode_for_another_group() };
            match file.metadata()?.mode() & RIGHTS == mode {
                true => Ok(()),
                false => file.set_permissions(Permissions::from_mode(mode)),
            }
        }
    }

    /// The list of extended attributes; `None` if the file system does not support them.
    fn unless_unsupported<T>(list: io::Result<T>) -> io::Result<Option<T>> {
        match list {
            Ok(list) => Ok(Some(list)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// On this system a new file inherits the access list of its folder, as the old file did.
#[cfg(not(unix))]
mod other {
    use std::fs::File;
    use std::io;

    use super::Attributes;

    impl Attributes {
        pub(in crate::vfs) fn of(file: &File) -> io::Result<Self> {
            let mode = if file.metadata()?.permissions().readonly() { 0o444 } else { super::USUAL };
            Ok(Self { mode, ..Self::default() })
        }

        pub(in crate::vfs) fn give_to(&self, file: &File) -> io::Result<()> {
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(self.mode & 0o200 == 0);
            file.set_permissions(permissions)
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn rights_of_a_group_are_for_that_group_alone() {
        let for_another = |mode| Attributes::default().with_mode(mode).mode_for_another_group();
        assert_eq!([0o640, 0o664, 0o660, 0o755].map(for_another), [0o600, 0o644, 0o600, 0o755]);
    }
}
