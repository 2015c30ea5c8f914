import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// The events that a lifecycle is explored with, each with its name in the diagram.
enum LifecycleEvents {
    /// Something that happens to a command.
    struct Cause: Sendable {
        /// What happens, in words.
        let name: String
        /// How much time passes before it.
        var delay = Duration.zero
        /// Whether another process has read the command from the ledger before.
        var isAfterRestart = false
        /// The event, which may depend on what the ledger knows of the command; `nil` for its turn in the lane.
        let event: @Sendable (CommandProgress) -> LifecycleEvent?
    }

    /// A command of a sort; `nil` never happens.
    static func intent(_ sort: CommandSort, at time: Timestamp, for lifetime: Duration)
        -> CommandIntent?
    {
        guard let controller = ControllerID(rawValue: "ctl"), let home = HomeID(rawValue: "home-1"),
            let device = DeviceID(rawValue: "robot-1")
        else { return nil }
        var generator = SystemRandomNumberGenerator()
        return CommandIntent(
            id: CommandID(at: time, using: &generator), controller: controller, home: home,
            device: device, name: CommandName(rawValue: "example"), sort: sort, offline: .latest,
            issuedAt: time, expiresAt: time.advanced(by: lifetime))
    }

    /// Everything that can happen to a command. A link answers only a send, and a device only a
    /// question.
    static func causes(in situation: LifecycleExploration.Situation) -> [Cause] {
        let intent = situation.lifecycle.intent
        guard situation.lifecycle.state != .created else { return accepting }
        return changes + stages(of: intent) + (situation.isHandedOver ? receipts : [])
            + (situation.isAsked ? answers : []) + restarting(intent, at: situation.moment)
    }

    private static let accepting = [
        Cause(name: "submitted, device reachable") { _ in .enqueued(.reachable) },
        Cause(name: "submitted, no way to the device") { _ in .enqueued(.linkDown("")) },
        Cause(name: "submitted, channel refuses") { _ in .enqueued(.refused(.forbidden, "")) },
    ]

    private static let changes = [
        Cause(name: "device reachable") { _ in .reach(.reachable) },
        Cause(name: "link lost before it left") { _ in .reach(.linkDown("")) },
        Cause(name: "channel refuses") { _ in .reach(.refused(.forbidden, "")) },
        Cause(name: "turn") { _ in nil },
        Cause(name: "later stop") { _ in .overruled(by: .stop) },
        Cause(name: "retry due", delay: .seconds(10)) { _ in .wake },
        Cause(name: "start time passed", delay: .seconds(61)) { _ in .wake },
    ]

    private static let receipts = [
        Cause(name: "PUBACK") { _ in .sendEnded(.receipt(.confirmed)) },
        Cause(name: "PUBACK, no subscriber") { _ in .sendEnded(.receipt(.noReceiver)) },
        Cause(name: "PUBACK with an error") { _ in .sendEnded(.receipt(.refused(.forbidden, ""))) },
        Cause(name: "did not leave") { _ in .sendEnded(.neverLeft("")) },
        Cause(name: "may have left") { _ in .sendEnded(.mayHaveLeft("")) },
    ]

    private static func stages(of intent: CommandIntent) -> [Cause] {
        let boot = BootID(rawValue: "b1")
        return AckStage.allCases.map { stage in
            Cause(name: "ack \(stage.rawValue)") { progress in
                .evidence(
                    CommandEvidence(
                        id: intent.id, device: intent.device, source: .device, stage: stage,
                        boot: boot, n: progress.lastAck + 1))
            }
        }
    }

    private static let answers = [
        Cause(name: "answer never") { _ in .answer(.told(.never)) },
        Cause(name: "answer forgotten") { _ in .answer(.told(.forgotten)) },
        Cause(name: "no answer") { _ in .answer(.none("")) },
    ]

    private static func restarting(_ intent: CommandIntent, at moment: Moment) -> [Cause] {
        let time = moment.wall
        return [
            Cause(name: "taken over after a crash", isAfterRestart: true) { _ in
                .adopted(.reachable)
            },
            Cause(name: "cancelled by the user") { progress in
                .withdrawn(progress.isWaiting ? progress.cancelled(at: time) : progress)
            },
            Cause(name: "newer setting") { progress in
                .withdrawn(
                    progress.isWaiting ? progress.superseded(by: intent, at: time) : progress)
            },
        ]
    }
}
