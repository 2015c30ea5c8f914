import FlyingSocks
import FoundationEssentials
import Glibc
import ProvisioningProtocol
import Testing

@testable import Provisioning

/// The client against what no device, or a broken one, answers.
@Suite(.timeLimit(.minutes(1))) struct HTTPBoxedDeviceTests {
    private static let ok =
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: session=9\r\n\r\nhi"

    /// Runs a request against a server that answers each connection with the next text and closes it.
    /// - Returns: what the client sent.
    private func post(
        to answers: [String], _ endpoints: [ProvisioningEndpoint]
    ) async throws -> (requests: [String], results: [Result<[UInt8], ProvisioningError>]) {
        let listener = try Socket(domain: AF_INET, type: .stream)
        try listener.bind(to: .inet(ip4: "127.0.0.1", port: 0))
        try listener.listen()
        guard case .ip4(_, let port) = try listener.sockname() else { return ([], []) }
        let address = try #require(AccessPointAddress(url: "http://127.0.0.1:\(port)"))
        let server = try await AsyncSocket(socket: listener, pool: .client)
        async let requests = Self.serve(answers, at: server)
        let device = HTTPProvisioningTransport(at: address, clock: ContinuousProvisioningClock())
        var results: [Result<[UInt8], ProvisioningError>] = []
        for endpoint in endpoints {
            do throws(ProvisioningError) {
                results.append(.success(try await device.post([1, 2, 3], to: endpoint)))
            } catch {
                results.append(.failure(error))
            }
        }
        let seen = try await requests
        try server.close()
        return (seen, results)
    }

    private static func serve(_ answers: [String], at server: AsyncSocket) async throws -> [String]
    {
        var requests: [String] = []
        for answer in answers {
            let connection = try await server.accept()
            var request: [UInt8] = []
            while !request.suffix(3).elementsEqual([1, 2, 3]) {
                request += try await connection.read(atMost: 1024)
            }
            requests.append(String(decoding: request, as: UTF8.self))
            try await connection.write(Data(answer.utf8))
            try connection.close()
        }
        return requests
    }

    @Test func theCookieOfTheSessionIsKeptUntilTheNextOne() async throws {
        let (requests, results) = try await post(
            to: [Self.ok, Self.ok, Self.ok], [.session, .config, .version])
        #expect(results.allSatisfy { $0 == .success(Array("hi".utf8)) })
        #expect(!requests[0].contains("Cookie"))
        #expect(requests[1].contains("\r\nCookie: session=9\r\n"))
        #expect(!requests[2].contains("Cookie"))
        #expect(requests[0].hasPrefix("POST /prov-session HTTP/1.1\r\n"))
        #expect(requests[0].contains("Content-Type: application/x-www-form-urlencoded\r\n"))
    }

    @Test(arguments: [
        ("HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\nbusy", ProvisioningError.Code.refused),
        ("220 mail.example ESMTP\r\n\r\n", .unreadableAnswer),
        ("", .connectionLost), ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", .connectionLost),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4097\r\n\r\n", .unreadableAnswer),
    ])
    func everyBadAnswerHasItsError(_ answer: String, _ code: ProvisioningError.Code) async throws {
        let (_, results) = try await post(to: [answer], [.config])
        guard case .failure(let error) = results[0] else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == code)
    }

    @Test func whereNobodyListensThereIsNoAccessPoint() async throws {
        let address = try #require(AccessPointAddress(url: "http://127.0.0.1:1"))
        let device = HTTPProvisioningTransport(at: address, clock: ContinuousProvisioningClock())
        await #expect {
            _ = try await device.post([], to: .version)
        } throws: {
            let error = $0 as? ProvisioningError
            return error?.code == .noAccessPoint
                && error?.message.contains("nothing takes connections there") == true
        }
    }
}
