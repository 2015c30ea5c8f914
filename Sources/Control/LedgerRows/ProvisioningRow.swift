package import DeviceControl
internal import DeviceDomain
package import Provisioning

/// An attempt to provision a boxed device as columns.
package enum ProvisioningRow {
    /// What a query must select for ``record(_:)``, and the columns of a new row.
    package static let columns =
        ["attempt", "home", "label", "device", "startedAt"] + changingColumns

    /// What changes while an attempt goes on.
    package static let changingColumns = ["step", "nonce", "serial", "revision"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written.
    package static func record(_ row: some StoredRow) throws -> ProvisioningRecord {
        var columns = ColumnReader(row)
        return ProvisioningRecord(
            attempt: try StoredValue.required(
                ProvisioningAttemptID(rawValue: columns.text("attempt")), "attempt"),
            home: try StoredValue.required(HomeID(rawValue: columns.text("home")), "home"),
            label: try columns.text("label"),
            device: try StoredValue.required(DeviceID(rawValue: columns.text("device")), "device"),
            startedAt: try columns.moment("startedAt"),
            step: try StoredValue.required(
                ProvisioningRecord.Step(rawValue: columns.text("step")), "step"),
            nonce: columns.textIfAny().flatMap(ClaimNonce.init(rawValue:)),
            serial: columns.textIfAny(), revision: try columns.integer("revision"))
    }

    /// The values of ``columns``.
    package static func values(of record: ProvisioningRecord) -> [ColumnValue] {
        [
            .text(record.attempt.rawValue), .text(record.home.text), .text(record.label),
            .text(record.device.text), .moment(record.startedAt),
        ] + changingValues(of: record)
    }

    /// The values of ``changingColumns``.
    package static func changingValues(of record: ProvisioningRecord) -> [ColumnValue] {
        [
            .text(record.step.rawValue), .text(ifAny: record.nonce?.rawValue),
            .text(ifAny: record.serial), .integer(record.revision),
        ]
    }
}

extension ProvisioningError {
    /// The record that was to be changed is not as this process knows it.
    package static func otherProcess(_ record: ProvisioningRecord) -> ProvisioningError {
        ProvisioningError(
            .otherProcess, "another process brings \(record.label) into the home", .runAgain)
    }

    /// The ledger failed.
    package static func storage(_ error: LedgerError) -> ProvisioningError {
        ProvisioningError(.storage, "\(error)", .checkStorage)
    }
}
