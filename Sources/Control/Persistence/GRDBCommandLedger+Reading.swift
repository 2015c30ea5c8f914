internal import Connectivity
public import DeviceControl
internal import DeviceDomain
public import DeviceMessages
internal import GRDB
internal import LedgerRows

extension GRDBCommandLedger {
    /// A command, if the ledger has it.
    /// - Throws: ``LedgerError``; `newerSchema` if only a newer version understands the command.
    public func record(of id: CommandID) async throws(LedgerError) -> CommandRecord? {
        try await database.read { db in try CommandRow.fetch(id, in: db) }
    }

    public func records(of ids: [CommandID]) async throws(LedgerError) -> [CommandRecord] {
        try await database.read { db in
            try ids.compactMap { id in
                do {
                    return try CommandRow.fetch(id, in: db)
                } catch let error as LedgerError where error.code == .newerSchema {
                    return nil
                }
            }
        }
    }

    /// Commands, newest first by the time when they were made, without those that only a newer version understands.
    public func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord] {
        let places = query.isHere ? places() : CommandPlaces()
        return try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(CommandRow.selectedColumns) FROM command
                    WHERE (:controller IS NULL OR controller = :controller)
                        AND (:home IS NULL OR home = :home)
                        AND (:devices IS NULL
                            OR device IN (SELECT value FROM json_each(:devices)))
                        AND (:cause IS NULL OR cause = :cause)
                        AND \(query.stage.condition)
                        AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
                        AND (:since IS NULL OR issuedAt >= :since)
                        AND (:until IS NULL OR issuedAt < :until)
                        AND (:ending IS NULL OR lower(hex(id)) LIKE '%' || :ending)
                        AND (:here IS NULL OR place IS NULL
                            OR place IN (SELECT value FROM json_each(:here))
                            OR (place LIKE '%' || :private
                                AND place NOT IN (SELECT value FROM json_each(:running))))
                    ORDER BY number DESC
                    """,
                arguments: [
                    "controller": query.controller?.text, "home": query.home?.text,
                    "devices": query.listOfDevices, "cause": query.cause,
                    "states": query.listOfStates, "since": query.since?.milliseconds,
                    "until": query.until?.milliseconds,
                    "ending": query.idEnding, "here": places.listOfHere,
                    "private": places.followsFleet ? CommandPlaces.Place.privately : nil,
                    "running": places.listOfRunning,
                ])
            // Several processes may have entered theirs in another order than they made them.
            let (last, isTooLong) = query.offset.addingReportingOverflow(query.limit)
            let found = try CommandRow.readable(rows, limit: isTooLong ? .max : last)
            return found.dropFirst(query.offset).map(\.record).newestFirst
        }
    }

    public func events(of id: CommandID) async throws(LedgerError) -> [LedgerEvent] {
        try await database.read { db in try EventRow.fetchAll(of: id, in: db) }
    }
}

extension HistoryQuery {
    /// The ids of the devices as a JSON array, which one parameter of a statement can be.
    fileprivate var listOfDevices: String? { devices.map { json($0.map(\.text)) } }

    /// The states as a JSON array.
    fileprivate var listOfStates: String? { states.map { json($0.map(\.rawValue)) } }
}

extension CommandPlaces {
    /// Where the channels lead as a JSON array; `nil` where nothing is told apart.
    fileprivate var listOfHere: String? {
        here.isEmpty ? nil : json(others.union(here.values).map(\.description))
    }

    /// The private brokers that run as a JSON array.
    fileprivate var listOfRunning: String { json(running.map(\.description)) }
}

private func json(_ words: [String]) -> String {
    String(decoding: JSONWriter.write(.array(words.map(JSONValue.string))), as: UTF8.self)
}

extension HistoryQuery.Stage {
    /// As a condition on a row of the table `command`.
    fileprivate var condition: String {
        switch self {
        case .any: "TRUE"
        case .waiting: "isOpen AND (state IN ('created', 'queued') OR desiredRevision IS NOT NULL)"
        case .unknown: "state = 'unknown' AND closedAt IS NULL"
        }
    }
}
