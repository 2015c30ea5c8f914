import DeviceDomain
import GRDB
import Persistence
import TestSupport
import Testing

@Suite(.onEveryDatabase) struct GRDBDeviceRepositoryTests {
    private let repository: any DeviceRepository

    init() async throws {
        repository = try await LedgerHouse.requireCurrent().devices()
    }

    @Test(arguments: DeviceFactory.standard.models)
    func aDeviceComesBack(_ model: DeviceModel) async throws {
        let device = try remembered("robot-1", model: model)
        try await repository.remember([device])
        let profile = device.profile
        #expect(try await repository.device(profile.id, in: profile.home) == device)
    }

    @Test func aLaterProfileReplacesAnEarlierOne() async throws {
        let earlier = try remembered("robot-1", firmware: "1.0")
        let later = try remembered("robot-1", firmware: "2.0")
        try await repository.remember([earlier])
        try await repository.remember([later])
        #expect(try await repository.devices(in: later.profile.home) == [later])
        try await repository.remember([earlier, later])
        #expect(try await repository.devices(in: later.profile.home) == [later])
    }

    @Test func theChannelThatHeardItLastIsRemembered() async throws {
        try await repository.remember([remembered("robot-1", channel: "house-broker")])
        let moved = try remembered("robot-1", channel: "garage-broker")
        try await repository.remember([moved])
        #expect(try await repository.devices(in: moved.profile.home) == [moved])
    }

    @Test func whenItWasHeardIsRememberedToTenMinutes() async throws {
        let noon = Timestamp(milliseconds: 1_764_000_000_000)
        for (minutes, known) in [(0, 0), (9, 0), (10, 10), (-30, 10), (60, 60)] {
            let moment = noon.advanced(by: .seconds(60 * minutes))
            let device = try remembered("robot-1", heardAt: moment)
            try await repository.remember([device])
            let found = try await repository.device(device.profile.id, in: device.profile.home)
            #expect(found?.heardAt == noon.advanced(by: .seconds(60 * known)), "\(minutes) min")
        }
        let silent = try remembered("robot-1", firmware: "2.0")
        try await repository.remember([silent])
        let found = try #require(try await repository.devices(in: silent.profile.home).first)
        #expect(found.profile.firmware == "2.0")
        #expect(found.heardAt == noon.advanced(by: .seconds(3_600)))
        try await repository.forget(silent.profile.id, in: silent.profile.home)
        try await repository.remember([silent])
        #expect(try await repository.devices(in: silent.profile.home) == [silent])
    }

    @Test func homesAreApartAndSorted() async throws {
        let names = ["c", "a", "b"]
        try await repository.remember(names.map { try remembered($0) })
        try await repository.remember([remembered("x", home: "home-2")])
        let found = try await repository.devices(in: HomeID("home-1"))
        #expect(found.map(\.profile.id.text) == ["a", "b", "c"])
        #expect(try await repository.device(DeviceID("x"), in: HomeID("home-1")) == nil)
    }

    @Test func theIdentifiersAreThoseOfOneHomeAndChannel() async throws {
        try await repository.remember([
            remembered("a"), remembered("b"), remembered("c", channel: "garage-broker"),
            remembered("d", home: "home-2"),
        ])
        let home = try HomeID("home-1")
        let found = try await repository.identifiers(in: home, on: ChannelID("mqtt"))
        #expect(found == [try DeviceID("a"), try DeviceID("b")])
        let all = try await repository.devices(in: home)
        #expect(Set(all.filter { $0.channel.text == "mqtt" }.map(\.profile.id)) == found)
    }

    @Test func aForgottenDeviceIsGone() async throws {
        try await repository.remember([remembered("a"), remembered("b")])
        try await repository.forget(DeviceID("a"), in: HomeID("home-2"))
        try await repository.forget(DeviceID("a"), in: HomeID("home-1"))
        try await repository.forget(DeviceID("never-seen"), in: HomeID("home-1"))
        let rest = try await repository.devices(in: HomeID("home-1"))
        #expect(rest.map(\.profile.id.text) == ["b"])
    }

    @Test func whatIsKnownAlreadyIsNotWritten() async throws {
        let folder = try TemporaryFolder()
        let (database, _) = try folder.openLedger()
        let repository = GRDBDeviceRepository(database)
        let noon = Timestamp(milliseconds: 1_764_000_000_000)
        let devices = try (0..<20).map { try remembered("robot-\($0)", heardAt: noon) }
        try await repository.remember(devices)
        let other = try folder.otherProgram()
        let before = try await version(in: other)
        try await repository.remember(devices + devices.reversed())
        #expect(try await version(in: other) == before, "nothing was written")
        try await repository.remember(devices.dropLast() + [remembered("robot-19", firmware: "2")])
        #expect(try await version(in: other) != before)
    }

    /// A number that changes when another connection has written.
    private func version(in other: DatabaseQueue) async throws -> Int? {
        try await other.writeWithoutTransaction { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM device")
            return try Int.fetchOne(db, sql: "PRAGMA data_version")
        }
    }

    private func remembered(
        _ id: String, model: DeviceModel = DeviceModel(rawValue: "sweeper-s1"),
        home: String = "home-1", firmware: String = "1.0", channel: String = "mqtt",
        heardAt: Timestamp? = nil
    ) throws -> RememberedDevice {
        let device = try DeviceFactory.standard.makeDevice(
            model: model, id: DeviceID(id), home: HomeID(home), name: "Robot", firmware: firmware)
        return RememberedDevice(
            profile: device.profile, channel: try ChannelID(channel), heardAt: heardAt)
    }
}
