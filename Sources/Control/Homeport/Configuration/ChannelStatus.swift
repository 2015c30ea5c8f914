public import Connectivity
internal import DeviceDomain

/// A channel of a home as it is now.
public struct ChannelStatus: Sendable {
    /// Names the channel.
    public let id: ChannelID
    /// What kind it is.
    public let kind: ChannelKind
    /// Where its other end is.
    public let address: String
    /// Whether its link works.
    public let link: LinkState
    /// How many known devices use it.
    public let devices: Int
    /// What it can report and guarantee.
    public let traits: ChannelTraits
    /// Why devices use it, or what is wrong with it.
    public let reason: String
}
