import DeviceDomain
import MQTTClient
import Testing

@testable import Fleet

/// How devices are connected, and what follows from what happens on their connections.
@Suite struct ShardConnectionsTests {
    private static let gone = MQTTError(.connectionLost, "gone", isRetriable: true)
    private static let duplicate = MQTTError(
        .likelyDuplicateClientID, "closed again", isRetriable: true)

    /// Devices of some homes, two in each, on so many brokers.
    private struct Devices {
        var connections: ShardConnections

        init(homes: Int, brokers: Int = 1) throws {
            let slots = try (1...homes).flatMap { home in
                try (1...2).map { device in
                    DeviceSlot(
                        DeviceWire(
                            home: try HomeID("home-\(home)"),
                            device: try DeviceID("sweeper-\(device)")),
                        kind: "sweeping-robot")
                }
            }
            let all = try (1...brokers).map { try FleetBroker(url: "mqtt://127.0.0.\($0)") }
            connections = ShardConnections(of: slots, on: FleetBrokers(all), speaking: .v5)
        }

        /// Connects a device, and has the broker confirm what it announces.
        mutating func makeReady(_ index: Int) -> String? {
            _ = connections.accepted(index, packetLimit: nil)
            var told: FleetNotice?
            for part in [
                DeviceStanding.Announcement.subscriptions, .description, .presence, .state,
            ] {
                told = connections.confirmed(part, of: index, connections[index].epoch)
            }
            return told.map { "\($0)" }
        }

        /// Ends a connection or an attempt.
        mutating func lose(
            _ index: Int, _ error: MQTTError = gone, retries: Bool = true,
            whileStarting isStarting: Bool = false
        ) -> ConnectionConsequence {
            let loss = connections.lost(index, error, retries: retries)
            return connections.consequence(
                of: loss, for: index, whileStarting: isStarting, describedIn: 4000)
        }

        /// What people are told then.
        mutating func told(_ index: Int, _ error: MQTTError = gone) -> [String] {
            lose(index, error).notices.map { "\($0)" }
        }
    }

    @Test func readyIsToldOnceAllAre() throws {
        var devices = try Devices(homes: 2, brokers: 2)
        #expect((0..<3).compactMap { devices.makeReady($0) } == [])
        #expect(devices.makeReady(3) == "ready 4 devices")
        // The device was connected before, and its broker was never away.
        let wasConnected = devices.connections.accepted(3, packetLimit: nil)
        #expect(wasConnected)
        #expect(devices.makeReady(3) == nil)
    }

