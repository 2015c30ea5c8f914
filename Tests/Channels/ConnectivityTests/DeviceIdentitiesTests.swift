import Connectivity
import DeviceDomain
import Testing

/// Which ids name one device.
@Suite struct DeviceIdentitiesTests {
    private let mqtt: ChannelID
    private let matter: ChannelID
    private let sweeper: DeviceID
    private let node: DeviceID

    init() throws {
        mqtt = try ChannelID("mqtt")
        matter = try ChannelID("house")
        sweeper = try DeviceID("sweeper-1")
        node = try DeviceID("house-5")
    }

    @Test func theConfigurationNamesTheDevice() {
        var identities = DeviceIdentities(channels: [matter, mqtt], same: [node: sweeper])
        #expect(identities.device(node) == sweeper)
        #expect(identities.device(sweeper) == sweeper)
        #expect(identities.ids(of: sweeper) == [sweeper, node])
        identities.note(sweeper, on: mqtt)
        #expect(identities.id(of: sweeper, on: mqtt) == sweeper)
        // No other channel uses the other id.
        #expect(identities.id(of: sweeper, on: matter) == node)
        #expect(identities.id(of: node, on: matter) == node)
    }

    @Test func aSharedSerialNumberIsOneDevice() throws {
        var identities = DeviceIdentities(channels: [mqtt, matter])
        #expect(identities.learn(try profile(node, serial: "S-77"), on: matter) == nil)
        #expect(
            identities.learn(try profile(sweeper, serial: "S-77"), on: mqtt)
                == .same(other: node, device: sweeper), "the first channel of the file names it")
        #expect(identities.device(node) == sweeper)
        #expect(identities.id(of: sweeper, on: matter) == node)
        #expect(identities.learn(try profile(sweeper, serial: "S-77"), on: mqtt) == nil)
    }

    @Test func theOrderOfTheMessagesDoesNotMatter() throws {
        var identities = DeviceIdentities(channels: [mqtt, matter])
        _ = identities.learn(try profile(sweeper, serial: "S-77"), on: mqtt)
        _ = identities.learn(try profile(node, serial: "S-77"), on: matter)
        #expect(identities.device(node) == sweeper)
    }

    @Test func theConfigurationComesBeforeTheSerialNumber() throws {
        let named = try DeviceID("robot")
        var identities = DeviceIdentities(channels: [mqtt, matter], same: [node: named])
        _ = identities.learn(try profile(sweeper, serial: "S-77"), on: mqtt)
        _ = identities.learn(try profile(node, serial: "S-77"), on: matter)
        #expect(identities.device(sweeper) == named)
        #expect(identities.device(node) == named)
        #expect(identities.ids(of: named) == [named, node, sweeper])
    }

    @Test func aNumberThatTwoDevicesOfAChannelHaveTellsNothing() throws {
        var identities = DeviceIdentities(channels: [mqtt, matter])
        _ = identities.learn(try profile(sweeper, serial: "0000"), on: mqtt)
        _ = identities.learn(try profile(node, serial: "0000"), on: matter)
        let other = try DeviceID("house-6")
        #expect(
            identities.learn(try profile(other, serial: "0000"), on: matter)
                == .different(device: sweeper))
        #expect(identities.device(node) == node)
        #expect(identities.ids(of: sweeper) == [sweeper])
    }

    @Test func withoutANumberEachIdIsADevice() throws {
        var identities = DeviceIdentities(channels: [mqtt, matter])
        for serial in [nil, ""] {
            #expect(identities.learn(try profile(sweeper, serial: serial), on: mqtt) == nil)
            #expect(identities.learn(try profile(node, serial: serial), on: matter) == nil)
        }
        #expect(identities.isPlain)
        #expect(identities.id(of: node, on: mqtt) == node)
    }

    private func profile(_ id: DeviceID, serial: String?) throws -> DeviceProfile {
        DeviceProfile(
            id: id, home: try HomeID("home-1"), kind: .sweepingRobot,
            model: DeviceModel(rawValue: "m"), name: "robot", firmware: "1", capabilities: [],
            commands: [], serial: serial)
    }
}
