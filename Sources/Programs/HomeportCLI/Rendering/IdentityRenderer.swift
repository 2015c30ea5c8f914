import Homeport
import TerminalOutput

/// Certificates, as the verbs of `identity` print them.
struct IdentityRenderer: Sendable {
    private let format: OutputFormat
    private let layout: Layout
    private let now: Timestamp

    /// - Parameter now: the time for which states are shown.
    init(_ common: CommonOptions, _ call: Call, at now: Timestamp) {
        format = common.format
        layout = call.console.layout
        self.now = now
    }

    /// The lines for certificates.
    func lines(for records: [IdentityRecord]) -> [String] {
        lines(for: records.map { StoredIdentity(record: $0, certificate: nil, key: nil) })
    }

    /// The lines for certificates that were issued into files.
    func lines(for identities: [StoredIdentity]) -> [String] {
        switch format {
        case .human: identities.isEmpty ? [] : table(of: identities).lines(in: layout)
        case .json: identities.map { line(for: $0).text }
        }
    }

    /// The lines for the listeners of a broker.
    func lines(for listeners: [BrokerListener]) -> [String] {
        listeners.map { listener in
            switch format {
            case .human: return "\(listener.kind.rawValue)s  \(listener.url)"
            case .json:
                var line = JSONLine()
                line.add("listener", listener.kind.rawValue)
                line.add("url", listener.url)
                return line.text
            }
        }
    }

    /// Columns that names have, unless they are unusually long.
    private static let usualName = 32

    private func table(of identities: [StoredIdentity]) -> TextTable {
        var table = TextTable([
            // What 'identity' takes: a name, whole where the columns behind it can go instead.
            .init("NAME", .cut(minimum: Self.usualName)), .init("KIND"), .init("STATE"),
            .init("UNTIL"),
            .init("SERIAL", omission: 2), .init("CERTIFICATE", omission: 1),
        ])
        for identity in identities {
            let record = identity.record
            let state = record.state(at: now)
            table.add([
                .init(record.name.commonName), .init(record.name.kind.rawValue),
                .init(state.rawValue, state == .revoked || state == .expired ? .bad : .plain),
                .init(until(record)), .init("\(record.serial)"),
                .init(identity.certificate ?? "–"),
            ])
        }
        return table
    }

    /// A date, with the time of day where that is near.
    private func until(_ record: IdentityRecord) -> String {
        let end = record.acceptedUntil
        return end.since(now) < .seconds(2 * 86_400)
            ? LocalTime.dateAndTime(end) : LocalTime.date(end)
    }

    private func line(for identity: StoredIdentity) -> JSONLine {
        let record = identity.record
        var line = JSONLine()
        line.add("name", record.name.commonName)
        line.add("kind", record.name.kind.rawValue)
        line.add("serial", "\(record.serial)")
        line.add("state", record.state(at: now).rawValue)
        line.add("notBefore", record.notBefore.milliseconds)
        line.add("notAfter", record.acceptedUntil.milliseconds)
        if let certificate = identity.certificate { line.add("certificate", certificate) }
        if let key = identity.key { line.add("key", key) }
        return line
    }
}
