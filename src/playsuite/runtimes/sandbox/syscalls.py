"""The system calls a game never needs, refused by the kernel: a smaller surface between a game and the host."""

from __future__ import annotations

import errno
from functools import cache
from tempfile import TemporaryFile

from playsuite.core.errors import SandboxError

FORBIDDEN = (
    # another process's memory, or a tracer's powers
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise"),
    # file systems and namespaces
    *("mount", "umount", "umount2", "pivot_root", "chroot", "unshare", "setns", "quotactl", "acct"),
    *("name_to_handle_at", "open_by_handle_at", "fanotify_init"),
    # the kernel itself
    *("bpf", "perf_event_open", "userfaultfd", "kexec_load", "kexec_file_load", "init_module", "finit_module"),
    *("delete_module", "reboot", "syslog", "iopl", "ioperm", "modify_ldt", "uselib", "lookup_dcookie", "vhangup"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "swapon", "swapoff"),
    *("sethostname", "setdomainname", "nfsservctl"),
    # keys, which no namespace separates
    *("add_key", "keyctl", "request_key"),
    # where memory lies
    *("move_pages", "migrate_pages", "mbind", "set_mempolicy"),
)

ABSENT = (
    # Programs fall back to the older calls, whose arguments a filter can see.
    *("clone3", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    # Memory that belongs to no process, so no limit would count it.
    *("memfd_create", "memfd_secret", "shmget", "msgget", "semget", "mq_open"),
)

NEW_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
"""CLONE_NEW flags: mount, cgroup, uts, ipc, user, pid, net."""

FAMILIES = {1, 2, 10}
"""Socket families that stay: Unix, IPv4, IPv6 (in a network of their own)."""

LAST_FAMILY = 45


@cache
def compiled_filter() -> bytes:
    """Return the filter as the kernel takes it. Compiled once: finding the library takes longer than a launch.

    Raises:
        SandboxError: libseccomp is missing.
    """
    try:
        import pyseccomp as seccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise SandboxError(
            f"no filter for system calls can be made ({error}). Install the Debian package libseccomp2"
        ) from error
    rules = seccomp.SyscallFilter(defaction=seccomp.ALLOW)
    for code, names in ((errno.EPERM, FORBIDDEN), (errno.ENOSYS, ABSENT)):
        for name in names:
            # A negative number: this machine's kind of processor does not have the call.
            if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) >= 0:
                rules.add_rule(seccomp.ERRNO(code), name)
    for flag in NEW_NAMESPACES:
        rules.add_rule(seccomp.ERRNO(errno.EPERM), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
    no_family = seccomp.ERRNO(errno.EAFNOSUPPORT)
    for family in set(range(LAST_FAMILY + 1)) - FAMILIES:
        rules.add_rule(no_family, "socket", seccomp.Arg(0, seccomp.EQ, family))
    rules.add_rule(no_family, "socket", seccomp.Arg(0, seccomp.GT, LAST_FAMILY))
    with TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
