import DeviceControl
import DeviceDomain
import Testing

@Suite struct CommandOrderTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func aCommandByNameIsCheckedByTheDescription() throws {
        let robot = try bench.robot()
        #expect(throws: CommandRefusal.self) {
            try CommandOrder(CommandName(rawValue: "fly"), for: robot)
        }
        #expect(throws: CommandRefusal.self) {
            try CommandOrder(.setSuctionLevel, ["level": "loud"], for: robot)
        }
        let order = try CommandOrder(.setSuctionLevel, ["level": "max"], for: robot)
        #expect(order.name == .setSuctionLevel)
        #expect(order.arguments == ["level": "max"])
    }

    @Test func aTypedCommandIsCheckedByTheDescriptionToo() throws {
        let pool = DeviceProfile(
            id: bench.device, home: bench.home, kind: .sweepingRobot,
            model: DeviceModel(rawValue: "old"), name: "Old", firmware: "", capabilities: [],
            commands: [.bare(.stop)])
        let error = #expect(throws: CommandRefusal.self) {
            try CommandOrder(.locate, for: SweepingRobot(profile: pool))
        }
        #expect(error == .unknownCommand(.locate, known: [.stop]))
    }

    @Test func aDeviceThatHasNotDescribedItselfTakesNoCommand() throws {
        let silent = GenericDevice(profile: .undescribed(bench.device, in: bench.home))
        let error = #expect(throws: CommandRefusal.self) {
            try CommandOrder(.locate, for: silent)
        }
        #expect(error == .undescribed)
        #expect(error?.description == "the device has not described its commands yet")
    }

    @Test func aSensorTakesNoCommand() throws {
        let sensor = DeviceProfile(
            id: bench.device, home: bench.home, kind: DeviceKind(rawValue: "sensor"),
            model: DeviceModel(rawValue: "s"), name: "S", firmware: "", capabilities: [],
            commands: [])
        let error = #expect(throws: CommandRefusal.self) {
            try CommandOrder(.locate, for: GenericDevice(profile: sensor))
        }
        #expect(error == .takesNoCommands)
    }
}
