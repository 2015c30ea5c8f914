import Basics
import Glibc
import Keychain
import ProvisioningProtocol
import TestSupport

/// Sets a device up over its access point, with blocking sockets: for a thread of its own.
struct SocketClient {
    let host: String
    let port: UInt16
    private var cookie: String?

    init(_ url: String) throws {
        let parts = url.dropFirst("http://".count).split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            throw TestSupportError("no address: \(url)")
        }
        host = String(parts[0])
        self.port = port
    }

    /// Brings a device of Security 1 into a network.
    mutating func setUp(_ code: SetupCode, ssid: String, passphrase: String) throws {
        var generator = SystemGenerator()
        var handshake = ClientSession(.proofOfPossession(code.proof), using: &generator)
        guard case .send(let proof) = try handshake.receive(post(.session, handshake.start)),
            case .established(var channel) = try handshake.receive(post(.session, proof))
        else { throw TestSupportError("no session") }
        let network = WiFiCredentials(
            ssid: Array(ssid.utf8), passphrase: Secret(Array(passphrase.utf8)))
        for message in [WiFiConfigMessage.set(network), .apply] {
            _ = try channel.open(post(.config, channel.seal(message.bytes)))
        }
        // A network that an earlier try has applied already is refused, and joined all the same.
        while true {
            let answer = try post(.config, channel.seal(WiFiConfigMessage.getStatus.bytes))
            switch try WiFiConfigMessage(channel.open(answer)) {
            case .status(.success, .connected): return
            case .status(.success, .connecting): continue
            default: throw TestSupportError("not joined")
            }
        }
    }

    private mutating func post(_ endpoint: ProvisioningEndpoint, _ body: [UInt8]) throws -> [UInt8]
    {
        var head = "POST /\(endpoint.rawValue) HTTP/1.1\r\nContent-Length: \(body.count)\r\n"
        if let cookie { head += "Cookie: \(cookie)\r\n" }
        let answer = try exchange(Array("\(head)Connection: close\r\n\r\n".utf8) + body)
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw TestSupportError("no whole answer")
        }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        for line in lines where line.hasPrefix("Set-Cookie: ") {
            cookie = String(line.dropFirst("Set-Cookie: ".count))
        }
        let content = Array(answer[end.upperBound...])
        guard lines.first == "HTTP/1.1 200 OK", lines.contains("Content-Length: \(content.count)")
        else { throw TestSupportError("refused or cut: \(lines)") }
        return content
    }

    private func exchange(_ request: [UInt8]) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0,
            send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { throw TestSupportError("no access point: errno \(errno)") }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &part, part.count, 0), count > 0 {
            answer += part.prefix(count)
        }
        return answer
    }
}
