import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// The write buffer between the library and its socket; the test plays the library.
@Suite(.timeLimit(.minutes(1)))
struct SocketOutletTests {
    private let outlet = SocketOutlet()

    @Test func packetsGoOutTogether() throws {
        // Keeps what is written at once apart from what is not.
        let pair = try SocketPair(SOCK_SEQPACKET)
        write(["ab", "c", "def"], to: pair.near)
        #expect(pair.receive(at: pair.far) == nil)
        let (unsent, error) = outlet.send()
        #expect(unsent.isEmpty && error == nil)
        #expect(pair.receive(at: pair.far) == "abcdef")
        #expect(pair.receive(at: pair.far) == nil)
    }

    @Test func whatIsLargeGoesBehindWhatWaits() throws {
        let pair = try SocketPair(SOCK_SEQPACKET)
        let large = String(repeating: "x", count: 20_000)
        write(["ab", large], to: pair.near)
        #expect(pair.receive(at: pair.far) == "ab")
        #expect(pair.receive(at: pair.far) == large)
    }

    @Test func whatTheSocketDoesNotTakeComesFirstNextTime() throws {
        let pair = try SocketPair(SOCK_STREAM)
        _ = fcntl(pair.near, F_SETFL, O_NONBLOCK)
        var written = ""
        var received = ""
        var unsent: [UInt8] = []
        var error: Int32?
        for round in 0..<200 {
            (unsent, error) = outlet.send(unsent, to: pair.near)
            guard unsent.isEmpty else { break }
            let line = String(repeating: "\(round) ", count: 1_500)
            written += line
            write([line], to: pair.near)
            (unsent, error) = outlet.send()
        }
        #expect(error == nil)
        #expect(!unsent.isEmpty)
        repeat {
            while let some = pair.receive(at: pair.far) { received += some }
            unsent = outlet.send(unsent, to: pair.near).unsent
        } while !unsent.isEmpty
        while let some = pair.receive(at: pair.far) { received += some }
        #expect(received == written)
    }

    /// The peer's last data can still be read.
    @Test func aPeerThatHasGoneTakesNothing() async throws {
        let pair = try SocketPair(SOCK_STREAM)
        shutdown(pair.far, Int32(SHUT_RD))
        let socket = pair.near
        let (unsent, error) = try await onThread {
            // As on the thread of a loop.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            return SocketOutlet().send(Array("ab".utf8), to: socket)
        }
        #expect(unsent == Array("ab".utf8))
        #expect(error == nil)
        withExtendedLifetime(pair) {}
    }

    @Test func aBrokenSocketIsTold() {
        let closed = open("/dev/null", O_RDONLY)
        defer { close(closed) }
        #expect(outlet.send(Array("ab".utf8), to: closed).error == EBADF)
    }

    /// The library regards data as written that was only buffered when its socket broke.
    @Test func whatABrokenSocketDidNotTakeIsNotWritten() async throws {
        try await withFakeBroker { broker in
            let configuration = try MQTTConfiguration.test(broker.port)
            let (result, count) = try await onThread { try Self.breakWriting(configuration) }
            #expect(!result.isSuccess)
            #expect(count == 0)
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func aPingThatFindsNoRoomWaits() async throws {
        try await withFakeBroker { broker in
            let configuration = try MQTTConfiguration.test(broker.port)
            let isWaiting = try await onThread {
                let handle = try Self.connected(configuration, SharedLibraryBuffers())
                let socket = try #require(handle.socket)
                let bytes = [UInt8](repeating: 0, count: 65_536)
                while send(socket, bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
                #expect(handle.ping())
                return handle.hasUnsent
            }
            #expect(isWaiting)
        } broker: { broker in
            _ = try broker.acceptConnected()
            try broker.awaitProceed()
        }
    }

    /// Writes more than is gathered to a socket that refuses; returns that, and how many events came of it.
    private static func breakWriting(
        _ configuration: MQTTConfiguration
    ) throws -> (MosquittoResult, Int) {
        let buffers = SharedLibraryBuffers()
        let handle = try connected(configuration, buffers)
        let socket = try #require(handle.socket)
        for _ in 0..<20 {
            let message = MQTTMessage(
                topic: try MQTTTopic("a"), payload: [UInt8](repeating: 7, count: 1_000),
                qos: .atMostOnce)
            _ = handle.publish(message, alias: nil)
        }
        let closed = open("/dev/null", O_RDONLY)
        dup2(closed, socket)
        close(closed)
        let result = handle.write()
        return (result, buffers.inbox.drain { _ in })
    }

    private static func connected(
        _ configuration: MQTTConfiguration, _ buffers: SharedLibraryBuffers
    ) throws -> MosquittoHandle {
        let handle = try MosquittoHandle.connecting(configuration, buffers)
        let socket = try #require(handle.socket)
        while buffers.inbox.drain({ _ in }) == 0 {
            var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            try #require(poll(&request, 1, 10_000) == 1)
            _ = handle.readOnce()
        }
        return handle
    }

    /// What the library would do with packets.
    private func write(_ texts: [String], to socket: CInt) {
        outlet.collect(for: socket) {
            for text in texts {
                let count = Array(text.utf8).withUnsafeBytes {
                    Glibc.write(socket, $0.baseAddress, $0.count)
                }
                #expect(count == text.utf8.count)
            }
        }
    }
}
