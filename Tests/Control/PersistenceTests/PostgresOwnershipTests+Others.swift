import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import HomeportTesting
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// What an owner and other processes learn of each other.
extension PostgresOwnershipTests {
    // MARK: Calls

    @Test func theOwnerHearsWhatOthersLeaveAndTakeBack() async throws {
        try await withInstances { _, first, second in
            _ = try await first.take()
            var calls = first.ledger.changesByOthers().makeAsyncIterator()
            await calls.next()  // It listens.
            let left = try await second.ledger.leave(.sample())
            await calls.next()
            _ = try await second.ledger.withdraw(left.id)
            await calls.next()
            let record = try await first.ledger.accept(.sample())
            let unknown = try await first.ledger.advance(record, to: .unknown)
            try await second.ledger.putAway(unknown)
            await calls.next()
            #expect(try await first.ledger.record(of: record.id)?.progress.isPutAway == true)
        }
    }

    /// Commits of processes that notify wait for each other.
    @Test func theOwnerDoesNotCallItself() async throws {
        try await withInstances { _, first, second in
            _ = try await first.take()
            let (own, others) = (first.ledger.changesByOthers(), second.ledger.changesByOthers())
            var (ownCalls, otherCalls) = (own.makeAsyncIterator(), others.makeAsyncIterator())
            await ownCalls.next()
            await otherCalls.next()
            let record = try await first.ledger.accept(.sample())
            _ = try await first.ledger.withdraw(record.id)
            _ = try await second.ledger.leave(.sample())
            // Both have heard what was notified before.
            await otherCalls.next()
            await ownCalls.next()
            first.database.close()
            second.database.close()
            #expect(await ownCalls.next() == nil)
            #expect(await otherCalls.next() == nil)
            #expect(own.droppedCount == 0)
            #expect(others.droppedCount == 0)
        }
    }

    @Test func aHomeIsCalledAlone() async throws {
        try await withInstances { house, first, _ in
            let other = PostgresCommandLedger(
                first.database, of: controller, in: try HomeID("home-2"))
            let calls = other.changesByOthers()
            var iterator = calls.makeAsyncIterator()
            await iterator.next()
            _ = try await first.ledger.leave(.sample())
            _ = try await first.ledger.leave(.sample(home: "home-2"))
            await iterator.next()
            first.database.close()
            #expect(await iterator.next() == nil)
            #expect(calls.droppedCount == 0)
        }
    }

    @Test func aLostConnectionIsMadeAgainAndEverybodyIsCalled() async throws {
        try await withInstances { house, first, second in
            var calls = first.ledger.changesByOthers().makeAsyncIterator()
            await calls.next()
            try await house.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()
                """)
            await calls.next()
            _ = try await second.ledger.leave(.sample())
            await calls.next()
        }
    }

    // MARK: Tenures

    @Test func whoOwnedTheHomeDuringACommandIsTold() async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            try await first.ownership.release()
            try await house.advanceClock(by: 1_000)
            _ = try await first.take()
            let record = try await first.ledger.accept(.sample())
            let sending = try await first.ledger.advance(record, to: .sending)
            let start = GRDBCommandLedger.start
            let before = HomeTenure(
                instance: "first", since: start.advanced(by: .seconds(1)), entries: 0)
            #expect(try await second.ledger.tenures(during: record.id) == [before])
            try await house.advanceClock(by: 4_000)
            _ = try await second.take()
            let later = HomeTenure(
                instance: "second", since: start.advanced(by: .seconds(4)), entries: 2)
            #expect(try await second.ledger.tenures(during: record.id) == [before, later])
            _ = try await second.ledger.adoptOrphans(of: controller, in: home)
            let adopted = try #require(try await second.ledger.record(of: sending.id))
            try await second.ledger.advance(adopted, to: .succeeded)
            try await second.ownership.release()
            #expect(
                try await second.ledger.tenures(during: record.id) == [before, later],
                "what comes behind its end does not concern it")
            let unknown = try CommandIntent.sample().id
            #expect(try await first.ledger.tenures(during: unknown).isEmpty)
        }
    }

    // MARK: Kept settings

    @Test func noRevisionIsGivenOutTwice() async throws {
        try await withInstances { _, first, second in
            let (device, other) = (try DeviceID("pool-1"), try DeviceID("pool-2"))
            let ledgers = [first.ledger, second.ledger]
            let revisions = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<10 {
                    group.addTask { [home] in
                        try await ledgers[number % 2].allotRevision(
                            ofSettingsFor: device, in: home, atLeast: 5)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(revisions.sorted() == Array(5..<15))
            func next(_ device: DeviceID, atLeast least: Int) async throws -> Int {
                try await first.ledger.allotRevision(
                    ofSettingsFor: device, in: home, atLeast: least)
            }
            #expect(try await next(device, atLeast: 20) == 20, "another writer has used 19")
            #expect(try await next(device, atLeast: 2) == 21)
            #expect(try await next(other, atLeast: 2) == 2)
        }
    }
}
