public import Connectivity
internal import DeviceControl
internal import DeviceDomain

/// A home could not do what it was asked. How a command ended is a value, never an error.
public struct HomeError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No channel has a usable connection; ``HomeError/communication`` says why.
        public static let noConnection = Code(rawValue: "no-connection")
        /// Nothing is known of the device.
        public static let unknownDevice = Code(rawValue: "unknown-device")
        /// The home has no such channel of the kind that is needed.
        public static let unknownChannel = Code(rawValue: "unknown-channel")
        /// Several devices have the name.
        public static let ambiguousName = Code(rawValue: "ambiguous-name")
        /// A name belongs to another device or room.
        public static let nameTaken = Code(rawValue: "name-taken")
        /// The user has named no such room.
        public static let unknownRoom = Code(rawValue: "unknown-room")
        /// The device is online, and what was asked for needs one that is not.
        public static let deviceOnline = Code(rawValue: "device-online")
        /// The device does not take the command or its arguments; nothing was recorded or sent.
        public static let refusedCommand = Code(rawValue: "refused-command")
        /// The time until expiry is not from 1 ms to 24 h.
        public static let badLifetime = Code(rawValue: "bad-lifetime")
        /// A condition on devices cannot be read.
        public static let badCondition = Code(rawValue: "bad-condition")
        /// A condition is on a member that no device of the selection reports; nothing was recorded or sent.
        public static let unknownMember = Code(rawValue: "unknown-member")
        /// The ledger has no such command.
        public static let unknownCommand = Code(rawValue: "unknown-command")
        /// The outcome of the command is known, so it cannot be put away.
        public static let notUnknown = Code(rawValue: "not-unknown")
        /// The command is another controller's.
        public static let foreignCommand = Code(rawValue: "foreign-command")
        /// Nothing can be undone or done again without losing a change; the message says why.
        public static let cannotUndo = Code(rawValue: "cannot-undo")
        /// A schedule would never be due.
        public static let badSchedule = Code(rawValue: "bad-schedule")
        /// The ledger has no such schedule.
        public static let unknownSchedule = Code(rawValue: "unknown-schedule")
        /// The parts of a rule do not fit each other, or something is missing that it needs.
        public static let badRule = Code(rawValue: "bad-rule")
        /// The ledger has no such rule.
        public static let unknownRule = Code(rawValue: "unknown-rule")
        /// Too many commands wait for the device.
        public static let queueFull = Code(rawValue: "queue-full")
        /// The ledger failed.
        public static let ledger = Code(rawValue: "ledger")
        /// The database of the ledger cannot be reached.
        public static let ledgerUnreachable = Code(rawValue: "ledger-unreachable")
        /// Another instance owns the home.
        public static let ownedElsewhere = Code(rawValue: "owned-elsewhere")
        /// What is kept of the devices cannot be read.
        public static let history = Code(rawValue: "history")
        /// The configuration is wrong.
        public static let configuration = Code(rawValue: "configuration")
        /// A configuration file is wrong; the message names file, line and column.
        public static let configurationFile = Code(rawValue: "configuration-file")
        /// The home does not run: use `withHome`, or call `run()`.
        public static let notRunning = Code(rawValue: "not-running")
        /// The caller was cancelled; a command goes on.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Something else failed.
        public static let failed = Code(rawValue: "failed")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// What the channel said, where one failed.
    public let communication: CommunicationError?
    /// Where in the source it was made.
    public let origin: String

    public init(
        _ code: Code, _ message: String, communication: CommunicationError? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.communication = communication
        origin = "\(file):\(line)"
    }

    public var description: String { message }
}

extension HomeError {
    /// A channel has no usable connection.
    init(_ error: CommunicationError, at address: String) {
        let text = "\(error)"
        let message = text.contains(address) ? text : "\(address): \(text)"
        self.init(.noConnection, message, communication: error)
    }

    /// None of the channels has a usable connection.
    /// - Parameter failures: that of each channel; those that say the same are told once.
    init(ofAll failures: [HomeError]) {
        var messages: [String] = []
        for message in failures.map(\.message) where !messages.contains(message) {
            messages.append(message)
        }
        self.init(
            .noConnection, messages.joined(separator: "; "),
            communication: failures.first?.communication)
    }

    /// A command could not be tried.
    init(_ error: ControlError) {
        if let ledgerError = error.ledgerError {
            self.init(ledgerError)
            return
        }
        let code: Code =
            switch error.code {
            case .ledger: .ledger
            case .badLifetime: .badLifetime
            case .cannotExpress: .refusedCommand
            case .queueFull: .queueFull
            case .unknownID: .unknownCommand
            case .cancelled: .cancelled
            case .notRunning: .notRunning
            default: .failed
            }
        self.init(code, error.message)
    }

    /// Names and rooms stay as they are.
    init(_ refusal: LabelRefusal, in home: HomeID) {
        switch refusal {
        case .nameTaken, .roomExists: self.init(.nameTaken, "\(refusal)")
        case .unknownRoom: self.init(.unknownRoom, "\(home): \(refusal)")
        }
    }

    /// The ledger failed.
    init(_ error: LedgerError) {
        let code: Code =
            switch error.code {
            case .unreachable: .ledgerUnreachable
            case .fenced: .ownedElsewhere
            default: .ledger
            }
        self.init(code, "\(error)")
    }

    /// Whatever failed below.
    /// - Parameter code: that of an error of no known type.
    init(wrapping error: any Error, as code: Code = .ledger) {
        switch error {
        case let error as HomeError: self = error
        case let error as LedgerError: self.init(error)
        case let error as ControlError: self.init(error)
        default: self.init(code, "\(error)")
        }
    }

    static let notRunning = HomeError(
        .notRunning, "the home is not running: use withHome, or call run() first")
}
