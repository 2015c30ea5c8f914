public import DeviceDomain
public import DeviceMessages

/// One device's conversation over the channel that was chosen for it.
///
/// An intent goes in, evidence comes out.
public protocol CommunicationService: Sendable {
    /// Begins to observe the device. When it returns, messages of the device reach ``messages``
    /// until the conversation ends, across losses of the link.
    /// - Throws: ``CommunicationError``; the call may be repeated if it is retriable.
    func connect(to device: any Device) async throws(CommunicationError)

    /// Encodes the bytes that every send repeats. It does not use the link.
    /// - Throws: ``CommunicationError`` `cannotExpress` if the channel has no encoding for it.
    func prepare(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand

    /// Sends a command over the link and waits for the link's response.
    ///
    /// Without a link nothing is sent. The service never resends by itself. Cancelling the task
    /// ends the wait but does not withdraw the message.
    /// - Parameter attempt: which send this is, from 1.
    /// - Throws: ``CommunicationError``, which says whether the command may have left.
    func sendMessage(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt

    /// Queries the device for the outcome of commands, if the channel has the trait `asking`.
    /// - Returns: the outcomes that the device reported; commands that it left out are missing.
    /// - Throws: ``CommunicationError``: `timedOut` if no answer came, `cannotExpress` on a channel
    ///   without the trait.
    func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]

    /// Reads the settings that the link keeps for the device, and those that the device has applied, if
    /// the channel has the trait `desired`.
    /// - Throws: ``CommunicationError``: `protocolViolation` if what the link keeps cannot be read,
    ///   `timedOut` if the link did not answer, `cannotExpress` on a channel without the trait.
    func desiredSettings() async throws(CommunicationError) -> DesiredReading

    /// Replaces the settings that the link keeps for the device, if the channel has the trait `desired`.
    /// - Throws: ``CommunicationError``, which says whether the settings may have been written.
    func keep(_ settings: DesiredSettings) async throws(CommunicationError) -> DeliveryReceipt

    /// Messages of the device. One consumer, bounded; dropped messages are counted in
    /// `droppedCount`. It ends with ``disconnect()``.
    var messages: ObservationStream { get }

    /// Ends the conversation; the link itself stays. Does nothing if there is none.
    func disconnect() async
}

extension CommunicationService {
    /// A channel without the trait `asking` cannot query a device.
    public func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]
    {
        throw CommunicationError(
            .cannotExpress, "this channel cannot query a device for the status of a command",
            certainty: .neverLeft)
    }

    /// A channel without the trait `desired` keeps no settings.
    public func desiredSettings() async throws(CommunicationError) -> DesiredReading {
        throw .keepsNoSettings
    }

    /// A channel without the trait `desired` keeps no settings.
    public func keep(_ settings: DesiredSettings) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        throw .keepsNoSettings
    }
}

extension CommunicationError {
    /// A channel without the trait `desired` was asked for kept settings.
    package static var keepsNoSettings: CommunicationError {
        CommunicationError(
            .cannotExpress, "this channel cannot keep settings for a device that is away",
            certainty: .neverLeft)
    }
}
