import TestSupport

/// The program `LocalBrokerProbe` as a child of the test.
enum ProbeProcess {
    /// What a running probe tells.
    struct Owner {
        /// The broker's port.
        let port: UInt16
        /// The broker's URL.
        var url: String { "mqtt://127.0.0.1:\(port)" }
        /// The probe's own process.
        let processID: Int32
    }

    /// Runs a probe that announces its broker under `root`; it ends with the body.
    static func withOwner<R: Sendable>(
        root: String, _ body: (Owner) async throws -> R
    ) async throws -> R {
        try await ChildProcess.run(
            try ChildProcess.path(of: "LocalBrokerProbe"), [root], reading: .output
        ) { probe in
            let words = try await probe.line()?.split(separator: " ") ?? []
            guard let port = words.first.flatMap({ UInt16($0) }) else {
                throw TestSupportError("the probe said \(words)")
            }
            return try await body(Owner(port: port, processID: probe.processID))
        }.value
    }
}
