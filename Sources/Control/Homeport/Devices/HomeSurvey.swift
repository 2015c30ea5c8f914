internal import Connectivity
public import DeviceDomain
public import HomeModel

/// What was found of a home at one moment.
public struct HomeSurvey: Sendable {
    /// Every device that was heard, in the order of their ids; the devices of a channel that is down
    /// as they were last known.
    public let devices: [KnownDevice]
    /// The channels that may have missed retained messages, with the reason.
    public let doubts: [ChannelID: String]
    /// The channels without a usable connection.
    public let failures: [ChannelID: HomeError]

    /// Whether every retained message has certainly arrived.
    public var isComplete: Bool { doubts.isEmpty && failures.isEmpty }

    /// Why a device that was not found may be there all the same; `nil` where it cannot.
    var doubt: String? {
        if let channel = failures.keys.min() { return "the channel \(channel) is down" }
        return doubts.min { $0.key < $1.key }?.value
    }
}
