import DeviceControl
import DeviceDomain
import Persistence
import TestSupport
import Testing

/// What a user calls devices and rooms.
@Suite(.onEveryDatabase, .timeLimit(.minutes(2))) struct GRDBLabelRepositoryTests {
    private let repository: any TestedLabels
    private let home = HomeID.literal("home-1")
    private let robot = DeviceID.literal("sweeper-1")

    init() async throws {
        repository = try await LedgerHouse.requireCurrent().labels()
    }

    @Test func whatWasSaidIsReadByAnotherProcess() async throws {
        let change = try await repository.change(in: home) { labels throws(LabelRefusal) in
            for name in ["Kitchen", "Hall"] { try labels.addRoom(.sample(name)) }
            try labels.name(.literal("sweeper-1"), .sample("Robbie"))
            try labels.move(.literal("sweeper-1"), to: "kitchen")
            try labels.move(.literal("store-1"), to: "Hall")
        }
        #expect(change.refusal == nil && change.former == HomeLabels())
        let other = try await LedgerHouse.requireCurrent().labels()
        let labels = try await other.labels(in: home)
        #expect(labels == change.current)
        #expect(labels[robot] == DeviceLabel(name: .sample("Robbie"), room: .sample("Kitchen")))
        #expect(try other.readLabels(in: home) == labels)
        #expect(try await other.labels(in: .literal("home-2")) == HomeLabels())
    }

    @Test func whatIsRefusedStoresNothing() async throws {
        let change = try await repository.change(in: home) { labels throws(LabelRefusal) in
            try labels.addRoom(.sample("Kitchen"))
            try labels.move(.literal("sweeper-1"), to: "Hall")
        }
        #expect(change.refusal != nil)
        #expect(change.current == change.former)
        #expect(try await repository.labels(in: home) == HomeLabels())
    }

    @Test func ofProcessesThatGiveOneNameAtOnceOneIsRefused() async throws {
        let other = try await LedgerHouse.requireCurrent().labels()
        async let mine = repository.change(in: home) { labels throws(LabelRefusal) in
            try labels.name(.literal("sweeper-1"), .sample("Robbie"))
        }
        async let theirs = other.change(in: home) { labels throws(LabelRefusal) in
            try labels.name(.literal("sweeper-2"), .sample("robbie"))
        }
        let refusals = try await [mine, theirs].compactMap(\.refusal)
        #expect(refusals.count == 1)
        #expect(try await repository.labels(in: home).devices.count == 1)
    }

    @Test func aRoomOfDevicesIsRemoved() async throws {
        _ = try await repository.change(in: home) { labels throws(LabelRefusal) in
            try labels.addRoom(.sample("Kitchen"))
            try labels.move(.literal("sweeper-1"), to: "Kitchen")
        }
        let change = try await repository.change(in: home) { labels throws(LabelRefusal) in
            try labels.removeRoom("Kitchen")
        }
        #expect(change.former.devices(in: .sample("Kitchen")) == [robot])
        #expect(try await repository.labels(in: home) == HomeLabels())
    }
}

extension GivenName {
    /// A name that is written in a test.
    static func sample(_ text: String) -> GivenName {
        do {
            return try GivenName(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
