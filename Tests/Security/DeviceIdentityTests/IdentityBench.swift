import DeviceDomain
import Keychain
import Synchronization
import TestSupport

@testable import DeviceIdentity

/// An authority with a keychain in memory, a register in a temporary folder and a clock that a test sets.
final class IdentityBench: Sendable {
    let folder: TemporaryFolder
    let keychain = InMemoryKeychain()
    private let time = Mutex(Timestamp(milliseconds: 1_764_000_000_000))

    init() throws { folder = try TemporaryFolder() }

    var now: Timestamp { time.withLock { $0 } }

    /// The authority; another value each time, as another process has.
    func authority(of home: String = "home-1") throws -> IdentityAuthority {
        IdentityAuthority(
            home: try HomeID(home), keychain: keychain, folder: "\(folder.path)/register"
        ) { self.now }
    }

    func pass(_ duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }

    var files: IdentityFiles { IdentityFiles(folder: "\(folder.path)/identities") }

    /// Runs a script in the folder; `openssl` is the judge of what was written.
    func shell(_ script: String) async throws -> (status: Int32, output: String) {
        let ending = try await ChildProcess.runToEnd(
            "/bin/bash", ["-c", "cd \"$0\" && { \(script)\n} 2>&1", folder.path],
            environment: ["PATH": "/usr/bin:/bin"])
        return (ending.status, ending.output)
    }
}

extension IdentityName {
    /// A device of `home-1`.
    static func device(_ name: String) throws -> IdentityName {
        .device(try DeviceID(name), home: try HomeID("home-1"))
    }

    /// A controller.
    static func controller(_ name: String) throws -> IdentityName {
        .controller(try ControllerID(name))
    }
}
