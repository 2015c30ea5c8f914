import Basics
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// The cost of many connections, and that loops and connections do not disturb each other.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct ManyConnectionsTests {
    /// In a process of its own, where nothing else opens sockets.
    @Test func eachConnectionCostsOneDescriptor() async throws {
        await #expect(processExitsWith: .success) {
            let count = 200
            try await withBroker { broker in
                try await withLoop { loop in
                    let crowd = Crowd(on: loop)
                    let before = Self.openSockets
                    try await crowd.connect(count, to: broker.port)
                    let after = Self.openSockets
                    #expect(after.internet - before.internet == count)
                    #expect(after.local == before.local, "a socket pair is two local sockets")
                    await crowd.close()
                }
            }
        }
    }

    /// A child that kept a socket would keep the connection: the broker would not see its end.
    @Test func socketsStayInThisProcess() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                #expect(inheritedSockets(to: broker.port) == [false])
                async let report = client.disconnect()
                // DISCONNECT is read, and a duplicate of the socket waits for the broker's end.
                await broker.signalled()
                #expect(!inheritedSockets(to: broker.port).contains(true))
                broker.proceed()
                _ = await report
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.disconnect)
            broker.signal()
            try broker.awaitProceed()
            peer.cut()
        }
    }

    @Test func twoLoopsInOneProcess() async throws {
        try await withBroker { broker in
            try await withLoop(label: "first") { first in
                try await withLoop(label: "second") { second in
                    let one = try await connectedHouse(on: first, .test(broker.port, id: "one"))
                    let two = try await connectedHouse(on: second, .test(broker.port, id: "two"))
                    _ = try await two.subscribe([.test("a")]).get()
                    for number in 0..<200 {
                        _ = try await one.publish(.test("a", "\(number)")).get()
                        let message = try await two.nextMessage()
                        #expect(message.payload == Array("\(number)".utf8))
                    }
                }
            }
        }
    }

    @Test func pausedConnectionDoesNotHoldTheOthers() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let paused = try await connectedHouse(on: loop, .test(broker.port, id: "paused"))
                let flowing = try await connectedHouse(on: loop, .test(broker.port, id: "flowing"))
                for owner in [paused, flowing] {
                    _ = try await owner.subscribe([.test("a", qos: .atMostOnce)]).get()
                }
                try await paused.with { $0.pauseReading() }
                for number in 0..<50 {
                    _ = try await flowing.publish(.test("a", "\(number)")).get()
                    _ = try await flowing.nextMessage()
                }
                #expect(await paused.receivedMessages == 0)
                try await paused.with { $0.resumeReading() }
                for number in 0..<50 {
                    let message = try await paused.nextMessage()
                    #expect(message.payload == Array("\(number)".utf8))
                }
            }
        }
    }

    /// A broker that sends to one without a pause, faster than the loop reads.
    @Test func aBusyConnectionDoesNotHoldTheOthers() async throws {
        let packet = FakeBrokerPacket.publish(.v5, topic: "b")
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let meter = TurnMeter()
                let busy = TestOwner(on: loop) { event in
                    if case .message = event { meter.count() }
                }
                await busy.connect(try .test(broker.port, id: "busy"))
                try await busy.waitUntilConnected()
                let quiet = try await connectedHouse(on: loop, .test(broker.port, id: "quiet"))
                meter.begin(on: loop)
                // The broker begins when its thread gets a core, and only then is the quiet one tried.
                while meter.largest == 0 { _ = try await quiet.publish(.test("a")).get() }
                for number in 0..<50 {
                    #expect(try await quiet.publish(.test("a/\(number)")).get() == .success)
                }
                // What is read ahead is delivered: 16 KiB, and as much again if a part was left over.
                #expect(meter.largest < 2 * 16_384 / packet.bytes.count + 2 * 64)
            }
        } broker: { broker in
            let busy = try broker.acceptConnected()
            let quiet = try broker.acceptConnected()
            let burst = Array(repeatElement(packet.bytes, count: 10_000).joined())
            detachThread { while (try? busy.send(bytes: burst)) != nil {} }
            while let packet = try? quiet.read(.publish) {
                try quiet.send(.puback(packet.publishIdentifier))
            }
        }
    }

    /// A connection that has ended leaves the deadline of its attempt, ten seconds away.
    @Test func deadlinesOfEndedConnectionsDoNotPileUp() async throws {
        try await withBroker("max_connections -1") { broker in
            try await withLoop { loop in
                let crowd = Crowd(on: loop)
                for _ in 0..<20 {
                    try await crowd.connect(100, to: broker.port)
                    await crowd.close()
                }
                #expect(await crowd.deadlines <= 1_024)
            }
        }
    }

    /// The answers are there, on more sockets than one round of the loop hears.
    @Test func afterAStandstillAnswersAreHeardBeforeTheyAreMissed() async throws {
        let count = Poller.capacity + 200
        let clock = ManualLoopClock()
        let standstill = DispatchSemaphore(value: 0)
        try await withFakeBroker { broker in
            try await withLoop(clock: .manual(clock)) { loop in
                let crowd = Crowd(on: loop)
                try await crowd.connect(count, to: broker.port) {
                    $0.acknowledgementTimeout = .seconds(2)
                }
                let results = try await crowd.publish()
                await broker.signalled()
                loop.execute {
                    broker.proceed()
                    standstill.wait()
                }
                let failures = await results.prefix(count).reduce(0) { $0 + ($1 ? 0 : 1) }
                #expect(failures == 0)
            }
        } broker: { broker in
            let peers = try (0..<count).map { _ in try broker.acceptConnected() }
            let packets = try peers.map { try $0.read(.publish) }
            broker.signal()
            try broker.awaitProceed()
            for (peer, packet) in zip(peers, packets) {
                try peer.send(.puback(packet.publishIdentifier))
            }
            clock.advance(by: .seconds(3))
            standstill.signal()
            for peer in peers { _ = peer.readToEnd() }
        }
    }

    @Test func cancelledTimersDoNotPileUp() async throws {
        try await withLoop { loop in
            let crowd = Crowd(on: loop)
            for _ in 0..<10_000 { loop.schedule(after: .seconds(60)) {}.cancel() }
            #expect(await crowd.deadlines <= 1_024)
        }
    }

    @Test func socketPairsWorkEverywhereElse() {
        var descriptors: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &descriptors) == 0)
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }

    @Test func brokenPipesAreToldEverywhereElse() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            close(ends[0])
            let count = write(ends[1], "a", 1)
            let reason = errno
            #expect(count == -1)
            #expect(reason == EPIPE)
        }
    }

    @Test func theDispositionOfSIGPIPEStays() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var before = sigaction()
            sigaction(SIGPIPE, nil, &before)
            try await withFakeBroker { broker in
                try await withConnectedOwner(broker) { _, _ in }
            } broker: { broker in
                _ = try broker.acceptConnected().readToEnd()
            }
            var after = sigaction()
            sigaction(SIGPIPE, nil, &after)
            let same =
                unsafeBitCast(before.__sigaction_handler, to: Int.self)
                == unsafeBitCast(after.__sigaction_handler, to: Int.self)
            #expect(same)
        }
    }

    /// How many sockets the process has.
    private static var openSockets: (internet: Int, local: Int) {
        let domains = (Int32(0)..<4_096).compactMap { descriptor -> Int32? in
            var domain: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            let code = getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size)
            return code == 0 ? domain : nil
        }
        return (domains.count { $0 == AF_INET }, domains.count { $0 == AF_UNIX })
    }
}

