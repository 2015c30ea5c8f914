internal import Connectivity
internal import DeviceDomain
package import Provisioning

/// An attempt to bring a Matter device onto a server as columns.
package enum CommissioningRow {
    /// What a query must select for ``record(_:)``, and the columns of a new row.
    package static let columns =
        ["attempt", "home", "channel", "label", "startedAt"] + changingColumns

    /// What changes while an attempt goes on.
    package static let changingColumns = ["step", "askedAt", "formerNodes", "node", "revision"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written.
    package static func record(_ row: some StoredRow) throws -> CommissioningRecord {
        var columns = ColumnReader(row)
        return CommissioningRecord(
            attempt: try StoredValue.required(
                ProvisioningAttemptID(rawValue: columns.text("attempt")), "attempt"),
            home: try StoredValue.required(HomeID(rawValue: columns.text("home")), "home"),
            channel: try StoredValue.required(
                ChannelID(rawValue: columns.text("channel")), "channel"),
            label: try columns.text("label"), startedAt: try columns.moment("startedAt"),
            step: try StoredValue.required(
                CommissioningRecord.Step(rawValue: columns.text("step")), "step"),
            askedAt: columns.momentIfAny(), formerNodes: try numbers(columns.text("formerNodes")),
            node: try columns.textIfAny().map { try StoredValue.required(UInt64($0), "node") },
            revision: try columns.integer("revision"))
    }

    /// The values of ``columns``.
    package static func values(of record: CommissioningRecord) -> [ColumnValue] {
        [
            .text(record.attempt.rawValue), .text(record.home.text), .text(record.channel.text),
            .text(record.label), .moment(record.startedAt),
        ] + changingValues(of: record)
    }

    /// The values of ``changingColumns``.
    package static func changingValues(of record: CommissioningRecord) -> [ColumnValue] {
        [
            .text(record.step.rawValue), .moment(ifAny: record.askedAt),
            .text(text(record.formerNodes)), .text(ifAny: record.node.map(String.init)),
            .integer(record.revision),
        ]
    }

    private static func text(_ nodes: Set<UInt64>) -> String {
        nodes.sorted().map(String.init).joined(separator: " ")
    }

    private static func numbers(_ text: String) throws -> Set<UInt64> {
        Set(
            try text.split(separator: " ").map {
                try StoredValue.required(UInt64($0), "formerNodes")
            })
    }
}

extension ProvisioningError {
    /// The record that was to be changed is not as this process knows it.
    package static let otherCommissioner = ProvisioningError(
        .otherProcess, "another process brings this device onto the Matter server", .runAgain)
}
