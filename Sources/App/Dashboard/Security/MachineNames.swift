internal import Glibc

/// The names under which browsers of the local network find this machine.
enum MachineNames {
    /// Its host name, in lower case, with and without the domain, and as multicast DNS announces it.
    static var all: Set<String> {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        guard let first = name.split(separator: ".").first.map(String.init) else { return [] }
        return [name, first, "\(first).local"]
    }
}
