public import Connectivity
public import DeviceDomain

/// The other end of a channel under test, such as a broker with a simulated device, or a server: what
/// ``ChannelConformance`` needs of it.
public protocol ChannelPeer: Sendable {
    /// The home of the device.
    var home: HomeID { get }
    /// On whose behalf commands are sent.
    var controller: ControllerID { get }
    /// A device that is there and online, by the id that the channel gives it.
    var device: DeviceID { get }
    /// A command that the device carries out each time it comes.
    var command: CommandName { get }
    /// The command's arguments.
    var arguments: JSONObject { get }

    /// A new channel to this end, not opened yet.
    func makeChannel() async throws -> any CommunicationChannel
    /// How many commands the device has received so far, from any channel: at least those of which it has told,
    /// and on a channel without evidence those that the link has confirmed.
    func receivedCommands() async throws -> Int
    /// Breaks the link of every channel, and lets no new one be made.
    func loseLink() async throws
    /// Lets links be made again.
    func restoreLink() async throws
    /// Says something that no channel can read, under the name of the device and of one that is not there.
    func sendGarbage() async throws
}

/// What every channel must do, whatever its dialect.
public enum ConformanceRule: String, Hashable, Sendable, CaseIterable {
    /// Once a home was replayed, its devices are known: a description with kind and model, and not offline.
    case devicesAreListed = "devices-are-listed"
    /// Opening, listing and beginning a conversation send no command.
    case listingSendsNothing = "listing-sends-nothing"
    /// The states of the link begin with the present one, which is connected after opening.
    case linkStatesBeginWithThePresentOne = "link-states-begin-with-the-present-one"
    /// The bytes of a command depend on the intent and the sequence alone, and name channel and command.
    case preparingIsRepeatable = "preparing-is-repeatable"
    /// What the device does not have cannot be expressed, or is refused; it is never confirmed as done.
    case nothingUnknownIsDone = "nothing-unknown-is-done"
    /// A command reaches the device once, and the link's receipt says so.
    case aCommandArrivesOnce = "a-command-arrives-once"
    /// With the trait `acceptance` or `effect` evidence of the command comes, of that device and that command.
    case evidenceIsOfTheCommand = "evidence-is-of-the-command"
    /// A call for a trait that the channel does not have says `cannot-express`, and that nothing left.
    case missingTraitsAreRefused = "missing-traits-are-refused"
    /// Without a link nothing is sent, and the error says that it never left.
    case nothingLeavesWithoutALink = "nothing-leaves-without-a-link"
    /// A lost link is reported, and is made again by the channel itself; its observers hear of the device again.
    case theLinkIsRepaired = "the-link-is-repaired"
    /// What cannot be read ends no observation and makes no device.
    case garbageChangesNothing = "garbage-changes-nothing"
    /// Closing ends every stream, and nothing is sent any more.
    case closingEndsEverything = "closing-ends-everything"
}

/// A rule that a channel breaks.
public struct ConformanceViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: ConformanceRule
    /// What was seen instead.
    public let message: String

    public init(_ rule: ConformanceRule, _ message: String) {
        self.rule = rule
        self.message = message
    }

    public var description: String { "\(rule.rawValue): \(message)" }
}
