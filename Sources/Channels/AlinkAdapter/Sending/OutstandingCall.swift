internal import Alink
internal import DeviceDomain
internal import DeviceMessages

/// A command that was sent, and whose evidence may still come.
struct OutstandingCall: Hashable, Sendable {
    let command: CommandID
    let device: DeviceID
    /// The id of its message.
    let messageID: String
    /// What it is in the thing model.
    let thing: ThingCommand
    /// The value that a post must show; `nil` where no post shows the effect.
    let expected: JSONValue?
    /// When it was made: what the device had measured before is no evidence.
    let issuedAt: Timestamp
    /// Whether the device has replied.
    var isAccepted = false

    /// The topic on which it was sent.
    var content: AlinkTopic.Content { thing.content }
}
