import DeviceDomain
import Testing

@testable import Fleet

/// Which homes a machine or a process has.
@Suite struct FleetPartTests {
    @Test func homeKBelongsToPartKMinusOneModuloN() throws {
        let homes = FleetHomes.numbered(7)
        let parts = try (1...3).map { try homes.part(FleetPart($0, of: 3)).ids.map(\.text) }
        #expect(parts[0] == ["home-1", "home-4", "home-7"])
        #expect(parts[1] == ["home-2", "home-5"] && parts[2] == ["home-3", "home-6"])
        #expect(try homes.part(.whole) == homes)
    }

    @Test func aPartWithoutAHomeIsAnError() {
        let error = #expect(throws: FleetError.self) {
            try FleetHomes.numbered(2).part(FleetPart(3, of: 3))
        }
        #expect(error?.code == .unusableOption)
    }

    /// Whatever is left of a fleet has the seeds and names that it has in the whole.
    @Test func devicesOfAPartAreThoseOfTheWhole() throws {
        let homes = FleetHomes.numbered(5)
        let whole = FleetPlan(homes: homes, counts: .usual, seed: 9).devices
        let part = FleetPlan(
            homes: try homes.part(FleetPart(2, of: 3)), counts: .usual, seed: 9
        ).devices
        let same = whole.filter { ["home-2", "home-5"].contains($0.key.home.text) }
        #expect(part.map(\.key) == same.map(\.key) && part.map(\.seed) == same.map(\.seed))
    }

    @Test func aBucketFollowsFromTheNameOfTheHome() throws {
        func file(_ home: String) throws -> String { HomeBucket(of: try HomeID(home)).fileName }
        #expect(try file("home-1") == "devices-01.journal")
        #expect(try file("home-64") == "devices-64.journal")
        #expect(try file("home-65") == "devices-01.journal")
        #expect(try file("lake-2") == "devices-02.journal")
        #expect(try file("home-0") == "devices-64.journal")
        #expect(try file("villa") == file("villa") && file("villa") != file("castle"))
        let long = "home-" + String(repeating: "9", count: 40)
        #expect(try file(long).hasPrefix("devices-"))
    }

    @Test(arguments: [1, 2, 3, 7, 8, 64])
    func aBucketIsNeverSharedByTwoProcesses(processes: Int) throws {
        let homes = FleetHomes.numbered(200)
        let parts = homes.shared(among: processes)
        #expect(parts.count == processes)
        #expect(Set(parts.flatMap(\.ids)) == Set(homes.ids))
        #expect(parts.reduce(0) { $0 + $1.count } == 200)
        var owners: [HomeBucket: Int] = [:]
        for (place, part) in parts.enumerated() {
            for id in part.ids {
                let owner = owners.updateValue(place, forKey: HomeBucket(of: id))
                #expect(owner == nil || owner == place)
            }
        }
        let sizes = parts.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 8)
    }

    /// Up to 64 homes, home k belongs to process ((k − 1) mod N) + 1; a shard of homes is shared out as evenly.
    @Test func homesGoToProcessesInTurn() throws {
        let parts = FleetHomes.numbered(8).shared(among: 3)
        #expect(parts[1].ids.map(\.text) == ["home-2", "home-5", "home-8"])
        let shard = try FleetHomes.numbered(32).part(FleetPart(2, of: 4))
        #expect(shard.shared(among: 4).map(\.count) == [2, 2, 2, 2])
        #expect(FleetHomes.numbered(2).shared(among: 8).map(\.count) == [1, 1])
    }
}
