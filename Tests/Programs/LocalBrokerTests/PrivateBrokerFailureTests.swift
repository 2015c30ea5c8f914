import Glibc
import LocalServices
import TestSupport
import Testing

@testable import LocalBroker

@Suite(.timeLimit(.minutes(1)))
struct PrivateBrokerFailureTests {
    private func failure(
        of configuration: PrivateBrokerConfiguration
    ) async throws -> LocalServicesError {
        let error = await #expect(throws: LocalServicesError.self) {
            try await PrivateBroker.withBroker(configuration) { _ in
                Issue.record("the body ran without a broker")
            }
        }
        return try #require(error)
    }

    /// A configuration whose `mosquitto` is the given shell script.
    private func scripted(_ script: String, in folder: TemporaryFolder) throws
        -> PrivateBrokerConfiguration
    {
        try folder.file("mosquitto", "#!/bin/sh\n\(script)\n", mode: 0o700)
        return PrivateBrokerConfiguration(searchPath: [folder.path])
    }

    @Test func missingMosquittoSaysWhatToInstall() async throws {
        let error = try await failure(of: PrivateBrokerConfiguration(searchPath: ["/nowhere"]))
        #expect(error.code == .mosquittoMissing)
        #expect(error.message.contains("apt-get install mosquitto"))
        #expect(error.message.contains("--broker"))
    }

    @Test func missingSetprivSaysWhatToInstall() async throws {
        let error = try await failure(of: PrivateBrokerConfiguration(setpriv: "no-such-setpriv"))
        #expect(error.code == .setprivMissing)
        #expect(error.message.contains("apt-get install util-linux"))
    }

    @Test func failingStartQuotesTheBroker() async throws {
        let folder = try TemporaryFolder()
        let broken = try scripted("echo 'Error: no such option' >&2; exit 3", in: folder)
        let error = try await failure(of: broken)
        #expect(error.code == .startFailed)
        #expect(error.message.contains("Error: no such option"))
    }

    @Test func takenPortsAreTriedAgainButNotForEver() async throws {
        let folder = try TemporaryFolder()
        let script = "echo again >> \(folder.path)/tries; echo 'Error: Address already in use' >&2"
        let error = try await failure(of: try scripted(script, in: folder))
        #expect(error.code == .noFreePort)
        let tries = try folder.text(of: "tries")
        #expect(tries.split(separator: "\n").count == 8)
    }

    @Test func ourDeathBeforeTheRequestStandsIsNoticed() async throws {
        let folder = try TemporaryFolder()
        try folder.file("mosquitto", "#!/bin/sh\necho started\n", mode: 0o700)
        var arguments = ParentDeathSignal.arguments(
            mosquitto: "\(folder.path)/mosquitto", configuration: "")
        let ours = try await ChildProcess.runToEnd("setpriv", arguments)
        #expect(ours.output == "started\n")
        let parent = try #require(arguments.firstIndex(of: "\(getpid())"))
        arguments[parent] = "1"
        let orphaned = try await ChildProcess.runToEnd("setpriv", arguments)
        #expect(orphaned.output == "")
    }
}
