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
        let intent = try order.intent(
            of: controller, mayBeAway: true, knowing: nil, at: clock.now.wall, &followed.generator)
        var lifecycle = CommandLifecycle(
            intent, traits: channel.traits, at: clock.now, seed: followed.generator.next())
        _ = lifecycle.handle(.enqueued(.linkDown("")), at: clock.now)
        let service = channel.service(for: intent.device, in: intent.home)
        var draft = CommandDraft(
            intent: intent, opening: lifecycle.progress,
            cause: "it waits for the owner of the home, which sends it",
            shownArguments: order.specification.arguments?.redacting(intent.arguments),
            prepare: { intent, sequence throws(CommunicationError) in
                try service.prepare(intent, sequence: sequence)
            })
        draft.isForOwner = true
        return draft
    }
}
