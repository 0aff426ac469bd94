//! The memory that this process may use: the least of the machine's memory, the limits of its control groups,
//! and its address-space limit.
//!
//! Reads `/proc` and `/sys/fs/cgroup` on Linux. On other systems the answer is `None`, never a guess.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder in which Linux shows control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// The default memory of an operation, in bytes, if the system does not report its memory.
const UNKNOWN: usize = 1 << 30;

/// The memory that an operation may hold by default, in bytes: a quarter of the memory that this process may
/// use, as limited by the machine, its control groups or `ulimit`; 1 GiB if the system does not report these
/// limits. The limits are read once per process.
pub fn default_memory() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let quarter = usable_memory().map(|bytes| bytes / 4);
        quarter.map_or(UNKNOWN, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX / 4))
    })
}

/// The least of the machine's memory, the limits of the control groups that this process is in, and its
/// address-space limit, in bytes. Costs a few small reads of files.
pub fn usable_memory() -> Option<u64> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let machine = read(Path::new("/proc/meminfo")).and_then(|text| total(&text));
    let process = read(Path::new("/proc/self/limits")).and_then(|text| address_limit(&text));
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let group = limit_files(&groups).filter_map(|path| read(&path)?.trim().parse().ok()).min();
    [machine, process, group].into_iter().flatten().min()
}

/// The value of `MemTotal` in `/proc/meminfo`, in bytes.
fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The soft address-space limit in `/proc/self/limits`; `None` if it is `unlimited`.
fn address_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The files that may limit the groups named in `/proc/self/cgroup` and their ancestors. In a container, the
/// file may name the groups as they are named outside; then only the root folder of the groups exists in the
/// container.
fn limit_files(groups: &str) -> impl Iterator<Item = PathBuf> + '_ {
    let places = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        match controllers {
            "" => Some((PathBuf::from(GROUPS), group, "memory.max")),
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                Some((Path::new(GROUPS).join("memory"), group, "memory.limit_in_bytes"))
            }
            _ => None,
        }
    });
    places.flat_map(|(root, group, file)| {
        let folders: Vec<PathBuf> =
            Path::new(group).ancestors().map(|part| root.join(part).join(file)).collect();
        folders
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_the_machine_is_in_kibibytes() {
        assert_eq!(total("MemTotal:       16384 kB\nMemFree:  1 kB\n"), Some(16 << 20));
        assert_eq!(total("MemFree:  1 kB\n"), None);
    }

    #[test]
    fn the_soft_limit_of_addresses_counts() {
        let limits =
            "Max file size   unlimited  unlimited  bytes\nMax address space  536870912  unlimited  bytes\n";
        assert_eq!(address_limit(limits), Some(512 << 20));
        assert_eq!(address_limit("Max address space  unlimited  unlimited  bytes\n"), None);
    }

    #[test]
    fn groups_are_limited_by_those_around_them() {
        let files =
            |groups: &str| limit_files(groups).map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(
            files("0::/a/b\n"),
            ["/sys/fs/cgroup/a/b/memory.max", "/sys/fs/cgroup/a/memory.max", "/sys/fs/cgroup/memory.max"]
        );
        assert_eq!(
            files("7:cpu:/a\n4:memory,hugetlb:/a\n"),
            ["/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        );
    }
}
