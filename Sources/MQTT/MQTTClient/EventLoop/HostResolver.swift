private import Basics
private import Glibc

/// Turns host names into numeric addresses, never on the thread of a loop.
enum HostResolver {
    /// Whether the host is a numeric address.
    static func isNumeric(_ host: String) -> Bool {
        NumericAddress(host) != nil
    }

    /// Whether the host is an IPv6 address, with or without a zone: `fe80::1%eth0`. Its characters are those
    /// of a zone in a URL (RFC 6874, section 2).
    static func isIPv6(_ host: String) -> Bool {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard NumericAddress(String(parts[0]))?.isIPv6 == true else { return false }
        guard parts.count > 1 else { return true }
        return !parts[1].isEmpty
            && parts[1].allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0))
            }
    }

    /// Whether a numeric address is one of this machine's loopback.
    static func isLoopback(_ address: String) -> Bool {
        NumericAddress(address)?.isLoopback == true
    }

    /// Looks the host up on a thread of its own, and calls back on that thread.
    static func resolve(
        _ host: String, _ completion: @escaping @Sendable (Result<[String], MQTTError>) -> Void
    ) {
        do throws(MQTTError) {
            try LoopThread.start(name: "mqtt-resolver") { completion(lookUp(host)) }
        } catch {
            completion(.failure(error))
        }
    }

    private static func lookUp(_ host: String) -> Result<[String], MQTTError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        let addresses = code == 0 ? numeric(list) : []
        guard !addresses.isEmpty else { return .failure(failure(host, code)) }
        return .success(addresses)
    }

    private static func numeric(_ list: UnsafeMutablePointer<addrinfo>?) -> [String] {
        var addresses: [String] = []
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let info = entry?.pointee else { break }
            if let text = numeric(info), !addresses.contains(text) { addresses.append(text) }
        }
        return addresses
    }

    private static func numeric(_ info: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            guard let base = buffer.baseAddress,
                getnameinfo(
                    info.ai_addr, info.ai_addrlen, base, socklen_t(NI_MAXHOST), nil, 0,
                    NI_NUMERICHOST) == 0
            else { return nil }
            return String(cString: base)
        }
    }

    private static func failure(_ host: String, _ code: Int32) -> MQTTError {
        let reason = gai_strerror(code).map { String(cString: $0) } ?? "no address"
        return MQTTError(
            .nameResolutionFailed, "\(host) has no address (\(reason)): check the host name",
            isRetriable: true)
    }
}
