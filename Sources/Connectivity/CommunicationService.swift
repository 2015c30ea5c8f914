public import DeviceDomain

/// One device's conversation: the strategy that a ``DeviceCommunicator`` follows.
public protocol CommunicationService: Sendable {
    /// Begins to listen to the device. When it returns, the device's acknowledgements reach
    /// ``messages`` for as long as the conversation lasts, across losses of the link.
    ///
    /// What is retained about the device (its presence and its state at least) follows on
    /// ``messages``, also where the channel itself has heard it before. A second call is allowed
    /// and makes the retained messages follow once more.
    /// - Throws: ``CommunicationError``; the call may be repeated if it is retriable.
    func connect(to device: any Device) async throws(CommunicationError)

    /// Hands a message to the link and waits for the link's word on it.
    ///
    /// Without a link nothing is handed over and `notConnected` is thrown at once. A loss of the
    /// link on the way throws `linkLost`; nothing is sent again behind the caller's back.
    /// Cancelling the task gives up the waiting, not the message.
    func sendMessage(_ message: OutgoingMessage) async throws(CommunicationError) -> DeliveryReceipt

    /// What the device says. One consumer, bounded; what finds no room is counted in
    /// `droppedCount`. It ends with ``disconnect()``.
    var messages: IncomingMessages { get }

    /// Ends the conversation; the link itself stays. Does nothing if there is none.
    func disconnect() async
}
