import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// One or two commands for one device, and one wrong behaviour where the checker itself is tested.
struct ModelScenario: Sendable, CustomTestStringConvertible {
    /// A wrong behaviour that the checker must find.
    enum Flaw: String, Sendable, CaseIterable {
        /// The controller sends again what the device has acknowledged.
        case resendAfterAck = "resend after an ack"
        /// After a restart the controller sends without asking.
        case blindResend = "blind resend after a restart"
        /// The controller takes a timeout for a proof that nothing happened.
        case timeoutIsFailure = "a timeout ends as expired"
        /// The controller does nothing when a deadline passes.
        case missedDeadline = "a deadline that is missed"
        /// The controller sends before the ledger has the command.
        case wireBeforeLedger = "the wire before the ledger"
        /// The device does not recognise a command that comes again.
        case noRecord = "a device without a record"
        /// The device answers `never` and accepts the command later.
        case brokenPromise = "a device that breaks its promise"
        /// The device applies an older setting after a newer one.
        case noSequence = "a device that ignores the sequence"
    }

    let commands: String
    let intents: [CommandIntent]
    var flaw: Flaw?
    /// The moments that the clock shows.
    var instants = Self.allInstants

    /// The start; a resend is due; a command has expired; an action was silent for too long.
    static let allInstants: [Duration] = [.zero, .seconds(10), .seconds(31), .seconds(100)]

    var testDescription: String { commands }

    /// The commands in the order in which they are submitted. All expire after 30 s.
    init(_ names: [CommandName], flaw: Flaw? = nil) throws {
        commands = names.map(\.rawValue).joined(separator: ", then ")
        intents = try names.enumerated().map { try Self.intent($0.element, $0.offset) }
        self.flaw = flaw
    }

    private static func intent(_ name: CommandName, _ number: Int) throws -> CommandIntent {
        let home = try HomeID("home-1")
        let robot = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: DeviceID("robot-1"), home: home)
        guard let specification = robot.profile.specification(of: name) else {
            throw ModelError(message: "the robot has no command \(name.rawValue)")
        }
        let start = ModelWorld.start.wall
        return CommandIntent(
            id: CommandID(at: start.advanced(by: .milliseconds(number))),
            controller: try ControllerID("ctl"), home: home, device: robot.id, name: name,
            lane: specification.lane, sort: specification.sort, offline: specification.offline,
            issuedAt: start, expiresAt: start.advanced(by: .seconds(30)))
    }

    /// Whether the effect of the first command must not come after that of the second: a newer
    /// setting stays, and what a stop ended does not start again (PROTOCOL sections 3 and 5).
    var orderMatters: Bool {
        guard intents.count == 2 else { return false }
        let (first, second) = (intents[0], intents[1])
        return second.name == .stop || (first.name == second.name && first.sort == .setting)
    }
}

/// Why a model check could not run.
struct ModelError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
