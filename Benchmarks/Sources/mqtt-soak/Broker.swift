import Glibc
import Synchronization

/// A private mosquitto that can be done harm to. It ends with this process.
final class Broker: Sendable {
    let port: UInt16
    private let configuration: String
    private let process = Mutex<pid_t?>(nil)

    init() throws {
        port = try Self.freePort()
        configuration = "/tmp/mqtt-soak-\(getpid()).conf"
        let text = """
            listener \(port) 127.0.0.1
            allow_anonymous true
            set_tcp_nodelay true
            user \(getuid() == 0 ? "root" : "nobody")
            persistence false
            log_type none

            """
        guard let file = fopen(configuration, "w") else {
            throw SoakError(description: "\(configuration) cannot be written: errno \(errno)")
        }
        fputs(text, file)
        fclose(file)
    }

    deinit {
        stop()
        unlink(configuration)
    }

    /// Starts it. `setpriv` has the kernel end it when the calling thread does.
    func start() throws {
        let words = [
            "setpriv", "--pdeathsig", "KILL", "--", Self.program, "-c", configuration,
        ]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let code = posix_spawnp(&child, "setpriv", nil, nil, &arguments, environ)
        guard code == 0 else {
            throw SoakError(description: "setpriv cannot be started: errno \(code)")
        }
        process.withLock { $0 = child }
    }

    /// Sends a signal; one that ends it is waited for.
    func signal(_ number: Int32) {
        guard let child = process.withLock({ $0 }) else { return }
        kill(child, number)
        guard number == SIGKILL || number == SIGTERM else { return }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        process.withLock { $0 = nil }
    }

    func stop() {
        signal(SIGKILL)
    }

    private static var program: String {
        access("/usr/sbin/mosquitto", X_OK) == 0 ? "/usr/sbin/mosquitto" : "mosquitto"
    }

    /// A port of the loopback that nobody listens on at the moment.
    private static func freePort() throws -> UInt16 {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(probe, address, size) == 0 && getsockname(probe, address, &size) == 0
            }
        }
        guard code else { throw SoakError(description: "no free port: errno \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }
}
