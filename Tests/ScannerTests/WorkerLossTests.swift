import Glibc
import ScanProtocol
import TestSupport
import Testing

/// Workers are ended from outside here, as the kernel ends one that was led astray.
@Suite struct WorkerLossTests {
    /// Processor time that a process used, in clock ticks; nil when it is gone.
    private func ticks(_ process: pid_t) -> Int? {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 1024)
        guard fgets(&text, Int32(text.count), file) != nil else { return nil }
        let line = String(
            decoding: text.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? Int(fields[11]) : nil
    }

    /// The worker that is at the hard picture: it alone uses this much processor time; a small good picture
    /// is done in much less.
    private func busyWorker(of scanner: RunningScanner) -> pid_t? {
        var found: pid_t?
        _ = RunningScanner.wait(60) {
            found = scanner.workers.first { (ticks($0) ?? 0) > 25 }
            return found != nil
        }
        return found
    }

    @Test func aWorkerThatDiesCostsItsPictureOnly() throws {
        let folder = TemporaryDirectory()
        let good = try folder.write(Pictures.png(Pictures.payload(1)), to: "good.png")
        let scanner = try RunningScanner([try folder.write(Pictures.hardVideo(1), to: "hard.y4m"), good])
        kill(try #require(busyWorker(of: scanner)), SIGSEGV)
        let events = try scanner.rest()
        #expect(events.compactMap(\.problem) == [.crashed(signal: SIGSEGV)])
        #expect(
            events.first
                == .picture(
                    name: folder.path + "/hard.y4m", frame: 0, outcome: .problem(.crashed(signal: SIGSEGV))))
        #expect(events.compactMap(\.code) == [Pictures.payload(1)], "\(events)")
        #expect(events.last == .finished)
    }

    @Test func aWorkerThatHangsCostsItsPictureOnly() throws {
        let folder = TemporaryDirectory()
        let good = try folder.write(Pictures.png(Pictures.payload(2)), to: "good.png")
        let scanner = try RunningScanner([try folder.write(Pictures.hardVideo(1), to: "hard.y4m"), good])
        kill(try #require(busyWorker(of: scanner)), SIGSTOP)
        let events = try scanner.rest()
        #expect(events.compactMap(\.problem) == [.tookTooLong(milliseconds: 10_000)])
        #expect(events.compactMap(\.code) == [Pictures.payload(2)], "\(events)")
        #expect(events.last == .finished)
    }

    /// On a machine with much else to do a picture takes longer than the limit by the clock, but not of the
    /// processor: frames of honest videos were lost.
    @Test func aWorkerThatGetsLittleOfAProcessorIsWaitedFor() throws {
        let folder = TemporaryDirectory()
        let scanner = try RunningScanner([try folder.write(Pictures.hardVideo(1), to: "hard.y4m")])
        let worker = try #require(busyWorker(of: scanner))
        // A few hundredths of the processor, until the limit is over.
        for _ in 0..<40 {
            kill(worker, SIGSTOP)
            usleep(290_000)
            kill(worker, SIGCONT)
            usleep(5000)
        }
        let events = try scanner.rest()
        #expect(
            events.first == .picture(name: folder.path + "/hard.y4m", frame: 0, outcome: .noCode), "\(events)"
        )
        #expect(events.last == .finished)
    }

    /// Ten pictures of which each takes the whole time held the scanner for a minute and more.
    @Test func afterTwoTimeoutsTheRestOfAnInputIsSkipped() throws {
        let folder = TemporaryDirectory()
        let good = try folder.write(Pictures.png(Pictures.payload(3)), to: "good.png")
        let hard = try folder.write(Pictures.hardVideo(60), to: "hard.y4m")
        let scanner = try RunningScanner([hard, good])
        // Every worker hangs as soon as it has a picture; the ones that take their place, too.
        var stopped: Set<pid_t> = []
        while stopped.count < 64, let process = busyOrNew(of: scanner, but: stopped) {
            kill(process, SIGSTOP)
            stopped.insert(process)
            if stopped.count == 2 { break }
        }
        let events = try scanner.rest()
        let problems = events.compactMap(\.problem)
        #expect(problems.count { $0 == .tookTooLong(milliseconds: 10_000) } == 2, "\(problems)")
        #expect(problems.contains(.skipped(.inputTimeouts)))
        #expect(events.count { if case .picture(let name, _, _) = $0 { name == hard } else { false } } < 60)
        #expect(events.compactMap(\.code) == [Pictures.payload(3)])
        #expect(events.last == .finished)
    }

