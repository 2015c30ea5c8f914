import TestSupport
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(2)))
struct FleetOnRealBrokerTests {
    @Test(arguments: FleetProtocolVersion.allCases)
    func everyDeviceBecomesReady(version: FleetProtocolVersion) async throws {
        try await withBroker { broker in
            let counts = DeviceCounts(sweepers: 150)
            try await withFleet(counts, on: broker.url, version: version) { running in
                try await running.notice(beginning: "ready 150 devices")
                let snapshot = await running.fleet.snapshot()
                #expect(snapshot.isReady)
                #expect(snapshot.connectedDevices == 150)
                #expect(snapshot.tally.sent["description"] == 150)
                #expect(snapshot.tally.reconnects == 0)
            }
        }
    }

    @Test func comesBackWithItsBroker() async throws {
        try await withBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 20), on: broker.url) { running in
                try await running.notice(beginning: "ready")
                await broker.kill()
                try await running.notice(beginning: "lost the broker: ")
                #expect(await running.fleet.snapshot().connectedDevices == 0)
                try await broker.start()
                try await running.notice(beginning: "all 20 devices are connected again")
                #expect(await running.fleet.snapshot().tally.reconnects == 20)
            }
        }
    }

    @Test func twoFleetsOfOneHomeAreBothToldTheCauseFirst() async throws {
        try await withBroker { broker in
            let counts = DeviceCounts(sweepers: 2)
            try await withFleet(counts, on: broker.url) { first in
                try await first.notice(beginning: "ready 2 devices")
                try await withFleet(counts, on: broker.url) { second in
                    try await second.notice(beginning: "ready 2 devices")
                    for fleet in [first, second] {
                        var notices = fleet.notices.makeAsyncIterator()
                        let cause = "\(try #require(await notices.next()))"
                        #expect(cause.contains("another client seems to use the id"), "\(cause)")
                        #expect(cause.contains("--home"))
                    }
                }
            }
        }
    }

    @Test(arguments: FleetProtocolVersion.allCases)
    func aBrokerOfSmallPacketsEndsTheRunWithTheCause(version: FleetProtocolVersion) async throws {
        try await withBroker("max_packet_size 2048") { broker in
            let error = await #expect(throws: FleetError.self) {
                let counts = DeviceCounts(sweepers: 2)
                try await withFleet(counts, on: broker.url, version: version) { running in
                    for await notice in running.notices { Issue.record("\(notice)") }
                }
            }
            #expect(error?.code == .connectionRefused)
            let message = error?.message ?? ""
            #expect(message.contains("the description of home-1/sweeper-"), "\(message)")
            #expect(message.contains("max_packet_size"), "\(message)")
            #expect(message.contains("packets of 2048 bytes") == (version == .v5), "\(message)")
        }
    }

    @Test func eachStartHasABootOfItsOwn() async throws {
        let directory = try TemporaryFolder()
        try await withBroker { broker in
            for boot in 1...3 {
                let counts = DeviceCounts(sweepers: boot == 1 ? 2 : 1)
                try await withFleet(counts, on: broker.url, journal: directory) { running in
                    try await running.notice(beginning: "ready")
                }
            }
        }
        let journal = try Journal(
            in: JournalDirectory(path: directory.path), homes: FleetHomes.numbered(1).ids)
        let boots = journal.remembered.devices.sorted { $0.key < $1.key }.map(\.value.boot?.count)
        #expect(boots == [3, 1])
    }
}
