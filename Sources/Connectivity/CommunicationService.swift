public import DeviceDomain
public import DeviceMessages

/// One device's conversation: the strategy that a ``DeviceCommunicator`` follows.
///
/// An intent goes in, evidence comes out.
public protocol CommunicationService: Sendable {
    /// Begins to listen to the device. When it returns, what the device says reaches ``messages``
    /// for as long as the conversation lasts, across losses of the link.
    /// - Throws: ``CommunicationError``; the call may be repeated if it is retriable.
    func connect(to device: any Device) async throws(CommunicationError)

    /// Makes the bytes that will be sent every time. It does not touch the link.
    /// - Throws: ``CommunicationError`` `cannotExpress` if the channel has no way to say it.
    func prepare(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand

    /// Hands a command to the link and waits for the link's word on it.
    ///
    /// Without a link nothing is handed over. Nothing is sent again behind the caller's back.
    /// Cancelling the task gives up the waiting, not the message.
    /// - Parameter attempt: which send this is, from 1.
    /// - Throws: ``CommunicationError``, which says whether the command may have left.
    func sendMessage(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt

    /// Asks the device what became of commands, where the channel has the trait `asking`.
    /// - Returns: the outcomes that the device told; what it left out is missing.
    /// - Throws: ``CommunicationError``: `timedOut` if no answer came, `cannotExpress` on a channel
    ///   without the trait.
    func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]

    /// What the device says. One consumer, bounded; what finds no room is counted in
    /// `droppedCount`. It ends with ``disconnect()``.
    var messages: ObservationStream { get }

    /// Ends the conversation; the link itself stays. Does nothing if there is none.
    func disconnect() async
}

extension CommunicationService {
    /// Without the trait `asking` nobody can be asked.
    public func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]
    {
        throw CommunicationError(
            .cannotExpress, "this channel cannot ask a device what became of a command",
            certainty: .neverLeft)
    }
}
