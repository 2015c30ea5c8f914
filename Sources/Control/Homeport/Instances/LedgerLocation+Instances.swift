package import DeviceControl
internal import PostgresPersistence

extension LedgerLocation {
    /// The processes that work with a ledger in PostgreSQL and may own homes, those that are alive first.
    ///
    /// It makes no tables, and changes nothing.
    /// - Throws: ``HomeError`` `configuration` for a ledger that is not in PostgreSQL, `ledgerUnreachable`, `ledger`.
    package func instances() async throws(HomeError) -> [LedgerInstance] {
        guard let url = try url() else {
            throw HomeError(
                .configuration,
                "only a ledger in PostgreSQL has instances: name it with --database postgresql://USER@HOST/DATABASE"
            )
        }
        let address = try PostgresAddress(ofLedger: url)
        do throws(LedgerError) {
            return try await PostgresDatabase.instances(at: address)
        } catch {
            throw HomeError(error)
        }
    }
}

extension LedgerLocation {
    /// Refuses the URL of a database that cannot be used, before anything is done without the ledger.
    /// - Throws: ``HomeError`` `configuration`.
    package func requireReadableURL() throws(HomeError) {
        guard let url = try? url() else { return }
        do throws(HomeError) {
            _ = try PostgresAddress(ofLedger: url)
        } catch {
            // Without libpq nobody can tell; opening the ledger says so.
            guard error.code == .configuration else { return }
            throw error
        }
    }
}

extension PostgresAddress {
    /// - Throws: ``HomeError`` `configuration` for a URL that cannot be used, `ledgerUnreachable` without libpq.
    init(ofLedger url: String) throws(HomeError) {
        do throws(LedgerError) {
            try self.init(url)
        } catch {
            throw error.code == .unreachable
                ? HomeError(error) : HomeError(.configuration, error.message)
        }
    }
}
