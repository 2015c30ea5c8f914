import DeviceDomain
import Testing

@Suite struct ConnectionStateTests {
    private let old: BootID
    private let new: BootID

    init() throws {
        old = try BootID("b1")
        new = try BootID("b2")
    }

    private func report(_ status: PresenceReport.Status, _ boot: BootID?) -> Presence {
        Presence(status, boot: boot)
    }

    /// Every state with every report of the same and of another boot.
    @Test func everyTransition() {
        let rows: [(ConnectionState, Presence, ConnectionState, Bool)] = [
            (.unknown, report(.online, new), .online(boot: new), true),
            (.unknown, report(.offline, new), .offline(boot: new), true),
            (.online(boot: new), report(.online, new), .online(boot: new), true),
            (.online(boot: old), report(.online, new), .online(boot: new), true),
            (.online(boot: new), report(.offline, new), .offline(boot: new), true),
            (.online(boot: new), report(.offline, old), .online(boot: new), false),
            (.offline(boot: old), report(.online, new), .online(boot: new), true),
            (.offline(boot: old), report(.online, old), .online(boot: old), true),
            (.offline(boot: old), report(.offline, old), .offline(boot: old), true),
            (.unknown, report(.online, nil), .online(boot: nil), true),
            (.online(boot: nil), report(.offline, nil), .offline(boot: nil), true),
        ]
        for (before, report, after, isApplied) in rows {
            var state = before
            let applied = state.apply(report)
            #expect(applied == isApplied, "\(before) \(report)")
            #expect(state == after, "\(before) \(report)")
        }
    }

    @Test func onlyOnlineIsOnline() {
        #expect(ConnectionState.online(boot: new).isOnline)
        #expect(!ConnectionState.offline(boot: new).isOnline)
        #expect(!ConnectionState.unknown.isOnline)
        #expect(ConnectionState.unknown.boot == nil)
        #expect(ConnectionState.offline(boot: old).boot == old)
    }

    @Test func aLateWillOfAnOldBootDoesNotTakeTheDeviceAway() throws {
        var robot = try #require(
            try DeviceFactory.standard.makeDevice(
                model: DeviceModel(rawValue: "sweeper-s1"), id: DeviceID("r"), home: HomeID("h"))
                as? SweepingRobot)
        robot.apply(report(.online, old))
        robot.apply(report(.online, new))
        robot.apply(report(.offline, old))
        #expect(robot.connection == .online(boot: new))
    }
}
