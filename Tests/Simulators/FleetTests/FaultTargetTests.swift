import DeviceDomain
import DeviceSimulation
import Testing

@testable import Fleet

/// Which devices a text means, and whether they can have a fault.
@Suite struct FaultTargetTests {
    private let candidates: [FaultTarget.Candidate]

    init() {
        let plan = FleetPlan(
            homes: .numbered(2), counts: DeviceCounts(sweepers: 2, pools: 1, stores: 1), seed: 1)
        candidates = plan.devices.map(FaultTarget.Candidate.init)
    }

    private func places(_ text: String, _ fault: SimulatedFault? = nil) throws(FaultRefusal)
        -> [Int]
    {
        try FaultTarget(text: text).places(among: candidates, ableToHave: fault)
    }

    @Test func groupsAreAllOfTheirDevices() throws {
        #expect(try places("all") == Array(0..<8))
        #expect(try places("sweepers", .stuck) == [0, 1, 4, 5])
        #expect(try places("pools", .stuck) == [2, 6])
        #expect(try places("stores", .gridOutage) == [3, 7])
        #expect(try places("home-2/all", .mute) == [4, 5, 6, 7])
    }

    @Test func aHomeAKindAndAGroupAreTheirDevices() throws {
        #expect(try places("home-2", .mute) == [4, 5, 6, 7])
        #expect(try places("sweeping-robot", .stuck) == [0, 1, 4, 5])
        #expect(try places("store") == [3, 7], "the name of a group")
        #expect(try places("home-2/sweepers", .stuck) == [4, 5])
        #expect(try places("home-1/energy-store", .gridOutage) == [3])
        #expect(try places("home-1/pool") == [2])
    }

    @Test func whatFailsTogetherIsNamedByTheGroups() throws {
        let candidates = self.candidates.map { candidate in
            var group = candidate.group
            if group.name == "sweeper" { group.accessPoint = "hall" }
            if candidate.key.home.text == "home-2" { group.feeder = "north" }
            return FaultTarget.Candidate(
                key: candidate.key, kind: candidate.kind, group: group, seed: candidate.seed)
        }
        func places(_ text: String) throws(FaultRefusal) -> [Int] {
            try FaultTarget(text: text).places(among: candidates, ableToHave: .offline)
        }
        #expect(try places("access-point:hall") == [0, 1, 4, 5])
        #expect(try places("home-2/access-point:hall") == [4, 5])
        #expect(try places("feeder:north") == [4, 5, 6, 7])
        let refusal = #expect(throws: FaultRefusal.self) { try places("feeder:south") }
        #expect(refusal?.description.contains("there are north") == true, "\(refusal as Any)")
        let none = #expect(throws: FaultRefusal.self) { try places("home-1/feeder:north") }
        #expect(none?.description.contains("home-1 has no feeder") == true)
    }

    /// What a word meant before counts first.
    @Test func aDeviceIsMeantBeforeAGroupOfItsName() throws {
        let other = candidates[3]
        let group = DeviceGroup(name: "sweeper-1")
        let named = FaultTarget.Candidate(
            key: other.key, kind: other.kind, group: group, seed: other.seed)
        let places = try FaultTarget(text: "sweeper-1").places(
            among: Array(candidates.prefix(3)) + [named], ableToHave: nil)
        #expect(places == [0])
    }

    @Test func aDeviceIsNamedWithItsHomeWhereSeveralHaveIt() throws {
        #expect(try places("home-2/sweeper-1") == [4])
        let refusal = #expect(throws: FaultRefusal.self) { try places("sweeper-1") }
        #expect(
            refusal?.description.contains("write the home too, such as home-1/sweeper-1") == true)
        let one = try FaultTarget(text: "pool-1").places(
            among: Array(candidates.prefix(4)), ableToHave: nil)
        #expect(one == [2])
    }

    @Test(arguments: [
        ("sweper-1", "did you mean sweeper-1?"), ("home-1/pool-2", "did you mean"),
        ("swepers", "did you mean sweepers?"), ("home-3/all", "homeport-sim status"),
        ("home-4", "did you mean home-"),
        ("sweeping-robt", "did you mean sweeping-robot?"),
        ("access-point:hall", "a scenario names"),
        ("", "groups are all, sweepers"),
    ])
    func anUnknownDeviceIsToldTheRemedy(text: String, remedy: String) {
        let refusal = #expect(throws: FaultRefusal.self) { try places(text) }
        #expect(refusal?.description.contains(remedy) == true, "\(refusal as Any)")
    }

    @Test func aGroupWhoseDevicesCannotAllHaveTheFaultIsRefused() {
        let refusal = #expect(throws: FaultRefusal.self) { try places("all", .stuck) }
        let said = refusal?.description ?? ""
        #expect(said.contains("home-1/store-1 and 1 more cannot have stuck"), "\(said)")
        #expect(said.contains("faults of energy-store are"), "\(said)")
    }

    @Test func aTimeIsForFaultsThatLast() {
        let refusal = #expect(throws: FaultRefusal.self) {
            try FaultOrder(injecting: "reboot", setting: [:], lasting: .seconds(1))
        }
        #expect(refusal?.description.contains("leave out --for") == true)
    }
}
