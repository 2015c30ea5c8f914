internal import Connectivity
public import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// A device uses this channel from now on: what waits for it on others goes over this one, as far as it
    /// certainly never left.
    ///
    /// A command whose bytes may have left stays on its channel until its outcome is known, so no command is
    /// ever on two channels. One stays, too, whose revision is that of its channel, that the device does not
    /// take on the new channel, or that the new channel cannot express. A command changes its channel by a
    /// compare-and-set in the ledger, before anything of it leaves.
    /// - Parameter located: the device as it is known on the channel, and that channel.
    public func reroute(_ located: LocatedDevice) async {
        let profile = located.device.profile
        guard case .running = work.operation,
            let channel = factory.allChannels.first(where: { $0.id == located.heardOn })
        else { return }
        let others = lanes.values
            .filter {
                $0.id.device == profile.id && $0.id.home == profile.home
                    && $0.id.channel != channel.id && $0.hasWaiting
            }
            .sorted { $0.id.channel < $1.id.channel }
        guard !others.isEmpty else { return }
        let lane = lane(to: located.device, over: channel)
        await lane.firstAttempt()
        switch lane.reach {
        // It waits where it is rather than being refused.
        case .offline, .refused: return
        case .reachable, .linkDown: break
        }
        var moved: [CommandID] = []
        for other in others {
            for record in await waiting(in: other) where !Task.isCancelled {
                if await move(record, from: other, to: lane, profile) { moved.append(record.id) }
            }
        }
        let reach = lane.reach
        await followed.deliver(moved.map { EventDelivery(.reach(reach), to: $0) })
    }

    /// The devices for which commands of this process wait.
    public var devicesWithWaiting: Set<DeviceID> {
        Set(lanes.values.filter(\.hasWaiting).map(\.id.device))
    }

    /// What waits in a lane, here and in the ledger, in the order of acceptance.
    private func waiting(in lane: DeviceLane) async -> [CommandRecord] {
        let here = lane.commands.values
            .filter { $0.lifecycle.place == .waiting && !$0.isUnrecorded }
            .compactMap(\.current)
        let entries = CommandLane.allCases.flatMap { lane.stored.page(of: $0, limit: .max) }
        var stored: [CommandRecord] = []
        var rest = entries[...]
        while !rest.isEmpty {
            let page = rest.prefix(DeviceLane.storedPage)
            do throws(LedgerError) {
                stored += try await ledger.records(of: page.map(\.id))
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
    private func move(
        _ record: CommandRecord, from other: DeviceLane, to lane: DeviceLane,
        _ profile: DeviceProfile
    ) async -> Bool {
        // What happens to it just now comes first, and nobody looks at it again afterwards.
        while let busy = followed[record.id], busy.isAccepted, busy.isBusy {
            await followed.waitUntilIdle(busy)
        }
        guard let command = command(of: record, in: other), let record = command.current,
            record.isMovable, profile.takes(record.intent),
            let prepared = try? lane.conversation.service.prepare(
                record.intent, sequence: record.prepared.sequence),
            command.lane === other, command.lifecycle.place == .waiting,
            command.lifecycle.overruling == nil, command.beginHandling()
        else { return false }
        let change = CommandChange(rerouting: record, as: prepared, at: clock.now.wall)
        let verdict: AdvanceVerdict?
        do throws(LedgerError) {
            verdict = try await ledger.advance([change]).first
        } catch {
            followed.writer.countFailure()
            verdict = nil
        }
        guard case .advanced? = verdict else {
            await stay(command, in: other, verdict)
            return false
        }
        other.setQueuePlace(.none, of: command)
        followed.drop(command)
        followed.follow(
            CommandRecord(prepared: prepared, progress: change.progress), in: lane,
            expiry: command.lifecycle.terms.expiry)
        if let moved = followed[record.id] {
            moved.events = command.events
            lane.updateQueuePlace(of: moved)
        }
        command.becomeIdle()
        return true
    }

    /// A command that waits in a lane. One that lies in the ledger is followed from now on, so that nobody else
    /// begins to follow it where it was while the ledger takes its move in.
    private func command(of record: CommandRecord, in lane: DeviceLane) -> TrackedCommand? {
        if let command = followed[record.id] { return command }
        guard
            let entry = lane.stored.entry(of: record.prepared.sequence, in: record.intent.lane)
        else { return nil }
        lane.forgetStored(record)
        followed.follow(record, in: lane, expiry: entry.expiry)
        guard let command = followed[record.id] else { return nil }
        lane.updateQueuePlace(of: command)
        return command
    }

    /// The ledger did not let the command go.
    private func stay(
        _ command: TrackedCommand, in other: DeviceLane, _ verdict: AdvanceVerdict?
    ) async {
        if case .overtaken(let winner)? = verdict {
            command.take(winner)
            command.lifecycle.yield(to: winner.progress)
            other.updateQueuePlace(of: command)
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
