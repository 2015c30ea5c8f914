internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What waits for a device that is away lies in the ledger. It is followed while its device can be reached
/// or somebody waits for it.
extension CommandInvoker {
    /// How many commands of a lane are read from the ledger at a time.
    static let storedPage = 32

    /// Sees to it that a command that is quiet goes on in time: it is left to the ledger if it does nothing
    /// but wait for a way to its device and nobody waits for it, else it is woken at its next deadline.
    func rest(_ id: CommandID) {
        if !waits.hold(id), !store(id) { arm(id) }
    }

    /// - Returns: whether the command is left to the ledger.
    private func store(_ id: CommandID) -> Bool {
        guard let tracked = commands[id], let place = tracked.conversation,
            let entry = tracked.stored, !waits.contain(id), !watchers.contain(id)
        else { return false }
        let lane = tracked.lifecycle.intent.lane
        if conversations[place]?.stored.isEmpty == true {
            conversations[place]?.toldReach = tracked.lifecycle.reach
        }
        conversations[place]?.stored.insert(entry, in: lane)
        // Before it leaves the line, so that no later command takes its place.
        tellStored(lane, of: place)
        tell(.placed(id, sequence: entry.sequence, .none), in: lane, of: place)
        _ = commands.remove(id)
        armStored(in: place)
        followWithdrawals()
        return true
    }

    /// Follows a command again if it is stored and still waits.
    /// - Parameter event: what happens to it; without one it is stored again unless somebody waits for it.
    /// - Returns: whether it is followed again.
    @discardableResult
    func recall(_ record: CommandRecord, for event: LifecycleEvent? = nil) async -> Bool {
        let place = ConversationID(of: record)
        let (sequence, lane) = (record.prepared.sequence, record.intent.lane)
        guard let entry = conversations[place]?.stored.entry(of: sequence, in: lane) else {
            return false
        }
        let posts = recall([entry], as: [record], in: lane, of: place)
        guard !posts.isEmpty else { return false }
        await post(posts + (event.map { [Post($0, to: record.id)] } ?? []))
        return true
    }

    /// Takes note of the end of a stored command.
    func forgetStored(_ record: CommandRecord) {
        let (place, lane) = (ConversationID(of: record), record.intent.lane)
        guard conversations[place]?.stored.contain(record.prepared.sequence, in: lane) == true
        else { return }
        conversations[place]?.stored.remove(record.prepared.sequence, in: lane)
        tellStored(lane, of: place)
    }

    /// Tells stored commands that the way to their device has changed.
    func tellReachToStored(in id: ConversationID) async {
        let reach = reach(in: id)
        guard conversations[id]?.stored.isEmpty == false, conversations[id]?.toldReach != reach
        else { return recallIfDue(in: id) }
        conversations[id]?.toldReach = reach
        switch reach {
        case .reachable: return recallIfDue(in: id)
        // It tells them nothing new.
        case .linkDown(""): return
        case .linkDown, .offline, .refused: break
        }
        for lane in CommandLane.allCases {
            var last = 0
            while !Task.isCancelled, reach == self.reach(in: id),
                let page = conversations[id]?.stored.page(
                    of: lane, after: last, limit: Self.storedPage),
                let end = page.last
            {
                last = end.sequence
                guard let posts = await recall(page, in: lane, of: id) else {
                    conversations[id]?.toldReach = nil
                    return
                }
                await post(posts)
            }
        }
    }

    /// Follows the next stored commands of a device that can be reached, in each lane from which the ones
    /// before have left.
    func recallNext(in id: ConversationID) async {
        defer { conversations[id]?.isRecalling = false }
        while let lane = conversations[id]?.lanesToRecall.first, reach(in: id) == .reachable,
            let page = conversations[id]?.stored.page(of: lane, limit: Self.storedPage),
            let posts = await recall(page, in: lane, of: id)
        {
            await post(posts)
        }
    }

    /// Follows stored commands again as soon as their device can be reached and those before them have left.
    func recallIfDue(in id: ConversationID) {
        guard let conversation = conversations[id], !conversation.isRecalling,
            !conversation.lanesToRecall.isEmpty, reach(in: id) == .reachable
        else { return }
        conversations[id]?.isRecalling = true
        enqueue(.recall(id))
    }

    /// Lets the stored commands expire whose time has passed.
    func wakeStored(in id: ConversationID) async {
        let expired = conversations[id]?.stored.findExpired(at: clock.now.elapsed) ?? [:]
        for (lane, entries) in expired {
            var rest = entries[...]
            while !rest.isEmpty, !Task.isCancelled {
                let page = Array(rest.prefix(Self.storedPage))
                guard let posts = await recall(page, in: lane, of: id) else { return }
                await post(posts.map { Post(.wake, to: $0.command) })
                rest = rest.dropFirst(page.count)
            }
        }
        armStored(in: id)
        await tellReachToStored(in: id)
    }

    // MARK: Parts

    /// Follows stored commands again, as far as they still wait in the ledger.
    /// - Returns: what is to be posted to them; `nil` if the ledger failed, after which it is tried again.
    private func recall(
        _ entries: [StoredCommands.Entry], in lane: CommandLane, of id: ConversationID
    ) async -> [Post]? {
        do throws(LedgerError) {
            let records = try await ledger.records(of: entries.map(\.id))
            return recall(entries, as: records, in: lane, of: id)
        } catch {
            counters.ledgerFailures += 1
            armStored(in: id, retryAt: clock.now.elapsed + Self.ledgerRetry)
            return nil
        }
    }

    private func recall(
        _ entries: [StoredCommands.Entry], as records: [CommandRecord], in lane: CommandLane,
        of id: ConversationID
    ) -> [Post] {
        let waiting = Dictionary(
            records.filter(\.progress.isWaiting).map { ($0.id, $0) }) { $1 }
        var recalled: [CommandID] = []
        // Meanwhile one may have been withdrawn, or recalled for somebody who waits for it.
        for entry in entries
        where conversations[id]?.stored.contain(entry.sequence, in: lane) == true {
            conversations[id]?.stored.remove(entry.sequence, in: lane)
            guard let record = waiting[entry.id] else { continue }
            follow(record, in: id, expiry: entry.expiry)
            standInLine(entry.id)
            recalled.append(entry.id)
        }
        tellStored(lane, of: id)
        return recalled.map { Post(.reach(reach(in: id)), to: $0) }
    }

    private func tellStored(_ lane: CommandLane, of id: ConversationID) {
        let first = conversations[id]?.stored.firstSequence(in: lane)
        tell(.stored(from: first), in: lane, of: id)
    }

    /// Sees to it that the first stored command expires in time.
    private func armStored(in id: ConversationID, retryAt retry: Duration? = nil) {
        let next = conversations[id]?.stored.nextExpiry
        guard let due = [next, retry].compactMap(\.self).min() else { return }
        if let armed = conversations[id]?.armed, armed <= due { return }
        conversations[id]?.armed = due
        wake(.stored(id), at: due)
    }
}

extension DeviceConversation {
    /// The lanes whose next command is stored.
    fileprivate var lanesToRecall: [CommandLane] {
        CommandLane.allCases.filter {
            stored.firstSequence(in: $0) != nil && outbox.isIdle($0)
        }
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
