import ArgumentParser
import Basics
import Glibc

/// The addresses of this machine from which devices connect.
struct SourceAddresses: Sendable {
    /// How many loopback addresses a number may ask for: 127.0.1.1 to 127.0.1.254.
    private static let mostNumbered = 254

    /// Numeric addresses; at least one.
    let all: [String]

    /// The value of an option: addresses with commas between them, or a number of loopback addresses from 127.0.1.1 on.
    init(_ text: String) throws {
        if let count = Int(text) {
            guard (1...Self.mostNumbered).contains(count) else {
                throw ValidationError(
                    "it must be a number from 1 to \(Self.mostNumbered), or addresses")
            }
            all = (1...count).map { "127.0.1.\($0)" }
            return
        }
        all = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for address in all {
            guard NumericAddress(address) != nil else {
                throw ValidationError(
                    "\(address.isEmpty ? "nothing" : address) is no numeric address; write 10.0.0.5,10.0.0.6 or "
                        + "a number of loopback addresses")
            }
            guard Self.isOwn(address) else {
                throw ValidationError("this machine has no address \(address)")
            }
        }
        guard Set(all).count == all.count else {
            throw ValidationError("an address is named twice: name each once")
        }
    }

    /// Whether a socket can be bound to the address.
    private static func isOwn(_ address: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, nil, &hints, &found) == 0, let info = found?.pointee else {
            return false
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return bind(descriptor, info.ai_addr, info.ai_addrlen) == 0
    }
}
