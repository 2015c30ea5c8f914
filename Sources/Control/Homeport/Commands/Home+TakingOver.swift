internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
public import DeviceMessages
internal import HomeModel

extension Home {
    /// Takes over the open commands of processes of this controller that have ended: commands that
    /// never left are sent, for the others the device is queried. Commands of running processes are
    /// not touched.
    /// - Returns: the commands that were taken over, once all are being sent or queried.
    /// - Throws: ``HomeError`` `ledger`.
    @discardableResult
    public func takeOverOpenCommands() async throws(HomeError) -> [CommandID] {
        let control = try await openedControl()
        do {
            return try await control.invoker.resume(in: id) { await self.locate($0) }
        } catch {
            throw HomeError(error)
        }
    }

    /// Waits until nothing is due from the devices of these commands: they have answered, or are
    /// away. It does not wait for actions that run.
    /// - Parameters:
    ///   - commands: those that were taken over.
    ///   - limit: for all of them.
    public func settle(_ commands: [CommandID], within limit: Duration) async {
        guard !commands.isEmpty, let control = try? await openedControl() else { return }
        await control.invoker.settle(commands, within: limit)
    }

    /// Stores the descriptions of the devices that were heard, so that they are known while they are
    /// offline.
    /// - Throws: ``HomeError`` `ledger`.
    public func rememberDevices() async throws(HomeError) {
        let heard = live.model.allDevices.compactMap { device -> RememberedDevice? in
            guard case .described(let profile) = device.identity else { return nil }
            return RememberedDevice(
                profile: profile, channel: device.channel, heardAt: device.heardAt)
        }
        guard !heard.isEmpty else { return }
        let control = try await openedControl()
        do {
            try await control.devices.remember(heard)
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }

    /// So many are looked at each time, the newest ones: to read a hundred thousand takes a second.
    private static let unknownAtOnce = 1_000

    /// Asks about commands whose outcome is unknown, again and again while their device is online.
    private func askAboutUnknown(_ questions: inout UnknownQuestions) async throws {
        let control = try await openedControl()
        let unknown = try await control.ledger.history(
            HistoryQuery(
                controller: controller, home: id, stage: .unknown, isHere: true,
                limit: Self.unknownAtOnce))
        var online: [CommandID: Timestamp] = [:]
        for record in unknown {
            let period = live.device(record.intent.device)?.presenceHistory.last
            guard let period, period.connection.isOnline,
                record.progress.isKept || traits(of: record.prepared.channel).contains(.asking)
            else { continue }
            online[record.id] = period.since
        }
        let due = questions.due(of: online, at: MachineClock().now.elapsed)
        guard !due.isEmpty else { return }
        try await control.invoker.ask(about: unknown.filter { due.contains($0.id) }) {
            await self.locate($0)
        }
    }

    /// What is known of devices, once it was looked for them.
    func locate(_ devices: Set<DeviceID>) async -> [DeviceID: LocatedDevice] {
        // Behind a survey without telemetry another one would request the whole home again.
        if !isSurveyed { _ = try? await survey(.devices(devices)) }
        var located: [DeviceID: LocatedDevice] = [:]
        for id in devices {
            if live.device(id)?.profile == nil, let remembered = await rememberedDevice(id) {
                live.remember([remembered])
            }
            guard let known = live.device(id) else { continue }
            located[id] = LocatedDevice(
                device: known.device(madeBy: deviceFactory), heardOn: known.channel)
        }
        return located
    }

    /// Takes over what dead processes leave open, and has devices asked about commands whose outcome is
    /// unknown, from the first connection on until the task is cancelled.
    func takeOverForEver() async {
        guard case .success? = await opened.value(), await isConnected() else { return }
        var questions = UnknownQuestions()
        while !Task.isCancelled {
            // A command that fails stays open in the ledger, for the next time.
            _ = try? await takeOverOpenCommands()
            try? await askAboutUnknown(&questions)
            // A cancelled sleep ends it.
            do { try await Task.sleep(for: configuration.takeOverPause) } catch { return }
        }
    }
}
