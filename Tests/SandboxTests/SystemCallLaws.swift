import CSeccomp
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Sandbox

/// Every try runs in a process that locked itself down as a command of its kind does.
@Suite struct SystemCallLaws {
    /// Calls with arguments that work outside: the probe shows first that they do, so a refusal inside is the
    /// filter's.
    static let working = [
        "memfd_create name 0", "pidfd_open self 0", "shmget 305419896 0 0", "msgget 305419896 0",
        "semget 305419896 0 0",
        "name_to_handle_at 0 0",
        "personality 0xffffffff", "kcmp self self 1 0 0", "syslog 10 0 0", "userfaultfd 1",
    ]

    /// Only root may do these, so a root shows that they work.
    static let workingForRoot = [
        "fsopen name 0", "open_tree -100 slash 0", "unshare 0x20000", "keyctl 0 -3 1", "bpf 3 space 0",
    ]

    @Test(arguments: Kind.allCases)
    func callsThatWorkOutsideEndTheProcess(kind: Kind) throws {
        let outside = geteuid() == 0 ? Self.working + Self.workingForRoot : Self.working
        for words in outside {
            let control = try Probe.run("none", words.split(separator: " ").map(String.init))
            // Some kernels lack one, and some arguments make the kernel complain: it has the call if it does.
            #expect(
                control != .deadly && control != .refused || words.hasPrefix("userfaultfd"),
                "\(words) outside: \(control)")
            #expect(try Probe.run(kind, words) == .deadly, "\(words)")
        }
    }

    /// Written out here: a name that leaves the program's list fails this test.
    static let deadly = """
        ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_open pidfd_getfd pidfd_send_signal kcmp
        rt_sigqueueinfo rt_tgsigqueueinfo tkill bpf perf_event_open userfaultfd init_module finit_module delete_module kexec_load
        kexec_file_load reboot swapon swapoff acct quotactl quotactl_fd syslog iopl ioperm modify_ldt lookup_dcookie vhangup unshare setns
        chroot pivot_root mount umount2 fsopen fsconfig fsmount fspick open_tree move_mount mount_setattr open_by_handle_at
        name_to_handle_at add_key request_key keyctl memfd_create memfd_secret shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget
        semop semtimedop semctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr personality pkey_mprotect
        remap_file_pages
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test(arguments: Kind.allCases)
    func whatNoLibraryAsksForEndsTheProcess(kind: Kind) throws {
        for name in Self.deadly {
            let outcome = try Probe.run(kind, name)
            #expect(outcome == .deadly || outcome == .unknownCall, "\(name): \(outcome)")
        }
    }

    /// Sockets and io_uring, which self-test tries; identity, clocks, devices, other processes' limits, and
    /// what nobody here uses.
    static let refused = """
        socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg shutdown setsockopt io_uring_setup
        io_uring_enter io_uring_register setuid setgid setresuid setresgid setgroups capset sethostname settimeofday clock_settime
        clock_adjtime mknodat symlinkat chown fchownat setxattr utimensat setpgid setpriority sched_setscheduler ioprio_set splice tee
        vmsplice copy_file_range sendfile inotify_init1 fanotify_init eventfd2 signalfd4 timerfd_create epoll_create1 seccomp_unotify
        set_mempolicy migrate_pages move_pages mbind membarrier getrusage times alarm timer_create
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test(arguments: Kind.allCases)
    func whatIsOnNoListFails(kind: Kind) throws {
        for name in Self.refused {
            let outcome = try Probe.run(kind, name)
            #expect(outcome == .refused || outcome == .unknownCall, "\(name): \(outcome)")
        }
    }

    @Test(arguments: Kind.allCases)
    func libcFindsAnOlderKernelWhereItHasAnotherWay(kind: Kind) throws {
        for name in ["clone3", "openat2", "fchmodat2", "preadv2", "pwritev2"] {
            let outcome = try Probe.run(kind, name)
            #expect(outcome == .failed(ENOSYS) || outcome == .unknownCall, "\(name): \(outcome)")
        }
    }

    @Test(arguments: Kind.allCases)
    func onlyACommandThatStartsTheScannerExecutesPrograms(kind: Kind) throws {
        // With no path the kernel complains where the call is allowed.
        #expect(try Probe.run(kind, "execve 0 0 0") == (kind == .starting ? .failed(EFAULT) : .refused))
        #expect(try Probe.run(kind, "execveat -1 0 0 0 0") == .refused)
        #expect(try Probe.run(kind, "fork") == (kind.forks ? .succeeded : .refused))
        #expect(try Probe.run(kind, "wait4 -1 0 0 0") == (kind.forks ? .failed(ECHILD) : .refused))
        #expect(try Probe.run(kind, "prctl 1 9") == (kind.forks ? .succeeded : .refused))
    }

    @Test func afterItsPicturesACommandStartsNothing() throws {
        #expect(try Probe.run("started", ["execve", "0", "0", "0"]) == .refused)
        #expect(try Probe.run("started", ["map-file"]) == .refused)
        #expect(try Probe.run("started", ["memfd_create", "name", "0"]) == .deadly)
        // It still forks: a child draws what nobody else may keep.
        #expect(try Probe.run("started", ["end-own-child"]) == .succeeded)
        #expect(try Probe.run("started", ["openat", "-100", "null", "0"]) == .succeeded)
    }

    @Test(arguments: Kind.allCases)
    func neitherThreadsNorNamespacesAreMade(kind: Kind) throws {
        // CLONE_THREAD with what it needs; CLONE_NEWUSER, NEWNS, NEWNET, NEWPID; CLONE_PARENT;
        // CLONE_UNTRACED.
        for flags in ["0x10f00", "0x10000011", "0x20011", "0x40000011", "0x20000011", "0x8011", "0x800011"] {
            #expect(try Probe.run(kind, "clone \(flags) 0 0 0 0") == .refused, "\(flags)")
        }
    }

    @Test(arguments: Kind.allCases)
    func onlyACommandWithAVaultWrites(kind: Kind) throws {
        let writes = kind == .vault
        for name in [
            "fsync -1", "fdatasync -1", "ftruncate -1 0", "pwrite64 -1 space 1 0", "flock -1 2",
            "fchmod -1 0", "fchown -1 0 0",
        ] {
            #expect(try Probe.run(kind, name) == (writes ? .failed(EBADF) : .refused), "\(name)")
        }
        for name in [
            "rename 0 0", "renameat2 -1 0 -1 0 0", "unlink 0", "unlinkat -1 0 0", "mkdir 0 0", "link 0 0",
            "rmdir 0", "chmod 0 0",
        ] {
            #expect(try Probe.run(kind, name) == (writes ? .failed(EFAULT) : .refused), "\(name)")
        }
        for lock in ["5", "6", "7"] {
            #expect(try Probe.run(kind, "fcntl -1 \(lock) space") == (writes ? .failed(EBADF) : .refused))
        }
    }

    @Test(arguments: Kind.allCases)
    func withoutAVaultFilesAreOpenedForReadingOnly(kind: Kind) throws {
        #expect(try Probe.run(kind, "openat -100 null 0") == .succeeded)
        // O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_TMPFILE
        for flags in ["1", "2", "0x40", "0x200", "0x410000"] where kind != .vault {
            #expect(try Probe.run(kind, "openat -100 null \(flags) 0x180") == .refused, "\(flags)")
            #expect(
                [.refused, .unknownCall].contains(try Probe.run(kind, "open null \(flags) 0x180")), "\(flags)"
            )
        }
        if kind == .vault { #expect(try Probe.run(kind, "openat -100 null 2") == .succeeded) }
    }

    @Test(arguments: Kind.allCases)
    func theTerminalTakesNoTypedCharacters(kind: Kind) throws {
        // TIOCSTI and TIOCLINUX; the kernel reads 32 bits of the request, so bits above them change nothing.
        for request in ["0x5412", "0x541c", "0x100005412", "0x10000541c"] {
            #expect(try Probe.run(kind, "ioctl -1 \(request) space") == .deadly, "\(request)")
        }
        // TIOCSCTTY, TIOCSPGRP, TIOCCONS, TIOCSETD, FIONREAD, FIOASYNC, KDSETMODE, SIOCGIFCONF
        for request in ["0x540e", "0x5410", "0x541d", "0x5423", "0x541b", "0x5452", "0x4b3a", "0x8912"] {
            #expect(try Probe.run(kind, "ioctl -1 \(request) space") == .refused, "\(request)")
        }
        // TCGETS, TCSETS, TCSETSW, TCSETSF, TCFLSH, TIOCGWINSZ
        for request in ["0x5401", "0x5402", "0x5403", "0x5404", "0x540b", "0x5413"] {
            #expect(try Probe.run(kind, "ioctl -1 \(request) space") == .failed(EBADF), "\(request)")
        }
    }

    @Test(arguments: Kind.allCases)
    func noMemoryBecomesCode(kind: Kind) throws {
        #expect(try Probe.run("none", ["write-then-map"]) == .succeeded)
        #expect(try Probe.run(kind, "write-then-map") == .deadly)
        for protection in ["4", "5", "6", "7"] {
            #expect(
                try Probe.run(kind, "mprotect page 4096 \(protection)") == .deadly, "mprotect \(protection)")
            #expect(
                try Probe.run(kind, "mmap 0 4096 \(protection) 0x22 -1 0") == .refused, "mmap \(protection)")
            // Shared and anonymous.
            #expect(
                try Probe.run(kind, "mmap 0 4096 \(protection) 0x21 -1 0") == .refused, "mmap \(protection)")
        }
        // Only a program that starts another one maps files as code, and never files that it can write
        // through the mapping.
        #expect(try Probe.run(kind, "map-file") == (kind == .starting ? .succeeded : .refused))
        #expect(try Probe.run(kind, "mmap 0 4096 7 0x1 0 0") == .refused)
        #expect(try Probe.run(kind, "mmap 0 4096 3 0x22 -1 0") == .succeeded)
    }

    @Test(arguments: Kind.allCases)
    func whatWasGivenUpStaysGivenUp(kind: Kind) throws {
        // PR_SET_DUMPABLE 1; PR_SET_NAME; PR_SET_PTRACER; PR_CAP_AMBIENT; PR_SET_MM
        for arguments in ["4 1", "15 space", "0x59616d61 -1", "47 2 0", "35 1 0"] {
            #expect(try Probe.run(kind, "prctl \(arguments)") == .refused, "prctl \(arguments)")
        }
        #expect(try Probe.run(kind, "prctl 4 0") == (kind.forks ? .succeeded : .refused))
        // F_SETOWN, F_SETSIG, F_NOTIFY, F_ADD_SEALS, F_SETLEASE
        for command in ["8", "10", "1026", "1033", "1024"] {
            #expect(try Probe.run(kind, "fcntl 0 \(command) 0") == .refused, "fcntl \(command)")
        }
        #expect(try Probe.run(kind, "prlimit64 parent 7 0 space") == .refused)
        #expect(try Probe.run(kind, "prlimit64 0 7 0 space") == .succeeded)
    }

    @Test(arguments: Kind.allCases)
    func signalsReachOnlyWhatTheProgramStarted(kind: Kind) throws {
        // Nothing but SIGKILL, and nothing where no child is.
        for words in ["kill parent 0", "kill parent 15", "kill self 19", "tgkill parent parent 0"] {
            #expect(try Probe.run(kind, words) == .refused, "\(words)")
        }
        #expect(try Probe.run(kind, "end-own-child") == (kind.forks ? .succeeded : .failed(EPERM)))
    }

    @Test func landlockKeepsSignalsInside() throws {
        guard
            try Requirement.isMet(
                heliograph_landlock_abi() >= LandlockRuleset.scopesABI, "the kernel's Landlock has no scopes")
        else {
            return
        }
        for kind in [Kind.forking, .starting] {
            let stranger = try SpawnedProcess("/bin/sleep", ["30"])
            // seccomp allows SIGKILL to a program with children; only Landlock knows whose they are.
            #expect(try Probe.run(kind, "kill \(stranger.id) 9") == .refused)
            #expect(Glibc.kill(stranger.id, 0) == 0)
            stranger.kill()
            #expect(stranger.wait()?.signal == SIGKILL)
        }
    }

    @Test func theProcessIsNotDumpable() throws {
        #expect(try Probe.run("none", ["dumpable"]) == .succeeded)
    }

    /// Whose the files of a process in `/proc` are: root's where the process cannot be looked into by its own
    /// user.
    @Test func itsOwnUserCannotLookIntoTheProcess() throws {
        guard try Requirement.isMet(geteuid() == 0, "only root can start a process of another user") else {
            return
        }
        func owner(_ kind: String) throws -> UInt32 {
            let held = try SpawnedProcess(Probe.program, [kind, "hold"], pipesInput: true)
            var byte: UInt8 = 0
            #expect(read(held.output, &byte, 1) == 1)
            var status = stat()
            #expect(stat("/proc/\(held.id)/maps", &status) == 0)
            return status.st_uid
        }
        #expect(try owner("none") == 65534)
        for kind in Kind.allCases { #expect(try owner(kind.rawValue) == 0) }
        #expect(try owner("worker") == 0)
    }

    @Test func closingLeavesTwoDescriptors() throws {
        #expect(try Probe.run("none", ["descriptors"]) == .succeeded)
    }

    @Test func aWorkerDiesOfEverythingButItsFourThings() throws {
        for name in Self.deadly + Self.refused + [
            "execve", "fork", "clone", "kill", "prctl", "ioctl", "fcntl", "openat2", "rename", "getpid",
        ] {
            let outcome = try Probe.run("worker", [name])
            #expect(outcome == .deadly || outcome == .unknownCall, "\(name): \(outcome)")
        }
        #expect(try Probe.run("worker", ["openat", "-100", "null", "0"]) == .refused)
        #expect(try Probe.run("worker", ["write-then-map"]) == .deadly)
        #expect(try Probe.run("worker", ["mmap", "0", "4096", "3", "0x22", "-1", "0"]) == .succeeded)
    }

    /// The lists make a filter on the other architecture that the programs run on, and allow a way to do each
    /// thing there.
    @Test func theListsHoldOnAnotherArchitecture() throws {
        let aarch64: UInt32 = 0xc000_00b7
        let groups = SystemCallFilter.groups(for: .init(writable: ["/tmp"], executable: ["/bin/true"]))
        let filter = try SystemCallFilter.filter(groups, architecture: aarch64)
        let known = Set(groups.flatMap(\.allNames).filter(filter.knows))
        for ways in [
            ["open", "openat"], ["stat", "newfstatat"], ["dup2", "dup3"], ["pipe", "pipe2"],
            ["poll", "ppoll"], ["select", "pselect6"],
            ["rename", "renameat", "renameat2"], ["unlink", "unlinkat"], ["mkdir", "mkdirat"],
            ["link", "linkat"], ["fork", "clone"],
            ["readlink", "readlinkat"], ["access", "faccessat"], ["chmod", "fchmodat"],
        ] {
            #expect(!known.isDisjoint(with: ways), "\(ways)")
        }
        #expect(!known.contains("open") && !known.contains("fork"))
    }

    @Test func everyNameOfTheListsIsACall() {
        let groups = SystemCallFilter.groups(for: .init(writable: ["/tmp"], executable: ["/bin/true"]))
        let names = groups.flatMap(\.allNames) + SystemCallList.absent + SystemCallList.deadly
        // Zero and more is a number, below -1 a call of another architecture; newer names than this library
        // may be unknown.
        let unknown = names.filter { seccomp_syscall_resolve_name($0) == -1 }
        #expect(
            unknown.isEmpty || Set(unknown).isSubset(of: ["fchmodat2", "set_mempolicy_home_node"]),
            "\(unknown)")
        #expect(Set(groups.flatMap(\.names)).isDisjoint(with: SystemCallList.deadly))
        #expect(groups.allSatisfy { !$0.reason.isEmpty && !$0.allNames.isEmpty })
    }
}
