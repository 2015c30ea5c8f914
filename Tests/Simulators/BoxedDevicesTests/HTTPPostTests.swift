import TestSupport
import Testing

@testable import BoxedDevices

@Suite struct HTTPPostTests {
    private let text =
        "POST /prov-session?x=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=1; session=42\r\n"
        + "Content-Length: 3\r\n\r\nabc"

    private func progress(_ text: String) -> HTTPPost.Progress {
        var post = HTTPPost(largestBody: 4096)
        post.append(Array(text.utf8))
        return post.next()
    }

    @Test func aRequestIsReadHoweverItComes() {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var post = HTTPPost(largestBody: 4096)
            post.append(Array(bytes[..<cut]))
            if cut < bytes.count { #expect(post.next() == .incomplete) }
            post.append(Array(bytes[cut...]))
            guard case .complete(let request) = post.next() else {
                Issue.record("not read, cut at \(cut)")
                return
            }
            #expect(request.path == "prov-session")
            #expect(request.session == 42)
            #expect(request.body == Array("abc".utf8))
            #expect(request.keepsConnection)
            #expect(post.next() == .incomplete)
        }
    }

    @Test func requestsFollowEachOther() {
        var post = HTTPPost(largestBody: 4096)
        post.append(Array((text + text).utf8))
        for _ in 0..<2 {
            guard case .complete = post.next() else {
                Issue.record("a request is missing")
                return
            }
        }
        #expect(post.next() == .incomplete)
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", HTTPStatus.methodNotAllowed),
            ("POST / HTTP/1.1\r\n\r\n", .lengthRequired),
            ("POST / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n", .bodyTooLarge),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", .badRequest),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", .badRequest),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .badRequest),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", .badRequest),
            ("POST / HTTP/2\r\nContent-Length: 0\r\n\r\n", .badRequest),
            ("POST prov HTTP/1.1\r\nContent-Length: 0\r\n\r\n", .badRequest),
            ("POST / HTTP/1.1\r\nno colon\r\n\r\n", .badRequest),
            ("\r\n\r\n", .badRequest), ("hello\r\n\r\n", .badRequest),
            (String(repeating: "x", count: 5000), .headTooLarge),
        ])
    func whatIsNoPostIsRefused(text: String, status: HTTPStatus) {
        #expect(progress(text) == .refused(status))
    }

    @Test func spoiledRequestsNeverTrap() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3_000 {
            var post = HTTPPost(largestBody: 4096)
            post.append(generator.spoiled(Array(text.utf8)))
            _ = post.next()
        }
    }
}
