internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel

/// Commands that no running process follows, and those whose outcome is unknown.
struct CommandAdoption: Sendable {
    /// So many unknown outcomes are looked at each time, the newest ones: to read a hundred thousand takes a second.
    private static let unknownAtOnce = 1_000
    /// Calls that end earlier carry out nothing for others: their home is free then.
    private static let longCall = Duration.seconds(1)

    let controller: ControllerID
    let observation: HomeObservation
    let deviceFactory: DeviceFactory

    private var lifetime: HomeLifetime { observation.lifetime }

    /// Takes over the open commands of processes of this controller that have ended.
    /// - Returns: the commands that were taken over, once all are being sent or queried.
    @discardableResult
    func adoptOrphanedCommands() async throws(HomeError) -> [CommandID] {
        let taken = try await lifetime.withStorage {
            try await $0.invoker.resume(in: observation.home) { await locate($0) }
        }
        // Since they were accepted, their devices may have changed to other channels.
        if !taken.isEmpty { await observation.reroute(deviceFactory) }
        return taken
    }

    /// Takes over what dead processes leave open, and has devices asked about commands whose outcome is
    /// unknown, from the first connection on until the task is cancelled.
    /// - Parameter pause: how long after that it is looked again.
    func adoptOrphanedCommandsUntilCancelled(every pause: Duration) async {
        guard let storage = try? await lifetime.storage(), await observation.isConnected() else {
            return
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await adoptWhatOthersLeave(in: storage) }
            await adoptUntilCancelled(every: pause)
            group.cancelAll()
        }
    }

    /// Takes over what other processes leave to this one, once it has owned the home for some time: a call that sends
    /// owns it, and may wait for long.
    func adoptWhatOthersLeaveToOwner() async {
        guard let storage = try? await lifetime.storage() else { return }
        while !Task.isCancelled {
            await observation.clock.sleep(for: Self.longCall)
            guard await lifetime.owns(observation.home, of: controller) else { continue }
            return await adoptWhatOthersLeave(in: storage)
        }
    }

    /// Takes over at once what other processes leave to this one.
    private func adoptWhatOthersLeave(in storage: HomeStorage) async {
        for await _ in storage.ledger.changesByOthers() { _ = try? await adoptOrphanedCommands() }
    }

    private func adoptUntilCancelled(every pause: Duration) async {
        var questions = UnknownQuestions()
        let clock = observation.clock
        while !Task.isCancelled {
            // A command that fails stays open in the ledger, for the next time.
            _ = try? await adoptOrphanedCommands()
            try? await askAboutUnknown(&questions)
            // Another process may have named devices.
            await observation.labels.learn()
            await clock.sleep(for: pause)
        }
    }

    /// Asks about commands whose outcome is unknown, again and again while their device is online.
    func askAboutUnknown(_ questions: inout UnknownQuestions) async throws {
        let storage = try await lifetime.storage()
        let unknown = try await storage.ledger.history(unknownCommands(limit: Self.unknownAtOnce))
        var online: [CommandID: Timestamp] = [:]
        for record in unknown {
            let device = observation.live.identities.device(record.intent.device)
            let period = observation.live.device(device)?.presenceHistory.last
            let traits = observation.traits(of: record.prepared.channel)
            guard let period, period.connection.isOnline,
                record.progress.isKept || traits.contains(.asking)
            else { continue }
            online[record.id] = period.since
        }
        let due = questions.due(of: online, at: observation.clock.now.elapsed)
        guard !due.isEmpty else { return }
        try await ask(about: unknown.filter { due.contains($0.id) })
    }

    /// Asks the devices about commands. It returns when all are being asked, or their devices are away.
    func ask(about commands: [CommandRecord]) async throws(HomeError) {
        try await lifetime.withStorage {
            try await $0.invoker.ask(about: commands) { await locate($0) }
        }
    }

    /// Waits until nothing is due from the devices of these commands: they have answered, or are away.
    func settle(_ commands: [CommandID], within limit: Duration) async {
        guard !commands.isEmpty, let storage = try? await lifetime.storage() else { return }
        await storage.invoker.settle(commands, within: limit)
    }

    /// Asks the devices about every command whose outcome is unknown, or that a dead process has left open,
    /// and waits for their answers.
    func resolveUnknown() async throws(HomeError) -> [CommandRecord] {
        try await lifetime.withStorage { storage in
            let unknown = try await storage.ledger.history(unknownCommands(limit: .max))
            try await observation.requireConnection()
            let left = try await adoptOrphanedCommands()
            try await ask(about: unknown)
            var resolved: [CommandRecord] = []
            for command in Set(unknown.map(\.id) + left) {
                let end = try await storage.invoker.outcome(of: command, goal: .noAnswerDue)
                if !end.record.isWaiting { resolved.append(end.record) }
            }
            return resolved.sorted { $0.intent.issuedAt > $1.intent.issuedAt }
        }
    }

    private func unknownCommands(limit: Int) -> HistoryQuery {
        HistoryQuery(
            controller: controller, home: observation.home, stage: .unknown, isHere: true,
            limit: limit)
    }

    /// What is known of devices, once it was looked for them.
    private func locate(_ devices: Set<DeviceID>) async -> [DeviceID: LocatedDevice] {
        // Behind a survey without telemetry another one would request the whole home again.
        if !observation.isSurveyed { _ = try? await observation.survey(.devices(devices)) }
        let live = observation.live
        var located: [DeviceID: LocatedDevice] = [:]
        for id in devices {
            // Of a device that is known to nobody nothing can be asked.
            if live.device(live.identities.device(id))?.profile == nil,
                let remembered = try? await observation.rememberedDevice(id)
            {
                live.remember([remembered])
            }
            guard let known = live.device(live.identities.device(id)) else { continue }
            let device = known.device(madeBy: deviceFactory)
            located[id] = LocatedDevice(
                device: device.id == id
                    ? device
                    // A command from when the device was known by another id only.
                    : GenericDevice(profile: device.profile.called(id), report: device.report),
                heardOn: known.channel)
        }
        return located
    }
}

extension CommandRecord {
    /// Whether it waits for its device: here, or in the settings that the broker keeps.
    fileprivate var isWaiting: Bool {
        state == .created || state == .queued || (progress.isKept && state != .unknown)
    }
}
