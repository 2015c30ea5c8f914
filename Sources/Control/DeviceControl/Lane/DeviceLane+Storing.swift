internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What waits for a device that is away lies in the ledger. It is followed while its device can be reached
/// or somebody waits for it.
extension DeviceLane {
    /// How many commands of a lane are read from the ledger at a time.
    static let storedPage = 32

    /// Leaves a command to the ledger if it does nothing but wait for a way to its device.
    /// - Returns: whether it is not followed any more.
    func store(_ command: TrackedCommand) -> Bool {
        guard let entry = command.stored else { return false }
        let lane = command.lifecycle.intent.lane
        if stored.isEmpty { storing.toldReach = command.lifecycle.reach }
        stored.insert(entry, in: lane)
        // Before it leaves the line, so that no later command takes its place.
        tellQueueOfStored(in: lane)
        setQueuePlace(.none, of: command)
        followed.drop(command)
        wakeAtNextExpiry()
        followed.followWithdrawals()
        return true
    }

    /// Follows a command again if it is stored and still waits.
    /// - Parameter event: what happens to it; without one it is stored again unless somebody waits for it.
    /// - Returns: whether it is followed again.
    @discardableResult
    func recall(_ record: CommandRecord, for event: LifecycleEvent? = nil) async -> Bool {
        let (sequence, lane) = (record.prepared.sequence, record.intent.lane)
        guard let entry = stored.entry(of: sequence, in: lane) else { return false }
        let deliveries = recall([entry], as: [record], in: lane)
        guard !deliveries.isEmpty else { return false }
        await followed.deliver(
            deliveries + (event.map { [EventDelivery($0, to: record.id)] } ?? []))
        return true
    }

    /// Takes note of the end of a stored command.
    func forgetStored(_ record: CommandRecord) {
        let (sequence, lane) = (record.prepared.sequence, record.intent.lane)
        guard stored.contain(sequence, in: lane) else { return }
        stored.remove(sequence, in: lane)
        tellQueueOfStored(in: lane)
    }

    /// Tells stored commands that the way to their device has changed.
    func tellReachToStored() async {
        let reach = reach
        guard !stored.isEmpty, storing.toldReach != reach else { return recallIfDue() }
        storing.toldReach = reach
        switch reach {
        case .reachable: return recallIfDue()
        // It tells them nothing new.
        case .linkDown(""): return
        case .linkDown, .offline, .refused: break
        }
        for lane in CommandLane.allCases {
            var page = stored.page(of: lane, limit: Self.storedPage)
            while let last = page.last, !Task.isCancelled, self.reach == reach {
                guard let deliveries = await recall(page, in: lane) else {
                    storing.toldReach = nil
                    return
                }
                await followed.deliver(deliveries)
                page = stored.page(of: lane, after: last.sequence, limit: Self.storedPage)
            }
        }
    }

    /// Follows stored commands again as soon as their device can be reached and those before them have left.
    func recallIfDue() {
        guard !storing.isRecalling, !stored.isEmpty, !lanesToRecall.isEmpty, reach == .reachable
        else { return }
        storing.isRecalling = true
        followed.work.enqueue(.recall(id))
    }

    /// Follows the next stored commands, in each lane from which the ones before have left.
    func recallNext() async {
        defer { storing.isRecalling = false }
        while let lane = lanesToRecall.first, reach == .reachable,
            let deliveries = await recall(stored.page(of: lane, limit: Self.storedPage), in: lane)
        {
            await followed.deliver(deliveries)
        }
    }

    /// Lets the stored commands expire whose time has passed.
    func wakeStored() async {
        storing.armed = nil
        for (lane, entries) in stored.findExpired(at: followed.clock.now.elapsed) {
            var rest = entries[...]
            while !rest.isEmpty, !Task.isCancelled {
                let page = Array(rest.prefix(Self.storedPage))
                guard let deliveries = await recall(page, in: lane) else { return }
                await followed.deliver(deliveries.map { EventDelivery(.wake, to: $0.command) })
                rest = rest.dropFirst(page.count)
            }
        }
        wakeAtNextExpiry()
        await tellReachToStored()
    }

    // MARK: Parts

    /// The lanes whose next command is stored.
    private var lanesToRecall: [CommandLane] {
        CommandLane.allCases.filter { stored.firstSequence(in: $0) != nil && queue.isIdle($0) }
    }

    /// Follows stored commands again, as far as they still wait in the ledger.
    /// - Returns: what is to be delivered to them; `nil` if the ledger failed, after which it is tried again.
    private func recall(_ entries: [StoredCommands.Entry], in lane: CommandLane) async
        -> [EventDelivery]?
    {
        do throws(LedgerError) {
            let records = try await followed.writer.ledger.records(of: entries.map(\.id))
            return recall(entries, as: records, in: lane)
        } catch {
            followed.writer.countFailure()
            wakeAtNextExpiry(orAt: followed.clock.now.elapsed + FollowedCommands.ledgerRetry)
            return nil
        }
    }

    private func recall(
        _ entries: [StoredCommands.Entry], as records: [CommandRecord], in lane: CommandLane
    ) -> [EventDelivery] {
        let waiting = Dictionary(
            records.filter(\.progress.isWaiting).map { ($0.id, $0) }
        ) { $1 }
        var recalled: [TrackedCommand] = []
        // Meanwhile one may have been withdrawn, or recalled for somebody who waits for it.
        for entry in entries where stored.contain(entry.sequence, in: lane) {
            stored.remove(entry.sequence, in: lane)
            guard let record = waiting[entry.id] else { continue }
            followed.follow(record, in: self, expiry: entry.expiry)
            guard let command = followed[entry.id] else { continue }
            updateQueuePlace(of: command)
            recalled.append(command)
        }
        tellQueueOfStored(in: lane)
        let reach = reach
        return recalled.map { EventDelivery(.reach(reach), to: $0.id) }
    }

    private func tellQueueOfStored(in lane: CommandLane) {
        handleQueueEvent(.stored(from: stored.firstSequence(in: lane)), in: lane)
    }

    /// Sees to it that the first stored command expires in time.
    private func wakeAtNextExpiry(orAt retry: Duration? = nil) {
        guard let due = [stored.nextExpiry, retry].compactMap(\.self).min() else { return }
        if let armed = storing.armed, armed <= due { return }
        storing.armed = due
        followed.wake(.stored(id), at: due)
    }
}

extension ConversationID {
    /// The conversation that a command of the ledger belongs to.
    init(of record: CommandRecord) {
        self.init(
            home: record.intent.home, device: record.intent.device,
            channel: record.prepared.channel)
    }
}
