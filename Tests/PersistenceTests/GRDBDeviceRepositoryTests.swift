import DeviceDomain
import Persistence
import Testing

@Suite struct GRDBDeviceRepositoryTests {
    private let repository: GRDBDeviceRepository

    init() throws { repository = GRDBDeviceRepository(try .inMemory()) }

    @Test(arguments: DeviceFactory.standard.models)
    func aProfileComesBack(_ model: DeviceModel) async throws {
        let profile = try profile("robot-1", model: model)
        try await repository.remember(profile)
        #expect(try await repository.profile(of: profile.id, in: profile.home) == profile)
    }

    @Test func aLaterProfileReplacesAnEarlierOne() async throws {
        let sweeper = DeviceModel(rawValue: "sweeper-s1")
        try await repository.remember(profile("robot-1", model: sweeper, firmware: "1.0"))
        let later = try profile("robot-1", model: sweeper, firmware: "2.0")
        try await repository.remember(later)
        #expect(try await repository.profiles(in: later.home) == [later])
    }

    @Test func homesAreApartAndSorted() async throws {
        let sweeper = DeviceModel(rawValue: "sweeper-s1")
        for name in ["c", "a", "b"] {
            try await repository.remember(profile(name, model: sweeper))
        }
        try await repository.remember(profile("x", model: sweeper, home: "home-2"))
        let names = try await repository.profiles(in: HomeID("home-1")).map(\.id.text)
        #expect(names == ["a", "b", "c"])
        #expect(try await repository.profile(of: DeviceID("x"), in: HomeID("home-1")) == nil)
    }

    private func profile(
        _ id: String, model: DeviceModel, home: String = "home-1", firmware: String = "1.0"
    ) throws -> DeviceProfile {
        try DeviceFactory.standard.makeDevice(
            model: model, id: DeviceID(id), home: HomeID(home), name: "Robot", firmware: firmware
        ).profile
    }
}
