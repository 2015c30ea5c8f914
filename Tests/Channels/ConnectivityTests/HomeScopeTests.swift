import Connectivity
import DeviceDomain
import Testing

@Suite struct HomeScopeTests {
    private static let (a, b) = (scope("a"), scope("b"))
    private static let both = scope("a", "b")

    private static func scope(_ ids: String...) -> HomeScope {
        .devices(Set(ids.compactMap(DeviceID.init(rawValue:))))
    }

    /// A part, another one, what of the first the second does not hold, and whether they overlap.
    static let pairs: [(HomeScope, HomeScope, HomeScope?, Bool)] = [
        (a, a, nil, true),
        (a, b, a, false),
        (a, both, nil, true),
        (both, a, b, true),
        (a, .everyDevice, nil, true),
        (.everyDevice, a, .everyDevice, true),
        (.everyDevice, .everyDevice, nil, true),
        (a, .everyDeviceWithoutTelemetry, a, true),
        (.everyDeviceWithoutTelemetry, a, .everyDeviceWithoutTelemetry, true),
        (.everyDeviceWithoutTelemetry, .everyDeviceWithoutTelemetry, nil, true),
        (.everyDeviceWithoutTelemetry, .everyDevice, nil, true),
        (.everyDevice, .everyDeviceWithoutTelemetry, .everyDevice, true),
    ]

    @Test(arguments: pairs)
    func subtractingTable(_ pair: (HomeScope, HomeScope, HomeScope?, Bool)) {
        #expect(pair.0.subtracting(pair.1) == pair.2)
        #expect(pair.0.overlaps(pair.1) == pair.3)
    }

    @Test func telemetryIsInAUnionThatNeedsIt() {
        let quiet = HomeScope.everyDeviceWithoutTelemetry
        #expect(quiet.union(quiet) == quiet)
        #expect(quiet.union(Self.a) == .everyDevice)
        #expect(quiet.union(.everyDevice) == .everyDevice)
        #expect(Self.a.union(Self.b) == Self.both)
    }

    @Test func aPartIsCoveredByOthersTogether() {
        #expect(Self.both.isCovered(by: [Self.a, Self.b]))
        #expect(!Self.both.isCovered(by: [Self.a]))
        #expect(!Self.a.isCovered(by: []))
        #expect(!HomeScope.everyDevice.isCovered(by: [Self.a, Self.b]))
        #expect(Self.both.isCovered(by: [Self.a, .everyDevice]))
    }
}
