package import Connectivity
package import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

extension CommandRow {
    /// What a query must select for ``init(_:)``. Not `*`: when another process changes the schema,
    /// a statement that was compiled before would have other columns than its rows.
    package static let columns = ["number"] + intentColumns + progressColumns + ["place"]

    /// What is wanted, and the bytes of every send.
    package static let intentColumns = [
        "id", "controller", "home", "device", "name", "arguments", "lane", "sort", "offline",
        "offlineMilliseconds", "issuedAt", "expiresAt", "ifRevision", "cause", "isDryRun",
        "channel",
        "sequence", "payload",
    ]

    /// What is known of the outcome.
    package static let progressColumns = [
        "step", "state", "code", "message", "percent", "result", "revision", "boot", "lastAck",
        "sends", "desiredRevision", "mayHaveLeft", "createdAt", "sentAt", "acceptedAt", "finalAt",
        "observedAt", "closedAt",
    ]

    /// The values of ``intentColumns``.
    package static func values(of prepared: PreparedCommand) -> [ColumnValue] {
        let intent = prepared.intent
        let offline = intent.offline.columns
        return [
            .bytes(intent.id.bytes), .text(intent.controller.text), .text(intent.home.text),
            .text(intent.device.text), .text(intent.name.rawValue), .object(intent.arguments),
            .text(intent.lane.rawValue), .text(intent.sort.rawValue), .text(offline.name),
            .integer(ifAny: offline.milliseconds), .moment(intent.issuedAt),
            .moment(intent.expiresAt), .integer(ifAny: intent.ifRevision),
            .text(ifAny: intent.cause), .flag(intent.isDryRun), .text(prepared.channel.text),
            .integer(prepared.sequence), .bytes(prepared.payload),
        ]
    }

    /// The values of ``progressColumns``.
    package static func values(of progress: CommandProgress) -> [ColumnValue] {
        let timings = progress.timings
        return [
            .integer(progress.step), .text(progress.state.rawValue),
            .text(ifAny: progress.code?.rawValue), .text(progress.message),
            .real(ifAny: progress.percent), .object(progress.result),
            .integer(ifAny: progress.revision), .text(ifAny: progress.boot?.text),
            .integer(progress.lastAck), .integer(progress.sends),
            .integer(ifAny: progress.desiredRevision), .flag(progress.mayHaveLeft),
            .moment(timings.createdAt), .moment(ifAny: timings.sentAt),
            .moment(ifAny: timings.acceptedAt), .moment(ifAny: timings.finalAt),
            .moment(ifAny: timings.observedAt), .moment(ifAny: timings.closedAt),
        ]
    }
}

extension OfflinePolicy {
    /// The policy's name and its time, as columns.
    var columns: (name: String, milliseconds: Int?) {
        switch self {
        case .failFast: ("fail-fast", nil)
        case .expire(let time): ("expire", time.wholeMilliseconds)
        case .latest: ("latest", nil)
        case .barrier: ("barrier", nil)
        case .desired: ("desired", nil)
        }
    }
}
