internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Commands of a home that another process owns.
extension CommandInvoker {
    /// Accepts commands into the ledger, all or none, for the owner of their home, which takes them over and sends them.
    /// No channel is opened.
    ///
    /// Nobody here knows whether a device is away, so that a command may wait as long as its policy allows.
    /// - Returns: the records in the order of the orders: they are `queued`.
    /// - Throws: ``ControlError``; `cannotExpress` also for a command that its channel can only write once it has heard
    ///   of the device. Nothing was recorded then.
    @discardableResult
    public func leave(_ orders: [CommandOrder]) async throws(ControlError) -> [CommandRecord] {
        try requireRunning()
        let drafts = try orders.map { order throws(ControlError) in try draft(leaving: order) }
        do {
            return try await ledger.accept(drafts)
        } catch {
            throw ControlError(error)
        }
    }

    private func draft(leaving order: CommandOrder) throws(ControlError) -> CommandDraft {
        let channel: any CommunicationChannel
        do {
            channel = try factory.choice(for: order.device.profile, heardOn: order.heardOn).channel
        } catch {
            throw ControlError(.noChannel, error.message)
        }
        let intent = try intent(of: order, mayBeAway: true, knowing: nil)
        var lifecycle = CommandLifecycle(
            intent, traits: channel.traits, at: clock.now, seed: followed.generator.next())
        _ = lifecycle.handle(.enqueued(.linkDown("")), at: clock.now)
        let service = channel.service(for: intent.device, in: intent.home)
        return CommandDraft(
            intent: intent, opening: lifecycle.progress,
            cause: "it waits for the owner of the home, which sends it",
            shownArguments: order.specification.arguments?.redacting(intent.arguments),
            isForOwner: true,
            prepare: { intent, sequence throws(CommunicationError) in
                try service.prepare(intent, sequence: sequence)
            })
    }

    // MARK: Following

    /// Follows a command in the ledger if another process sends it, for as long as somebody waits for it.
    /// - Returns: whether it does.
    func followInLedger(_ record: CommandRecord) -> Bool {
        let intent = record.intent
        guard followed[record.id] == nil,
            ledger.isOfOthers(intent.home, of: intent.controller)
        else { return false }
        if others.follow(record, at: clock.now) { work.enqueue(.readOthers) }
        return true
    }

    /// Reads commands that other processes send, until nobody waits for any.
    func readOthers() async {
        var unchanged = 0
        while !Task.isCancelled {
            await clock.sleep(for: LedgerFollower.pauses.wait(after: unchanged))
            let wanted = others.keep { id in
                followed[id] == nil && (followed.waits.contain(id) || watchers.contain(id))
            }
            guard !wanted.isEmpty else { return }
            do throws(LedgerError) {
                let changed = others.changed(in: try await ledger.records(of: wanted))
                for record in changed { tell(record) }
                unchanged = changed.isEmpty ? unchanged + 1 : 0
            } catch {
                followed.writer.countFailure()
                unchanged += 1
            }
            for id in others.abandoned(at: clock.now.elapsed) { followed.waits.giveUp(id) }
        }
    }

    private func tell(_ record: CommandRecord) {
        watchers.tell(record)
        followed.waits.endReached(by: record)
    }
}
