import DeviceControl
import DeviceMessages

/// Something that can happen in a ``ModelWorld``.
///
/// What the link and the device do promptly is one event; its slow variant counts as a fault. Not so what is
/// heard of the device, and what reaches it again: that comes at any time, or never.
enum ModelEvent: Hashable, Sendable {
    // The controller
    case submit(Int)
    case wake(Int)
    case noticeWithdrawal(Int)
    case restart
    case adopt(Int)
    // The link and the broker
    case leave(ModelLane)
    case confirm(ModelLane)
    case giveUp(ModelLane)
    case linkUp
    case deliver
    case repeatCommand(Int)
    case deliverAck(ModelAck)
    case deliverAnswer(Int)
    case loseAnswer(Int)
    // The device
    case answer(Int)
    case finish
    case announceBoot
    // Time
    case tick
    // Faults and what users do
    case crash(bytesLeave: Bool)
    case linkDown
    case leaveUnconfirmed(ModelLane)
    case answerLate(Int)
    case neverLeft(ModelLane)
    case noReceiver(ModelLane)
    case dropCommand
    case dropAnswer(Int)
    case restartDevice
    case report
    case cancel(Int)
    case resolve(Int)

    /// Whether the controller does it by itself, and so at once: no time passes before it.
    var isImmediate: Bool {
        switch self {
        case .wake, .adopt, .noticeWithdrawal: true
        case .submit, .restart, .leave, .confirm, .giveUp, .linkUp, .deliver, .repeatCommand,
            .deliverAck, .deliverAnswer, .loseAnswer, .answer, .finish, .announceBoot, .tick:
            false
        case .crash, .linkDown, .leaveUnconfirmed, .answerLate, .neverLeft, .noReceiver,
            .dropCommand, .dropAnswer, .restartDevice, .report, .cancel, .resolve:
            false
        }
    }

    /// Whether it counts as a fault, of which an exploration has a limited number.
    var isFault: Bool {
        switch self {
        case .crash, .linkDown, .leaveUnconfirmed, .answerLate, .neverLeft, .noReceiver,
            .dropCommand, .dropAnswer, .restartDevice, .report, .cancel, .resolve:
            true
        case .submit, .wake, .noticeWithdrawal, .restart, .adopt, .leave, .confirm,
            .giveUp, .linkUp, .deliver, .repeatCommand, .deliverAck, .deliverAnswer, .loseAnswer,
            .answer, .finish, .announceBoot, .tick:
            false
        }
    }

    /// Whether it may as well never happen.
    var isOptional: Bool {
        switch self {
        case .repeatCommand, .deliverAck: true
        default: isFault
        }
    }
}

/// The lane that a command travels on, as an index.
enum ModelLane: Int, Hashable, Sendable, CaseIterable {
    case normal, urgent
}

extension ModelEvent: CustomStringConvertible {
    var description: String {
        switch self {
        case .submit(let command): "the user submits command \(command + 1)"
        case .wake(let command): "a deadline of command \(command + 1) passes"
        case .noticeWithdrawal(let command):
            "the controller notices that command \(command + 1) was withdrawn"
        case .restart: "another controller process starts and reads the ledger"
        case .adopt(let command): "it takes command \(command + 1) over"
        case .leave(let lane): "the \(lane) command leaves, and the broker confirms it"
        case .leaveUnconfirmed(let lane): "the \(lane) command leaves"
        case .confirm(let lane): "the broker confirms the \(lane) command"
        case .giveUp(let lane): "the link gives up the \(lane) command: it may have left"
        case .linkUp: "the link works again"
        case .deliver: "the device receives a command"
        case .repeatCommand(let command): "the device receives command \(command + 1) again"
        case .deliverAck(let ack):
            "the controller hears of command \(ack.command + 1): \(ack.entry.stage.rawValue)"
        case .deliverAnswer(let command): "the answer about command \(command + 1) arrives"
        case .loseAnswer(let command): "the question about command \(command + 1) finds no link"
        case .answer(let command): "the device answers the question about command \(command + 1)"
        case .answerLate(let command): "the device answers about command \(command + 1), slowly"
        case .report: "the device reports progress"
        case .finish: "the device finishes its action"
        case .announceBoot: "the controller sees the device's new boot"
        case .tick: "time passes"
        case .crash(let bytesLeave):
            "the controller is killed" + (bytesLeave ? "; its last bytes leave" : "")
        case .linkDown: "the link breaks"
        case .neverLeft(let lane): "the link refuses the \(lane) command: it never left"
        case .noReceiver(let lane): "the broker has no receiver for the \(lane) command"
        case .dropCommand: "a command is lost"
        case .dropAnswer(let command): "the answer about command \(command + 1) is lost"
        case .restartDevice: "the device is killed and restarts"
        case .cancel(let command): "the user cancels command \(command + 1)"
        case .resolve(let command): "the user asks what became of command \(command + 1)"
        }
    }
}
