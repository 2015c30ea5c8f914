package import DeviceDomain

/// A channel of one home whose conversations differ in nothing but how commands are encoded and sent. Each is a
/// ``ChannelConversation``.
package protocol ConversingChannel: CommunicationChannel {
    /// Who hears what the channel observes.
    nonisolated var listeners: ChannelListeners { get }

    /// The bytes of an intent, which every send repeats. Nothing but what is known of the device is used.
    /// - Throws: `cannotExpress` if the device does not take it.
    nonisolated func payload(of intent: CommandIntent) throws(CommunicationError) -> [UInt8]

    /// Begins to deliver a device's messages to a conversation, and waits until the channel hears the device.
    /// - Parameters:
    ///   - profile: the device as the ledger describes it.
    ///   - id: the conversation among ``listeners``.
    func join(
        _ profile: DeviceProfile, _ id: ChannelListeners.ID,
        _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError)

    /// Sends a command over the link; see ``CommunicationService/sendMessage(_:attempt:)``.
    func send(_ command: PreparedCommand) async throws(CommunicationError) -> DeliveryReceipt
}
