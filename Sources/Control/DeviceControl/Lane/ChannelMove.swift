internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Moves what waits for a device from the lane over one of its channels to the lane over another, as far as it
/// certainly never left. Who makes it sees to the order of moves; it belongs to the ``CommandInvoker`` of its lanes.
struct ChannelMove {
    private let origin: DeviceLane
    private let destination: DeviceLane
    /// The device as it describes itself on the new channel.
    private let device: DeviceProfile
    private let followed: FollowedCommands

    init(
        from origin: DeviceLane, to destination: DeviceLane, as device: DeviceProfile,
        _ followed: FollowedCommands
    ) {
        self.origin = origin
        self.destination = destination
        self.device = device
        self.followed = followed
    }

    /// Moves them in the order of acceptance, one after the other.
    /// - Returns: those that go over the other lane now. They have not been told of it.
    func perform() async -> [CommandID] {
        var moved: [CommandID] = []
        for record in await waiting() where !Task.isCancelled {
            if await move(record) { moved.append(record.id) }
        }
        return moved
    }

    /// What waits in the lane, here and in the ledger, in the order of acceptance.
    private func waiting() async -> [CommandRecord] {
        let here = origin.commands.values
            .filter { $0.lifecycle.place == .waiting && !$0.isUnrecorded }
            .compactMap(\.current)
        let entries = CommandLane.allCases.flatMap { origin.stored.page(of: $0, limit: .max) }
        var stored: [CommandRecord] = []
        var rest = entries[...]
        while !rest.isEmpty {
            let page = rest.prefix(DeviceLane.storedPage)
            do throws(LedgerError) {
                stored += try await followed.writer.ledger.records(of: page.map(\.id))
            } catch {
                // They stay where they are, and are looked at again with the next change.
                followed.writer.countFailure()
            }
            rest = rest.dropFirst(page.count)
        }
        return (here + stored).sorted { $0.prepared.sequence < $1.prepared.sequence }
    }

    // MARK: One command

    /// - Returns: whether the command goes over the other lane now.
    private func move(_ record: CommandRecord) async -> Bool {
        // What happens to it just now comes first, and nobody looks at it again afterwards.
        while let busy = followed[record.id], busy.isAccepted, busy.isBusy {
            await followed.waitUntilIdle(busy)
        }
        guard let command = command(of: record), let record = command.current,
            record.isMovable, device.takes(record.intent),
            let prepared = try? destination.conversation.service.prepare(
                record.intent, sequence: record.prepared.sequence),
            command.lane === origin, command.lifecycle.place == .waiting,
            command.lifecycle.overruling == nil, command.beginHandling()
        else {
            followed.rest(record.id)
            return false
        }
        let change = CommandChange(rerouting: record, as: prepared, at: followed.clock.now.wall)
        let verdict: AdvanceVerdict?
        do throws(LedgerError) {
            verdict = try await followed.writer.ledger.advance([change]).first
        } catch {
            followed.writer.countFailure()
            verdict = nil
        }
        guard case .advanced? = verdict else {
            await stay(command, verdict)
            return false
        }
        origin.setQueuePlace(.none, of: command)
        followed.drop(command)
        followed.follow(
            CommandRecord(prepared: prepared, progress: change.progress), in: destination,
            expiry: command.lifecycle.terms.expiry)
        if let moved = followed[record.id] {
            moved.events = command.events
            destination.updateQueuePlace(of: moved)
        }
        command.becomeIdle()
        return true
    }

    /// A command that waits in the lane. One that lies in the ledger is followed from now on, so that nobody else
    /// begins to follow it where it was while the ledger takes its move in.
    private func command(of record: CommandRecord) -> TrackedCommand? {
        if let command = followed[record.id] { return command }
        guard
            let entry = origin.stored.entry(of: record.prepared.sequence, in: record.intent.lane)
        else { return nil }
        origin.forgetStored(record)
        followed.follow(record, in: origin, expiry: entry.expiry)
        guard let command = followed[record.id] else { return nil }
        origin.updateQueuePlace(of: command)
        return command
    }

    /// The ledger did not let the command go.
    private func stay(_ command: TrackedCommand, _ verdict: AdvanceVerdict?) async {
        if case .overtaken(let winner)? = verdict {
            command.take(winner)
            command.lifecycle.yield(to: winner.progress)
            origin.updateQueuePlace(of: command)
        }
        await followed.handleEvents(of: command.id)
    }
}

extension CommandRecord {
    /// Whether it certainly never left, and means the same on every channel.
    fileprivate var isMovable: Bool {
        progress.state == .queued && progress.sends == 0 && !progress.mayHaveLeft
            && progress.desiredRevision == nil && intent.ifRevision == nil
    }
}

extension DeviceProfile {
    /// Whether the device takes a command, as far as it describes itself.
    fileprivate func takes(_ intent: CommandIntent) -> Bool {
        do {
            _ = try GenericDevice(profile: self).request(intent.name, arguments: intent.arguments)
            return true
        } catch {
            return false
        }
    }
}

extension CommandChange {
    /// The change by which a waiting command goes over another channel.
    fileprivate init(
        rerouting record: CommandRecord, as prepared: PreparedCommand, at moment: Timestamp
    ) {
        var progress = record.progress
        progress.step += 1
        let event = LedgerEvent(
            .rerouted, of: record.id, at: moment,
            cause: "it never left by the channel \(record.prepared.channel), and "
                + "\(record.intent.device) uses \(prepared.channel) now",
            detail: [
                "from": .string(record.prepared.channel.text),
                "channel": .string(prepared.channel.text),
            ])
        self.init(
            of: record.id, after: record.progress.step, to: progress, because: [event],
            rerouted: prepared)
    }
}