    /// With several brokers the one that is lost has its name, and the others go on.
    @Test func theLossAndTheReturnOfOneBrokerAreTold() throws {
        var devices = try Devices(homes: 2, brokers: 2)
        for index in 0..<4 { _ = devices.makeReady(index) }
        let whileOtherIsThere = devices.told(2) + devices.told(2)
        #expect(whileOtherIsThere == [])
        #expect(devices.told(3) == [], "that the connections are gone does not say why")
        #expect(
            devices.told(2) == [
                "lost the broker \(try FleetBroker(url: "mqtt://127.0.0.2")): gone; its devices keep "
                    + "running and reconnect"
            ])
        #expect(devices.told(3) == [])
        #expect(devices.connections.standings.online == 2)
        #expect(devices.makeReady(2) == nil)
        #expect(
            devices.makeReady(3)
                == "all 2 devices of \(try FleetBroker(url: "mqtt://127.0.0.2")) are connected again"
        )
    }

    @Test func theOnlyBrokerNeedsNoName() throws {
        var devices = try Devices(homes: 1)
        for index in 0..<2 { _ = devices.makeReady(index) }
        for index in 0..<2 { _ = devices.lose(index) }
        #expect(devices.told(0) == ["lost the broker: gone; devices keep running and reconnect"])
    }

    /// An answer to what was sent over an earlier connection says nothing of this one.
    @Test func aConfirmationOfAnEarlierConnectionDoesNotCount() throws {
        var devices = try Devices(homes: 1)
        _ = devices.makeReady(0)
        _ = devices.lose(0)
        _ = devices.connections.accepted(0, packetLimit: nil)
        #expect(devices.connections.confirmed(.whole, of: 0, 1) == nil)
        #expect(devices.connections.standings.ready == 0)
        _ = devices.connections.confirmed(.whole, of: 0, 2)
        #expect(devices.connections.standings.ready == 1)
    }

    @Test func aDeviceGivesItsIDUpAfterTooManyTakeovers() throws {
        var devices = try Devices(homes: 1)
        for index in 0..<2 { _ = devices.makeReady(index) }
        #expect(devices.told(0, Self.duplicate).first?.contains("another client") == true)
        for _ in 2..<ShardConnections.suspicionLimit {
            #expect(devices.told(0, Self.duplicate) == [], "it is told once")
        }
        let last = devices.lose(0, Self.duplicate)
        #expect(last.notices.map { "\($0)" }.first?.contains("gives up") == true)
        #expect(last.failure == nil, "the other device goes on")
        #expect(devices.connections.standings.abandoned == 1)
        #expect(devices.connections.refusalOfSome?.message.hasPrefix("1 of 2 devices") == true)
    }

    @Test func theRunEndsOnceAllDevicesAreRefused() throws {
        var devices = try Devices(homes: 1)
        let refusal = MQTTError(.connectionRefused, "not allowed", reasonCode: .notAuthorized)
        let first = devices.lose(0, refusal, retries: false, whileStarting: true)
        #expect(first.notices.count == 1 && first.failure == nil)
        let second = devices.lose(1, refusal, retries: false, whileStarting: true)
        #expect(second.failure?.code == .connectionRefused)
        #expect(second.failure?.message.contains("pass --credentials-file") == true)
        #expect(devices.connections.areAllClosed)
    }

    @Test func aBrokerWithoutRetainedMessagesEndsTheStart() throws {
        var devices = try Devices(homes: 1)
        let unfit = MQTTError(.connectionRefused, "no", reasonCode: .retainNotSupported)
        #expect(
            devices.lose(0, unfit, whileStarting: true).failure?.message
                .contains("does not allow retained messages") == true)
        #expect(devices.lose(0, unfit).failure == nil, "it has worked before")
    }

    /// A broker of MQTT 3.1.1 ends the connection instead of saying that a packet is too large.
    @Test func aBrokerThatTakesNoDescriptionEndsTheRun() throws {
        var devices = try Devices(homes: 1)
        _ = devices.connections.accepted(0, packetLimit: nil)
        #expect(
            devices.lose(0, Self.duplicate).failure?.message
                .contains("home-1/sweeper-1 has 4000") == true)
        _ = devices.makeReady(1)
        let denied = devices.lose(0, Self.duplicate)
        #expect(denied.failure == nil && denied.isDenial, "it takes that of others")
    }

    /// A broker at its limit of connections closes further ones without a word.
    @Test func devicesThatDoNotComeAreToldWithTheirNumberAndTheCause() throws {
        var devices = try Devices(homes: 2)
        for index in 0..<2 { _ = devices.makeReady(index) }
        #expect(devices.connections.lateStart() == nil, "they are still on their way")
        for index in 2..<4 { #expect(devices.told(index) == []) }
        #expect(
            devices.connections.lateStart().map { "\($0)" }
                == "2 of 4 devices are connected; the others try again: the broker closes their "
                + "connections; look at its limit of connections (mosquitto: max_connections) and its log"
        )
        _ = devices.lose(3, MQTTError(.connectTimeout, "too late", isRetriable: true))
        #expect(
            devices.connections.lateStart().map { "\($0)" }
                == "2 of 4 devices are connected; the others try again: too late")
        #expect(devices.makeReady(2) == nil)
        #expect(devices.makeReady(3) == "ready 4 devices")
        _ = devices.lose(3)
        #expect(devices.connections.lateStart() == nil, "it was connected before")
    }

    @Test func aHeldConnectionComesBackOnceItIsReleased() throws {
        var devices = try Devices(homes: 1)
        _ = devices.makeReady(0)
        devices.connections.hold(0)
        #expect(devices.connections[0].link == .held)
        let releases = [devices.connections.release(0), devices.connections.release(0)]
        #expect(releases == [true, false], "it is connecting already")
        devices.connections.hold(1)
        devices.connections.endWaiting()
        let isReleased = devices.connections.release(1)
        #expect(!isReleased, "the run is ending")
    }

    @Test func anAbsentDeviceIsNeitherHeldNorCounted() throws {
        var devices = try Devices(homes: 1)
        devices.connections.awaitArrivals()
        #expect(devices.connections.areAllAbsent)
        devices.connections.hold(0)
        #expect(devices.connections[0].link == .absent)
        let arrivals = [
            devices.connections.arrived(0, isHeld: false),
            devices.connections.arrived(1, isHeld: true),
        ]
        #expect(arrivals == [true, false], "a fault keeps the other one offline")
        let isReleased = devices.connections.release(1)
        #expect(isReleased)
        devices.connections.departed(0)
        #expect(devices.connections.standings.absent == 1)
    }

    @Test func aForeignPresenceIsOnlyOneAfterItsOwn() throws {
        var devices = try Devices(homes: 1)
        _ = devices.makeReady(0)
        #expect(devices.connections.heardForeignPresence(0) == nil, "that of its former start")
        _ = devices.lose(0)
        _ = devices.makeReady(0)
        #expect(devices.connections.heardForeignPresence(0) != nil)
        devices.connections.restarted(0)
        #expect(devices.connections.heardForeignPresence(0) == nil)
    }
}