    /// Whoever holds a camera, or writes to a pipe, ends it: the same two timeouts skip nothing there.
    @Test func afterTwoTimeoutsALiveInputGoesOn() throws {
        let scanner = try RunningScanner(["-"])
        let video = Pictures.hardVideo(3)
        let header = try #require(video.firstIndex(of: UInt8(ascii: "\n"))) + 1
        let frame = (video.count - header) / 3
        try scanner.write(Array(video[..<(header + 2 * frame)]))
        var stopped: Set<pid_t> = []
        while stopped.count < 2, let process = busyOrNew(of: scanner, but: stopped) {
            kill(process, SIGSTOP)
            stopped.insert(process)
        }
        #expect(try scanner.next()?.problem == .tookTooLong(milliseconds: 10_000))
        #expect(try scanner.next()?.problem == .tookTooLong(milliseconds: 10_000))
        try scanner.write(Array(video[(header + 2 * frame)...]))
        scanner.closeInput()
        let events = try scanner.rest()
        #expect(events.first == .picture(name: "-", frame: 2, outcome: .noCode), "\(events)")
        #expect(events.last == .finished && events.allSatisfy { $0.problem == nil })
    }

    private func busyOrNew(of scanner: RunningScanner, but known: Set<pid_t>) -> pid_t? {
        var found: pid_t?
        _ = RunningScanner.wait(60) {
            found = scanner.workers.first { !known.contains($0) && (ticks($0) ?? 0) > 25 }
            return found != nil
        }
        return found
    }

    /// One letter of `/proc/PID/stat`; nil when the process is gone. A dead one that nobody waited for yet is
    /// `Z`.
    private func state(_ process: pid_t) -> Character? {
        guard let line = RunningScanner.line("/proc/\(process)/stat"), let end = line.lastIndex(of: ")")
        else { return nil }
        return line[line.index(after: end)...].first { $0 != " " }
    }

    private func isGone(_ process: pid_t) -> Bool { [nil, "Z", "X"].contains(state(process)) }

    /// The workers are stopped first: they cannot notice that their pipes closed, so only the kernel can end
    /// them.
    @Test func workersDieWithTheirBroker() throws {
        let scanner = try RunningScanner(["-"])
        let filters = { RunningScanner.status($0, "Seccomp_filters") ?? 0 }
        #expect(
            RunningScanner.wait {
                !scanner.workers.isEmpty
                    && scanner.workers.allSatisfy { filters($0) > filters(scanner.process) }
            })
        let workers = scanner.workers
        try #require(!workers.isEmpty)
        for worker in workers { kill(worker, SIGSTOP) }
        #expect(RunningScanner.wait { workers.allSatisfy { state($0) == "T" } })
        kill(scanner.process, SIGKILL)
        #expect(
            RunningScanner.wait { workers.allSatisfy(isGone) }, "\(workers.map { "\(state($0) ?? "-")" })")
        for worker in workers where !isGone(worker) { kill(worker, SIGKILL) }
    }

    /// Only root may look at another process's descriptors when that process refuses to be looked into.
    @Test func aWorkerHasItsTwoPipesOnly() throws {
        guard try Requirement.isMet(geteuid() == 0, "only root may list the descriptors of the workers")
        else { return }
        // A descriptor that every program inherits, as a careless parent leaves one.
        let folder = TemporaryDirectory()
        let inherited = open(try folder.write([1, 2, 3], to: "inherited"), O_RDONLY)
        #expect(inherited >= 0)
        defer { close(inherited) }
        let scanner = try RunningScanner(["-"])
        #expect(
            RunningScanner.wait {
                RunningScanner.descriptors(scanner.process).contains(folder.path + "/inherited")
            })
        let filters = { RunningScanner.status($0, "Seccomp_filters") ?? 0 }
        #expect(
            RunningScanner.wait {
                !scanner.workers.isEmpty
                    && scanner.workers.allSatisfy { filters($0) > filters(scanner.process) }
            })
        for worker in scanner.workers {
            let files = RunningScanner.descriptors(worker)
            #expect(files.count == 2 && files.allSatisfy { $0.hasPrefix("pipe:") }, "\(files)")
        }
    }

    @Test func theKernelHoldsEveryProcessInItsFilter() throws {
        let scanner = try RunningScanner(["-"])
        let processes = { [scanner.process] + scanner.workers }
        // While it waits for its first byte.
        #expect(
            RunningScanner.wait {
                processes().count >= 2 && processes().allSatisfy { RunningScanner.status($0, "Seccomp") == 2 }
            })
        #expect(processes().allSatisfy { RunningScanner.status($0, "NoNewPrivs") == 1 })
        // The worker's own filter lies on top of the broker's.
        let filters = { RunningScanner.status($0, "Seccomp_filters") ?? 0 }
        let most = { scanner.workers.map { RunningScanner.status($0, "Seccomp_filters") ?? 0 }.max() ?? 0 }
        #expect(RunningScanner.wait { most() > filters(scanner.process) })
    }
}