/// How many messages come between two turns that a loop gives to others.
private final class TurnMeter: Sendable {
    private struct State {
        var present = 0
        var largest = 0
    }

    private let state = Guarded(State())

    /// The most until now.
    var largest: Int { state.withLock { $0.largest } }

    func count() {
        state.withLock { state in
            state.present += 1
            state.largest = max(state.largest, state.present)
        }
    }

    /// Continues as long as it is referenced.
    func begin(on loop: MQTTEventLoop) {
        state.withLock { $0.present = 0 }
        loop.execute { [weak self] in self?.begin(on: loop) }
    }
}

/// Many connections in one actor.
actor Crowd {
    private let loop: MQTTEventLoop
    private var connections: [MQTTConnection] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How many deadlines the loop keeps.
    var deadlines: Int { loop.core.deadlineCount }

    init(on loop: MQTTEventLoop) {
        self.loop = loop
    }

    /// Returns once all are connected.
    func connect(
        _ count: Int, to port: UInt16, configure: (inout MQTTConfiguration) -> Void = { _ in }
    ) async throws {
        let (arrivals, sink) = AsyncStream.makeStream(of: Bool.self)
        for _ in 0..<count {
            var configuration = try MQTTConfiguration.test(port, id: "crowd-\(connections.count)")
            configure(&configuration)
            let connection = MQTTConnection(configuration: configuration, eventLoop: loop) {
                event in
                switch event {
                case .connected: sink.yield(true)
                case .disconnected: sink.yield(false)
                case .message, .skipped, .closed: break
                }
            }
            connections.append(connection)
            connection.start()
        }
        var missing = count
        for await isConnected in arrivals {
            guard isConnected else { throw TestSupportError("a connection failed") }
            missing -= 1
            if missing == 0 { return }
        }
    }

    /// Publishes a message on each connection; brings for each whether it was acknowledged.
    func publish() throws -> AsyncStream<Bool> {
        let (results, sink) = AsyncStream.makeStream(of: Bool.self)
        let message = try MQTTMessage.test("a")
        for connection in connections {
            connection.publish(message) { sink.yield((try? $0.get()) == .success) }
        }
        return results
    }

    func close() async {
        let (reports, sink) = AsyncStream.makeStream(of: MQTTDrainReport.self)
        for connection in connections {
            connection.close(drainingFor: .seconds(5)) { sink.yield($0) }
        }
        var missing = connections.count
        guard missing > 0 else { return }
        for await _ in reports {
            missing -= 1
            if missing == 0 { break }
        }
        connections = []
    }
}

/// Of each socket that is connected to that port, whether children get it.
private func inheritedSockets(to port: UInt16) -> [Bool] {
    (Int32(0)..<1_024).compactMap { descriptor in
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &size)
            }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET),
            address.sin_port == port.bigEndian
        else { return nil }
        return fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
    }
}
