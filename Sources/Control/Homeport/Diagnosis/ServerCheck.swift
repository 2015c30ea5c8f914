internal import DeviceControl
internal import PostgresPersistence

/// Whether a ledger in a database can be used. Looking changes nothing there.
struct ServerCheck: Sendable {
    private let url: String

    init(_ url: String) { self.url = url }

    var finding: Finding {
        get async {
            do throws(LedgerError) {
                let address = try PostgresAddress(url)
                guard try await PostgresDatabase.hasTables(at: address) else {
                    return .ok(
                        .ledger,
                        "\(address) can be reached and has no ledger yet; the first command makes it"
                    )
                }
                return .ok(
                    .ledger, "\(address) can be reached and has a ledger of the current schema")
            } catch {
                return .problem(.ledger, "\(error)", remedy: Self.remedy(of: error))
            }
        }
    }

    private static func remedy(of error: LedgerError) -> String {
        switch error.code {
        case .newerSchema: "use the newer homeport, or another database"
        case .unreachable:
            "check host, port and user of the URL, pg_hba.conf of the server, and that it runs"
        default: "name another database with --database"
        }
    }
}
