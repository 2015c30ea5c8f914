import DeviceDomain
import DeviceSimulation
import Testing

@testable import Fleet

/// Which devices a share of a target takes.
@Suite struct FaultShareTests {
    private func plan(seed: UInt64 = 1, homes: Int = 10) -> FleetPlan {
        FleetPlan(
            homes: .numbered(homes), counts: DeviceCounts(sweepers: 3, pools: 2, stores: 2),
            seed: seed)
    }

    private func devices(
        _ part: Double, of target: String = "all", _ fault: SimulatedFault = .mute,
        seed: UInt64 = 1
    ) throws -> Set<DeviceKey> {
        let order = FaultOrder.inject(try Fault(fault), lasting: nil)
        return try plan(seed: seed).devices(
            meantBy: target, for: order, try FaultShare(part))
    }

    @Test func aShareIsThatPartOfTheDevices() throws {
        #expect(try devices(1).count == 70)
        #expect(try devices(0.5).count == 35)
        #expect(try devices(0.1, of: "sweepers", .stuck).count == 3)
        #expect(try devices(0.0001).count == 1, "at least one")
        #expect(try devices(0.5, of: "home-3/sweeper-1").count == 1)
    }

    @Test func aLargerShareHasTheDevicesOfASmallerOne() throws {
        for target in ["all", "pools", "home-2"] {
            var former: Set<DeviceKey> = []
            for percent in 1...100 {
                let present = try devices(Double(percent) / 100, of: target)
                #expect(present.isSuperset(of: former), "\(target) \(percent)")
                former = present
            }
        }
    }

    @Test func theDevicesFollowFromSeedFaultAndTarget() throws {
        let first = try devices(0.3)
        #expect(try devices(0.3) == first)
        #expect(try devices(0.3, seed: 2) != first)
        #expect(try devices(0.3, .slow) != first)
        #expect(try devices(0.3, of: "sweepers") != first.filter { $0.device.text.hasPrefix("s") })
    }

    /// The processes of a fleet, each of which knows its own devices only, take the same devices as one process.
    @Test(arguments: [2, 3, 7])
    func partsOfAFleetTakeTheDevicesOfTheWhole(processes: Int) throws {
        let order = FaultOrder.inject(try Fault(.mute), lasting: nil)
        for percent in [1, 10, 33, 50, 99, 100] {
            let part = Double(percent) / 100
            let whole = plan()
            let share = try whole.share(FaultShare(part), of: "all", for: order)
            var taken: Set<DeviceKey> = []
            for homes in FleetHomes.numbered(10).shared(among: processes) {
                let own = FleetPlan(
                    homes: homes, counts: DeviceCounts(sweepers: 3, pools: 2, stores: 2), seed: 1)
                taken.formUnion(try own.devices(meantBy: "all", for: order, share))
            }
            #expect(try taken == devices(part), "\(percent) %")
        }
    }

    /// Where one of the target cannot have the fault, none gets it, whether or not the share would take it.
    @Test func aShareOfDevicesThatCannotAllHaveTheFaultIsRefused() throws {
        #expect(throws: FaultRefusal.self) { try devices(0.01, of: "all", .stuck) }
    }

    @Test(arguments: [0, -0.5, 1.01, .nan, .infinity])
    func whatIsNoShareIsRefused(part: Double) {
        let refusal = #expect(throws: FaultRefusal.self) { try FaultShare(part) }
        #expect(refusal?.description.contains("write 0.5 for half") == true)
    }
}
