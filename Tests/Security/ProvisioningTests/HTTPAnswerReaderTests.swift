import TestSupport
import Testing

@testable import Provisioning

@Suite struct HTTPAnswerReaderTests {
    private static let plain =
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nSet-Cookie: session=7; Path=/\r\n\r\nabc"

    private func read(_ text: String) throws -> HTTPAnswer? {
        var reader = HTTPAnswerReader(largestBody: 16)
        return try reader.receive(text.utf8) ?? reader.ended()
    }

    @Test func anAnswerArrivesInAnyParts() throws {
        let bytes = Array(Self.plain.utf8)
        for cut in 0...bytes.count {
            var reader = HTTPAnswerReader(largestBody: 16)
            let first = try reader.receive(bytes[..<cut])
            let answer = try first ?? reader.receive(bytes[cut...])
            #expect(
                answer == HTTPAnswer(status: 200, cookie: "session=7", body: Array("abc".utf8)))
        }
    }

    @Test func withoutALengthTheEndOfTheConnectionEndsIt() throws {
        #expect(try read("HTTP/1.0 500 No\r\n\r\nwhy")?.body == Array("why".utf8))
        #expect(try read("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc") == nil)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n12345678901234567",
    ])
    func whatNoDeviceSendsIsRefused(_ text: String) {
        #expect(throws: HTTPAnswerReader.Malformed.self) { try read(text) }
    }

    @Test func aHeaderWithoutEndIsRefused() {
        #expect(throws: HTTPAnswerReader.Malformed.self) {
            try read("HTTP/1.1 200 OK\r\n" + String(repeating: "a", count: 5_000))
        }
    }

    @Test(arguments: [(4096, true), (4097, false)])
    func aHeaderIsLimitedHoweverItArrives(size: Int, isTaken: Bool) {
        let start = "HTTP/1.1 200 OK\r\nX: "
        let head = start + String(repeating: "a", count: size - start.utf8.count)
        let bytes = Array((head + "\r\n\r\n").utf8)
        for cut in [bytes.count, size - 1, size, size + 1, size + 2, size + 3] {
            var reader = HTTPAnswerReader(largestBody: 16)
            let result = Result {
                _ = try reader.receive(bytes[..<cut])
                _ = try reader.receive(bytes[cut...])
                return reader.ended()?.status
            }
            #expect((try? result.get()) == (isTaken ? 200 : nil), "\(cut)")
        }
    }

    @Test func noBytesMakeItTrapOrKeepMoreThanIsAllowed() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3_000 {
            var bytes = Array(Self.plain.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            var reader = HTTPAnswerReader(largestBody: 16)
            guard case .success(let answer?) = Result(catching: { try reader.receive(bytes) })
            else { continue }
            #expect(answer.body.count <= 16)
        }
    }

    @Test func anAddressIsNumeric() {
        #expect(
            AccessPointAddress(url: "http://127.1.2.3:8080")?.description == "http://127.1.2.3:8080"
        )
        #expect(AccessPointAddress(url: "http://192.168.4.1/") == .standard)
        for url in [
            "https://1.2.3.4", "http://host", "http://1.2.3", "http://1.2.3.4:0",
            "http://1.2.3.4:+5", "1.2.3.4",
        ] {
            #expect(AccessPointAddress(url: url) == nil)
        }
    }
}
