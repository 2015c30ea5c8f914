import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// What stands between the library and the socket that it writes to; the test plays the library.
@Suite(.timeLimit(.minutes(1)))
struct SocketOutletTests {
    private let outlet = SocketOutlet()

    @Test func packetsGoOutTogether() throws {
        // Keeps what is written at once apart from what is not.
        let pair = try SocketPair(SOCK_SEQPACKET)
        outlet.begin(pair.near, unsent: [])
        for text in ["ab", "c", "def"] { #expect(write(text, to: pair.near) == text.utf8.count) }
        #expect(pair.receive(at: pair.far) == nil)
        let (unsent, error) = outlet.send()
        #expect(unsent.isEmpty && error == nil)
        #expect(pair.receive(at: pair.far) == "abcdef")
        #expect(pair.receive(at: pair.far) == nil)
    }

    @Test func whatIsLargeGoesBehindWhatWaits() throws {
        let pair = try SocketPair(SOCK_SEQPACKET)
        let large = String(repeating: "x", count: 20_000)
        outlet.begin(pair.near, unsent: [])
        #expect(write("ab", to: pair.near) == 2)
        #expect(write(large, to: pair.near) == 20_000)
        #expect(pair.receive(at: pair.far) == "ab")
        #expect(pair.receive(at: pair.far) == large)
    }

    @Test func whatTheSocketDoesNotTakeComesFirstNextTime() throws {
        let pair = try SocketPair(SOCK_STREAM)
        _ = fcntl(pair.near, F_SETFL, O_NONBLOCK)
        var written = ""
        var received = ""
        var unsent: [UInt8] = []
        for round in 0..<200 {
            outlet.begin(pair.near, unsent: unsent)
            let line = String(repeating: "\(round) ", count: 1_500)
            // What is refused the library keeps, as here.
            if write(line, to: pair.near) == line.utf8.count { written += line }
            let (rest, error) = outlet.send()
            #expect(error == nil)
            unsent = rest
        }
        #expect(!unsent.isEmpty)
        repeat {
            while let some = pair.receive(at: pair.far) { received += some }
            outlet.begin(pair.near, unsent: unsent)
            unsent = outlet.send().unsent
        } while !unsent.isEmpty
        while let some = pair.receive(at: pair.far) { received += some }
        #expect(received == written)
    }

    /// What the peer said last is still to be read.
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
            let outlet = SocketOutlet()
            outlet.begin(socket, unsent: Array("ab".utf8))
            return outlet.send()
        }
        #expect(unsent == Array("ab".utf8))
        #expect(error == nil)
        withExtendedLifetime(pair) {}
    }

    @Test func aBrokenSocketIsTold() {
        let closed = open("/dev/null", O_RDONLY)
        defer { close(closed) }
        outlet.begin(closed, unsent: Array("ab".utf8))
        #expect(outlet.send().error == EBADF)
    }

    /// What the library would be told of its write.
    private func write(_ text: String, to socket: CInt) -> Int {
        outlet.collect {
            Array(text.utf8).withUnsafeBytes { Glibc.write(socket, $0.baseAddress, $0.count) }
        }
    }
}
