import TestSupport
import Testing

@testable import PostgresPersistence

/// How the tables are found.
@Suite(.timeLimit(.minutes(1))) struct PostgresSetupTests {
    /// Within a transaction the server answers by names that it has looked up before, unless a statement reads its tables
    /// of names.
    @Test func tablesThatAnotherProcessHasMadeMeanwhileAreFound() async throws {
        try await withPostgreSQL { database in
            let address = try PostgresAddress(database.url)
            let connection = PostgresConnection(address, PostgresLimits())
            let setup = PostgresSetup(connection)
            let before = try await onThread {
                _ = try connection.run(PostgresStatement("BEGIN"))
                return try setup.hasTables()
            }
            #expect(!before)
            _ = try await onThread { try PostgresDatabase.open(address) }
            let after = try await onThread { try setup.hasTables() }
            #expect(after)
        }
    }
}
