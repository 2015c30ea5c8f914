import Homeport
import TerminalOutput

/// Certificates, as the verbs of `identity` print them.
struct IdentityRenderer: Sendable {
    private let style: ListStyle
    private let layout: Layout
    private let now: Timestamp

    /// - Parameter now: the time for which states are shown.
    init(_ style: ListStyle, _ call: Call, at now: Timestamp) {
        self.style = style
        layout = call.console.layout
        self.now = now
    }

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        // What 'identity' takes: a name, whole where the columns behind it can go instead.
        .init("NAME", .cut(minimum: usualName)), .init("KIND"), .init("STATE"), .init("UNTIL"),
        .init("SERIAL", omission: 2), .init("CERTIFICATE", omission: 1, shown: .whereKnown),
    ]

    /// The lines for certificates.
    func lines(for records: [IdentityRecord]) -> [String] {
        listing(of: records).lines(style, in: layout)
    }

    /// The lines for certificates that were issued into files.
    func lines(for identities: [StoredIdentity]) -> [String] {
        listing(of: identities).lines(style, in: layout)
    }

    /// These certificates.
    func listing(of records: [IdentityRecord]) -> Listing {
        listing(of: records.map { StoredIdentity(record: $0, certificate: nil, key: nil) })
    }

    private func listing(of identities: [StoredIdentity]) -> Listing {
        Listing(
            Self.columns,
            identities.map { identity in
                Listing.Row(identity.record.name.commonName) {
                    cells(for: identity)
                } object: {
                    line(for: identity)
                }
            })
    }

    /// The lines for the listeners of a broker.
    func lines(for listeners: [BrokerListener]) -> [String] {
        listeners.map { listener in
            if style.isTable { return "\(listener.kind.rawValue)s  \(listener.url)" }
            var line = JSONLine()
            line.add("listener", listener.kind.rawValue)
            line.add("url", listener.url)
            return line.text
        }
    }

    /// Columns that names have, unless they are unusually long.
    private static let usualName = 32

    private func cells(for identity: StoredIdentity) -> [TextTable.Cell] {
        let record = identity.record
        let state = record.state(at: now)
        return [
            .init(record.name.commonName), .init(record.name.kind.rawValue),
            .init(state.rawValue, state == .revoked || state == .expired ? .bad : .plain),
            ListTimes(style, in: layout, now: now).cell(record.acceptedUntil, exactly: until),
            .init("\(record.serial)"), identity.certificate.map { .init($0) } ?? .absent,
        ]
    }

    /// A date, with the time of day where that is near.
    private func until(_ end: Timestamp) -> String {
        end.since(now) < .seconds(2 * 86_400)
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
