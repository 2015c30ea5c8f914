internal import Connectivity
public import DeviceDomain
public import DeviceMessages

extension CommandInvoker {
    /// Takes over the open commands of processes of this controller that have ended.
    ///
    /// Commands that never left are sent when their device is online. For those that may have left
    /// the device is queried, after the acknowledgements are subscribed to; they are not sent
    /// again. Commands of running processes are not touched. A command is sent only through the
    /// channel that prepared its bytes; where that is not configured, the command stays open with
    /// that reason. It returns when all commands are being sent or queried. What others have taken back is taken in, too.
    /// - Parameter finding: tells what is known of the devices of those commands.
    /// - Returns: the commands that were taken over.
    @discardableResult
    public func resume(
        in home: HomeID,
        finding: @Sendable (Set<DeviceID>) async -> [DeviceID: LocatedDevice]
    ) async throws(ControlError) -> [CommandID] {
        try await resume(in: home, readingAtOnce: Self.adoptedPage, finding: finding)
    }

    /// As ``resume(in:finding:)``, reading so many commands at a time.
    package func resume(
        in home: HomeID, readingAtOnce page: Int,
        finding: @Sendable (Set<DeviceID>) async -> [DeviceID: LocatedDevice]
    ) async throws(ControlError) -> [CommandID] {
        try requireRunning()
        await takeWithdrawals()
        do throws(LedgerError) {
            let orphans = try await ledger.adoptOrphans(of: controller, in: home)
            adopted += orphans
            while !adopted.isEmpty {
                let ids = Array(adopted.prefix(page))
                // Taken before they are read, as another call may go on meanwhile.
                adopted.removeFirst(ids.count)
                await adopt(try await read(ids), finding: finding)
            }
            return orphans
        } catch {
            throw ControlError(error)
        }
    }

    /// Reads commands that were taken over. They are left to a later call where that fails: this process has
    /// them, so that no other one would follow them.
    private func read(_ ids: [CommandID]) async throws(LedgerError) -> [CommandRecord] {
        do throws(LedgerError) {
            // Meanwhile another process may have withdrawn one.
            return try await ledger.records(of: ids).filter(\.progress.isOpen)
        } catch {
            adopted.insert(contentsOf: ids, at: 0)
            throw error
        }
    }

    /// Asks the devices about commands whose outcome is unknown. It returns when all are being asked,
    /// or their devices are away.
    /// - Parameters:
    ///   - records: those commands, as the ledger has them.
    ///   - finding: as for ``resume(in:finding:)``.
    public func ask(
        about records: [CommandRecord],
        finding: @Sendable (Set<DeviceID>) async -> [DeviceID: LocatedDevice]
    ) async throws(ControlError) {
        try requireRunning()
        let known = records.filter { followed[$0.id] != nil }
        let others = records.filter { followed[$0.id] == nil }
        await followed.deliver(
            known.map { EventDelivery(.adopted($0.reach(in: followed[$0.id]?.lane)), to: $0.id) })
        await adopt(others, finding: finding)
    }

    private func adopt(
        _ records: [CommandRecord],
        finding: @Sendable (Set<DeviceID>) async -> [DeviceID: LocatedDevice]
    ) async {
        guard !records.isEmpty else { return }
        let devices = await finding(Set(records.map(\.intent.device)))
        // Side by side, so that the changes of many devices share the commits of the ledger.
        await withTaskGroup(of: Void.self) { group in
            for (number, (place, records)) in records.byConversation.enumerated() {
                if number >= Self.adoptionsAtOnce { await group.next() }
                group.addTask {
                    await self.adopt(records, over: place, knowing: devices[place.device])
                }
            }
        }
    }

    /// - Returns: `nil` if the channel is not set up.
    private func lane(over place: ConversationID, to located: LocatedDevice?) -> DeviceLane? {
        guard let channel = factory.allChannels.first(where: { $0.id == place.channel }) else {
            return nil
        }
        let device =
            located?.device
            ?? GenericDevice(profile: .undescribed(place.device, in: place.home))
        return lane(to: device, over: channel, awaitsPresence: device.report == DeviceReport())
    }

    private func adopt(
        _ records: [CommandRecord], over place: ConversationID, knowing located: LocatedDevice?
    ) async {
        let lane = lane(over: place, to: located)
        await lane?.firstAttempt()
        for record in records { followed.follow(record, in: lane) }
        // In line before the first one is sent, so that they leave in their order.
        for command in records.compactMap({ followed[$0.id] }) {
            lane?.updateQueuePlace(of: command)
        }
        // One that another process has left here may contradict what is under way.
        await overrule(by: records.filter(\.progress.isWaiting))
        let reports = lane?.conversation.applied ?? []
        let kept = records.filter(\.progress.isKept)
        await followed.deliver(
            kept.flatMap { kept in reports.map { EventDelivery(.applied($0), to: kept.id) } })
        await followed.deliver(
            records.map { EventDelivery(.adopted($0.reach(in: lane)), to: $0.id) })
    }
}

extension [CommandRecord] {
    /// The commands by the conversation that they belong to, in the order of the ledger.
    fileprivate var byConversation: [(place: ConversationID, records: [CommandRecord])] {
        let groups = Dictionary(grouping: self, by: ConversationID.init(of:))
        return groups.map { ($0.key, $0.value) }.sorted { $0.place.device < $1.place.device }
    }
}

extension CommandRecord {
    /// The way to its device, where its channel is set up.
    fileprivate func reach(in lane: DeviceLane?) -> Reach {
        lane?.reach
            ?? .linkDown("it was prepared for the channel \(prepared.channel), which is not set up")
    }
}
