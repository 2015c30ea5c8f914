import DeviceDomain
import DeviceSimulation
import Fleet
import LocalServices
import ServiceLifecycle

/// All processes of a fleet: the part that runs in this one, and those of the others.
struct WholeFleet: Service {
    /// The part of this process.
    let own: Fleet
    /// The homes of this part.
    let homes: FleetHomes
    /// The other processes.
    let workers: [Worker]
    /// The devices of all.
    let plan: FleetPlan
    /// The world clock of this process; those of the others show the same.
    let clock: FleetClock

    /// Runs the devices of all processes until a graceful shutdown, or until one process ends: then all do.
    func run() async throws {
        try await withGracefulShutdownHandler {
            try await runParts()
        } onGracefulShutdown: {
            for worker in workers { worker.askToEnd() }
        }
    }

    private func runParts() async throws {
        let failure = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            group.addTask { await Self.result { try await own.run() } }
            for worker in workers { group.addTask { await Self.result(worker.untilEnd) } }
            var failure: (any Error)?
            for await result in group {
                if case .failure(let error) = result, failure == nil { failure = error }
                await own.end()
                for worker in workers { worker.askToEnd() }
            }
            return failure
        }
        if let failure { throw failure }
    }

    private static func result(
        _ body: () async throws -> Void
    ) async -> Result<Void, any Error> {
        do {
            return .success(try await body())
        } catch { return .failure(error) }
    }

    // MARK: Devices

    /// Devices at this moment.
    /// - Parameter target: which; `nil` for all.
    /// - Throws: `FaultRefusal` if there are none, `LocalServicesError` where a process does not answer.
    func devices(_ target: String?, on brokers: FleetBrokers) async throws -> [ControlledDevice] {
        let meant = try target.map { try plan.devices(meantBy: $0) }
        return try await devices(of: meant, on: brokers) {
            guard let target else { return await own.statuses() }
            return try await own.statuses(of: target)
        } others: {
            try await $0.ask(.status(target: target))
        }
    }

    /// Lets something happen to the devices that are meant, or to none.
    /// - Parameters:
    ///   - share: which of them get it.
    ///   - request: what other processes are asked for it.
    /// - Returns: these devices afterwards.
    /// - Throws: `FaultRefusal` that says what is wrong, `LocalServicesError` where a process does not answer.
    func carryOut(
        _ order: FaultOrder, on target: String, _ share: FaultShare,
        asking request: ControlRequest, on brokers: FleetBrokers
    ) async throws -> [ControlledDevice] {
        guard !workers.isEmpty else {
            return try await own.carryOut(order, on: target, share)
                .map { ControlledDevice($0, on: brokers) }
        }
        let meant = try plan.devices(meantBy: target, for: order, share)
        let part = try plan.share(share, of: target, for: order)
        return try await devices(of: meant, on: brokers) {
            try await own.carryOut(order, on: target, part)
        } others: {
            try await $0.ask(request, part)
        }
    }

    /// - Parameter meant: the devices that are asked for; `nil` for all.
    private func devices(
        of meant: Set<DeviceKey>?, on brokers: FleetBrokers,
        here: () async throws -> [FleetDeviceStatus],
        others: @escaping @Sendable (Worker) async throws -> [ControlReply]
    ) async throws -> [ControlledDevice] {
        func isMeant(_ homes: Set<HomeID>) -> Bool {
            meant.map { $0.contains { homes.contains($0.home) } } ?? true
        }
        var found: [ControlledDevice] = []
        if isMeant(Set(homes.ids)) {
            found = try await here().map { ControlledDevice($0, on: brokers) }
        }
        for replies in try await ask(workers.filter { isMeant($0.homes) }, others) {
            for case .device(let device) in replies { found.append(device) }
        }
        return workers.isEmpty ? found : arranged(found)
    }

    /// In the order of the plan.
    private func arranged(_ devices: [ControlledDevice]) -> [ControlledDevice] {
        let places = Dictionary(
            uniqueKeysWithValues: plan.devices.enumerated().map { ("\($1.key)", $0) })
        return devices.sorted { places[$0.device] ?? 0 < places[$1.device] ?? 0 }
    }

    private func ask(
        _ workers: [Worker], _ body: @escaping @Sendable (Worker) async throws -> [ControlReply]
    ) async throws -> [[ControlReply]] {
        try await withThrowingTaskGroup(of: [ControlReply].self) { group in
            for worker in workers { group.addTask { try await body(worker) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    // MARK: Figures

    /// The fleet at this moment; without the part of a process that does not answer any more.
    func snapshot() async -> FleetSnapshot {
        var snapshot = await own.snapshot()
        for line in (try? await workers.ask(.snapshot)) ?? [] { snapshot.add(line.all) }
        return snapshot
    }

    /// What the run came to.
    /// - Throws: `LocalServicesError` where a process does not answer.
    func report(seed: UInt64) async throws -> FleetReport {
        var report = await own.report(seed: seed)
        for line in try await workers.ask(.report) { report.add(line.all) }
        if !workers.isEmpty { report.arrange(as: plan) }
        return report
    }

    // MARK: World

    /// What the world clock shows.
    var world: WorldReading {
        WorldReading(instant: clock.now.world, speed: clock.speed, isPaused: clock.isPaused)
    }

    /// Lets the world of all devices stand still, at one instant.
    func pauseWorld() async throws {
        let instants = try await workers.ask(.pause).compactMap(\.instant)
        let own = await own.pauseWorld()
        // Each process has stopped when it was asked: the others follow to where the last one was.
        try await advanceWorld(to: instants.reduce(own, max))
    }

    /// Lets the world go on.
    func resumeWorld() async throws {
        let time = clock.monotonicTime
        await own.resumeWorld(at: time)
        _ = try await workers.ask(.resume(at: time))
    }

    /// Sets a world forward that stands still.
    /// - Parameter time: how far; `nil` for the next instant of any device.
    /// - Throws: `FaultRefusal` for a world that goes on.
    func stepWorld(_ time: Duration?) async throws {
        guard clock.isPaused else {
            throw FaultRefusal(
                "the world clock is running: stop it with 'homeport-sim pause' first")
        }
        guard time == nil else {
            return try await advanceWorld(to: clock.now.world.advanced(by: time ?? .zero))
        }
        let instants = try await workers.ask(.nextInstant).compactMap(\.instant)
        let next = (instants + [await own.nextInstant()].compactMap(\.self)).min()
        if let next { try await advanceWorld(to: next) }
    }

    private func advanceWorld(to instant: Timestamp) async throws {
        async let others = workers.ask(.advance(to: instant))
        await own.advanceWorld(to: instant)
        _ = try await others
    }
}

extension [Worker] {
    /// Asks all of them at once.
    /// - Returns: the lines of all answers.
    /// - Throws: `LocalServicesError` where one refuses, or does not answer.
    func ask(_ request: WorkerRequest) async throws -> [LineMembers] {
        try await withThrowingTaskGroup(of: [LineMembers].self) { group in
            for worker in self { group.addTask { try await worker.ask(request) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Ends the processes.
    func finish() async { for worker in self { await worker.finish() } }
}

extension LineMembers {
    /// The instant of an answer about the world clock.
    var instant: Timestamp? { all["world"]?.integer.map(Timestamp.init(milliseconds:)) }
}

extension ControlledDevice {
    fileprivate init(_ status: FleetDeviceStatus, on brokers: FleetBrokers) {
        self.init(
            device: "\(status.key)", kind: status.kind, isOnline: status.isOnline,
            activity: status.activity, broker: "\(brokers[status.key.home])",
            faults: status.faults.map(PresentFault.init))
    }
}

extension PresentFault {
    fileprivate init(_ active: ActiveFault) {
        self.init(
            name: active.fault.name.specification.name, settings: active.fault.settings,
            until: active.end)
    }
}
