internal import Connectivity
package import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// A command as columns.
package struct CommandRow: Sendable {
    /// The number of the row; it rises in the order of acceptance.
    package let number: Int
    /// The command.
    package var record: CommandRecord

    package init(number: Int, record: CommandRecord) {
        self.number = number
        self.record = record
    }

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written; ``LedgerError``
    ///   `newerSchema` if a newer version wrote a word that this one does not know.
    package init(_ row: some StoredRow) throws {
        var columns = ColumnReader(row)
        number = try columns.integer("number")
        let intent = try Self.intent(&columns)
        record = CommandRecord(
            prepared: PreparedCommand(
                intent: intent,
                channel: try StoredValue.required(
                    ChannelID(rawValue: columns.text("channel")), "channel"),
                sequence: try columns.integer("sequence"), payload: try columns.bytes("payload")),
            progress: try Self.progress(&columns, of: intent.id),
            place: columns.textIfAny().map(CommandPlaces.Place.init(_:)))
    }

    /// As ``init(_:)``; `nil` if only a newer version understands the row.
    package static func ifReadable(_ row: some StoredRow) throws -> CommandRow? {
        do {
            return try CommandRow(row)
        } catch let error as LedgerError where error.code == .newerSchema {
            return nil
        }
    }

    private static func intent(_ columns: inout ColumnReader<some StoredRow>) throws
        -> CommandIntent
    {
        let id = try StoredValue.required(CommandID(bytes: columns.bytes("id")), "id")
        return CommandIntent(
            id: id,
            controller: try StoredValue.required(
                ControllerID(rawValue: columns.text("controller")), "controller"),
            home: try StoredValue.required(HomeID(rawValue: columns.text("home")), "home"),
            device: try StoredValue.required(DeviceID(rawValue: columns.text("device")), "device"),
            name: CommandName(rawValue: try columns.text("name")),
            arguments: try columns.object("arguments"),
            lane: try StoredValue.word(
                columns.text("lane"), "lane", of: id, CommandLane.init(rawValue:)),
            sort: try StoredValue.word(
                columns.text("sort"), "sort", of: id, CommandSort.init(rawValue:)),
            offline: try offlinePolicy(&columns, of: id),
            issuedAt: try columns.moment("issuedAt"), expiresAt: try columns.moment("expiresAt"),
            ifRevision: columns.integerIfAny(), cause: columns.textIfAny(),
            isDryRun: try columns.flag("isDryRun"))
    }

    private static func offlinePolicy(
        _ columns: inout ColumnReader<some StoredRow>, of id: CommandID
    ) throws -> OfflinePolicy {
        let (name, milliseconds) = (try columns.text("offline"), columns.integerIfAny())
        return try StoredValue.word(name, "offline policy", of: id) {
            OfflinePolicy(name: $0, milliseconds: milliseconds)
        }
    }

    private static func progress(
        _ columns: inout ColumnReader<some StoredRow>, of id: CommandID
    ) throws -> CommandProgress {
        CommandProgress(
            step: try columns.integer("step"),
            state: try StoredValue.word(
                columns.text("state"), "state", of: id, CommandState.init(rawValue:)),
            code: columns.textIfAny().map(AckCode.init(rawValue:)),
            message: try columns.text("message"), percent: columns.realIfAny(),
            result: try columns.object("result"), revision: columns.integerIfAny(),
            boot: columns.textIfAny().flatMap(BootID.init(rawValue:)),
            lastAck: try columns.integer("lastAck"), sends: try columns.integer("sends"),
            desiredRevision: columns.integerIfAny(), mayHaveLeft: try columns.flag("mayHaveLeft"),
            timings: try timings(&columns))
    }

    private static func timings(_ columns: inout ColumnReader<some StoredRow>) throws
        -> CommandTimings
    {
        CommandTimings(
            createdAt: try columns.moment("createdAt"), sentAt: columns.momentIfAny(),
            acceptedAt: columns.momentIfAny(), finalAt: columns.momentIfAny(),
            observedAt: columns.momentIfAny(), closedAt: columns.momentIfAny())
    }
}

extension OfflinePolicy {
    fileprivate init?(name: String, milliseconds: Int?) {
        switch (name, milliseconds) {
        case ("fail-fast", nil): self = .failFast
        case ("latest", nil): self = .latest
        case ("barrier", nil): self = .barrier
        case ("desired", nil): self = .desired
        case ("expire", let milliseconds?): self = .expire(after: .milliseconds(milliseconds))
        default: return nil
        }
    }
}
