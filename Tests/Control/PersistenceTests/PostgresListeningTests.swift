import Dispatch
import TestSupport
import Testing

@testable import PostgresPersistence

/// What a connection hears that runs no statements.
@Suite(.timeLimit(.minutes(1))) struct PostgresListeningTests {
    /// The last words of the server and the end of its connection are told of in one call where the queue is busy.
    @Test func aConnectionThatEndsWhileItsQueueIsBusyIsNoticed() async throws {
        try await withPostgreSQL { database in
            let connection = PostgresConnection(
                try PostgresAddress(database.url), PostgresLimits())
            let (calls, call) = AsyncStream<String>.makeStream()
            connection.enqueue { connection in
                do {
                    _ = try connection.run(PostgresStatement("LISTEN homeport"))
                    try connection.hear {
                        guard let texts = connection.takeNotifications() else {
                            return connection.stopHearing()
                        }
                        for text in texts { call.yield(text) }
                    } end: {
                        call.finish()
                    }
                    call.yield("listening")
                } catch {
                    call.finish()
                }
            }
            var heard = calls.makeAsyncIterator()
            #expect(await heard.next() == "listening")
            try await database.execute("NOTIFY homeport, 'home-1'")
            #expect(await heard.next() == "home-1")
            let hasEnded = DispatchSemaphore(value: 0)
            connection.enqueue { _ in
                call.yield("busy")
                hasEnded.wait()
            }
            #expect(await heard.next() == "busy")
            // Returns when the process of the server has ended.
            try await database.execute(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()
                """)
            hasEnded.signal()
            #expect(await heard.next() == nil)
        }
    }
}
