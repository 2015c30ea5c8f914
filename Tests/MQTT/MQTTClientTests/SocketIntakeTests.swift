import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// The read buffer between the library and its socket; the test plays the library.
@Suite(.timeLimit(.minutes(1)))
struct SocketIntakeTests {
    private let intake = SocketIntake()

    @Test func oneReadServesManyAndAsksNoMore() throws {
        let pair = try SocketPair(SOCK_STREAM)
        pair.send("abcdef")
        intake.begin(pair.near, isAhead: true, leftover: [])
        #expect(read(1, from: pair.near) == "a")
        #expect(!intake.isDrained)
        #expect(pair.receive(at: pair.near) == nil)
        #expect(read(3, from: pair.near) == "bcd")
        #expect(read(9, from: pair.near) == "ef")
        #expect(intake.isDrained)
        // The socket blocks: to ask it would be the end of the test.
        #expect(read(1, from: pair.near) == nil)
        #expect(errno == EAGAIN)
    }

    @Test func withoutReadingAheadOnlyWhatIsAskedForIsTaken() throws {
        let pair = try SocketPair(SOCK_STREAM)
        pair.send("abc")
        intake.begin(pair.near, isAhead: false, leftover: [])
        #expect(read(2, from: pair.near) == "ab")
        #expect(intake.isEmpty && !intake.isDrained)
        #expect(pair.receive(at: pair.near) == "c")
    }

    @Test func whatIsLeftOverComesFirst() throws {
        let pair = try SocketPair(SOCK_STREAM)
        pair.send("abc")
        intake.begin(pair.near, isAhead: true, leftover: [])
        #expect(read(1, from: pair.near) == "a")
        let leftover = intake.end()
        #expect(leftover == Array("bc".utf8))
        #expect(intake.isEmpty)
        pair.send("d")
        intake.begin(pair.near, isAhead: true, leftover: leftover)
        #expect(read(9, from: pair.near) == "bc")
        #expect(read(9, from: pair.near) == "d")
        #expect(intake.end().isEmpty)
    }

    @Test func aSocketThatIsNotAskedGivesWhatWasRead() throws {
        let pair = try SocketPair(SOCK_STREAM)
        pair.send("ab")
        intake.begin(pair.near, isAhead: true, leftover: [])
        #expect(read(1, from: pair.near) == "a")
        intake.stopAsking()
        #expect(!intake.isDrained)
        #expect(read(1, from: pair.near) == "b")
        #expect(intake.isDrained)
    }

    @Test(arguments: [true, false]) func aTurnHasAnEnd(isAhead: Bool) throws {
        let endless = open("/dev/zero", O_RDONLY)
        defer { close(endless) }
        intake.begin(endless, isAhead: isAhead, leftover: [])
        var total = 0
        while let some = read(100_000, from: endless) { total += some.utf8.count }
        #expect(total == 262_144)
        #expect(intake.isDrained)
    }

    @Test func theEndOfTheStreamIsTold() throws {
        let pair = try SocketPair(SOCK_STREAM)
        shutdown(pair.far, Int32(SHUT_WR))
        intake.begin(pair.near, isAhead: true, leftover: [])
        #expect(read(1, from: pair.near) == "")
    }

    @Test func otherDescriptorsAreReadAsEver() throws {
        let pair = try SocketPair(SOCK_STREAM)
        let other = try SocketPair(SOCK_STREAM)
        other.send("x")
        intake.begin(pair.near, isAhead: true, leftover: [])
        #expect(read(1, from: other.near) == "x")
    }

    /// A packet that is larger than a turn takes several; the loop's other connections come between.
    @Test func aLargePacketTakesSeveralTurns() async throws {
        let payload = [UInt8](repeating: 7, count: 1 << 20)
        try await withFakeBroker { broker in
            let configuration = try MQTTConfiguration.test(broker.port)
            let turns = try await onThread { try Self.turns(configuration, for: payload) }
            #expect(turns >= 4)
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.publish(.v5, topic: "a", payload: payload))
            _ = peer.readToEnd()
        }
    }

    /// How many turns it takes to read a message that the broker sends after CONNACK.
    private static func turns(
        _ configuration: MQTTConfiguration, for payload: [UInt8]
    ) throws -> Int {
        let buffers = SharedLibraryBuffers()
        let handle = try MosquittoHandle.connecting(configuration, buffers)
        var turns = 0
        var isDone = false
        while !isDone, let socket = handle.socket {
            var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 10_000) == 1 else { break }
            turns += 1
            handle.beginReading()
            while !handle.read(fromSocket: true).isDrained {}
            handle.endReading()
            buffers.inbox.drain { event in
                if case .message(let message) = event { isDone = message.payload == payload }
            }
        }
        guard isDone else { throw TestSupportError("no message came") }
        return turns
    }

    /// What the library would read; nil for an error.
    private func read(_ count: Int, from socket: CInt) -> String? {
        intake.feed {
            withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
                let taken = Glibc.read(socket, buffer.baseAddress, buffer.count)
                return taken < 0 ? nil : String(decoding: buffer[..<taken], as: UTF8.self)
            }
        }
    }
}

/// Two sockets that are connected with each other.
final class SocketPair {
    let near: CInt
    let far: CInt

    init(_ type: __socket_type) throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(type.rawValue), 0, &ends) == 0)
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        close(far)
    }

    /// What is for the near end to read.
    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(far, $0.baseAddress, $0.count, 0) }
    }

    /// What has come at an end, as much as came with one write where the type keeps that; nil for nothing.
    func receive(at end: CInt) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(end, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
            return count <= 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
