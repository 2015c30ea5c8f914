package import DeviceDomain

/// Names the conversation with a device of a home over a channel.
package struct ConversationID: Hashable, Sendable {
    package let home: HomeID
    package let device: DeviceID
    package let channel: ChannelID

    package init(home: HomeID, device: DeviceID, channel: ChannelID) {
        self.home = home
        self.device = device
        self.channel = channel
    }
}
