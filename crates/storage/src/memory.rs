//! How much memory is available, so that a request for more is refused at once.
//!
//! A system that promises more memory than it has kills the program once it uses that memory. So we ask first.

use std::error::Error;
use std::fmt;
use std::io;

/// A table is larger than the memory available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// The bytes that were asked for.
    pub wanted: u64,
    /// The bytes that are available.
    pub spare: u64,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoRoom { wanted, spare } = self;
        let mib = wanted.div_ceil(1 << 20);
        write!(f, "{mib} MiB are needed and {} are available", spare >> 20)
    }
}

impl Error for NoRoom {}

/// Requests for less than this are granted without a check.
const SMALL: u64 = 16 << 20;

/// Refuses a request for more memory than is available.
pub fn room_for(wanted: u64) -> io::Result<()> {
    if wanted < SMALL {
        return Ok(());
    }
    match spare_memory() {
        Some(spare) if wanted > spare => Err(io::Error::new(
            io::ErrorKind::OutOfMemory,
            NoRoom { wanted, spare },
        )),
        _ => Ok(()),
    }
}

/// The bytes that this process can still allocate: what the machine, its container and its own limits leave, minus a
/// little for other programs. `None` where the system does not say.
pub fn spare_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let spare = [
            linux::of_machine(),
            linux::of_container(),
            linux::of_process(),
        ];
        let spare = spare.into_iter().flatten().min()?;
        Some(spare - spare / 16)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns memory that was freed but is still kept by the allocator to the system. After many searches by many threads
/// that is most of the program's memory.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: it may be called at any time by any thread, and touches only memory that is not in use.
        unsafe { malloc_trim(0) };
    }
}

/// Asks the allocator to keep little freed memory: blocks of 128 KiB and more are mapped one by one and unmapped when they
/// are freed, and all threads share one arena. For programs that run for days and whose threads come and go.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;
        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        const MMAP_THRESHOLD: c_int = -3;
        const ARENA_MAX: c_int = -8;
        // SAFETY: it may be called at any time by any thread, and changes only where later blocks come from.
        unsafe {
            mallopt(MMAP_THRESHOLD, 128 << 10);
            mallopt(ARENA_MAX, 1);
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::Path;

    /// What the kernel can give without swapping.
    pub(super) fn of_machine() -> Option<u64> {
        available(&fs::read_to_string("/proc/meminfo").ok()?)
    }

    fn available(meminfo: &str) -> Option<u64> {
        let mut lines = meminfo.lines();
        let text = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kib: u64 = text.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib << 10)
    }

    /// What the control groups of this process leave, for both versions of control groups.
    pub(super) fn of_container() -> Option<u64> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        of_groups(&groups, Path::new("/sys/fs/cgroup"))
    }

    fn of_groups(groups: &str, root: &Path) -> Option<u64> {
        // A line is "number:controllers:path".
        let of_line = |line: &str| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            let path = path.trim_start_matches('/');
            match controllers {
                "" => of_path(root, path, &VERSION_2),
                _ if controllers.split(',').any(|name| name == "memory") => {
                    of_path(&root.join("memory"), path, &VERSION_1)
                }
                _ => None,
            }
        };
        groups.lines().filter_map(of_line).min()
    }

    /// The files of a group, its limit and what it uses, and the name of the part of that use that can be dropped.
    struct Files {
        limit: &'static str,
        used: &'static str,
        cache: &'static str,
    }

    const VERSION_1: Files = Files {
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        cache: "total_inactive_file",
    };

    const VERSION_2: Files = Files {
        limit: "memory.max",
        used: "memory.current",
        cache: "inactive_file",
    };

    /// The least that a group or one of its parents leaves.
    fn of_path(root: &Path, path: &str, files: &Files) -> Option<u64> {
        let group = root.join(path);
        let around = group
            .ancestors()
            .take_while(|group| group.starts_with(root));
        around.filter_map(|group| of_group(group, files)).min()
    }

    fn of_group(group: &Path, files: &Files) -> Option<u64> {
        let number = |name| -> Option<u64> {
            let text = fs::read_to_string(group.join(name)).ok()?;
            text.trim().parse().ok()
        };
        // Without a limit the file holds a word, or there is no file.
        let limit = number(files.limit)?;
        let used = number(files.used)?;
        let about = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cache = about.lines().find_map(|line| {
            let (name, bytes) = line.split_once(' ')?;
            (name == files.cache).then(|| bytes.parse().ok())?
        });
        Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
    }

    /// What the process's own limit of address space leaves.
    pub(super) fn of_process() -> Option<u64> {
        let limits = fs::read_to_string("/proc/self/limits").ok()?;
        let limit = address_space(&limits)?;
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let mut lines = status.lines();
        let used = lines.find_map(|line| line.strip_prefix("VmSize:"))?;
        let used: u64 = used.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(limit.saturating_sub(used << 10))
    }

    /// The soft limit, in bytes; `None` if it is unlimited.
    fn address_space(limits: &str) -> Option<u64> {
        let mut lines = limits.lines();
        let line = lines.find_map(|line| line.strip_prefix("Max address space"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_the_kernel_says_is_read() {
            let meminfo = "MemTotal:  100 kB\nMemAvailable:    24 kB\nCached: 3 kB\n";
            assert_eq!(available(meminfo), Some(24 << 10));
            assert_eq!(available("MemTotal:  100 kB\n"), None);
            let line = "Max address space         4096000              unlimited            bytes";
            assert_eq!(address_space(line), Some(4_096_000));
            let line = "Max address space         unlimited            unlimited            bytes";
            assert_eq!(address_space(line), None);
        }

        #[test]
        fn the_tightest_group_counts() {
            let root = tempfile::tempdir().expect("a folder");
            let put = |path: &str, name: &str, text: &str| {
                let folder = root.path().join(path);
                fs::create_dir_all(&folder).expect("a folder");
                fs::write(folder.join(name), text).expect("a file");
            };
            put("a/b", "memory.max", "max\n");
            put("a/b", "memory.current", "5\n");
            put("a", "memory.max", "1000\n");
            put("a", "memory.current", "400\n");
            put("a", "memory.stat", "anon 300\ninactive_file 100\n");
            put("memory/c", "memory.limit_in_bytes", "900\n");
            put("memory/c", "memory.usage_in_bytes", "100\n");
            let of = |groups| of_groups(groups, root.path());
            assert_eq!(of("0::/a/b\n"), Some(700));
            assert_eq!(of("4:cpu,memory:/c\n0::/a/b\n"), Some(700));
            assert_eq!(of("4:memory:/c\n"), Some(800));
            assert_eq!(of("4:cpu:/c\n"), None);
            assert_eq!(of("4:memory:/not/there\n"), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_refused_with_what_there_is() {
        assert!(room_for(1 << 20).is_ok());
        if let Some(spare) = spare_memory() {
            assert!(spare > 0);
            let refused = room_for(u64::MAX).expect_err("more than any machine has");
            assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
            assert!(refused.to_string().contains("are available"), "{refused}");
        }
    }
}
