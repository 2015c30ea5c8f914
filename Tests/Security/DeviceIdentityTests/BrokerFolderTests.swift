import DeviceDomain
import TestSupport
import Testing

@testable import DeviceIdentity

/// Which folders are exported to and found again, and what a broker may be called.
@Suite(.timeLimit(.minutes(1))) struct BrokerFolderTests {
    private let bench: IdentityBench

    init() throws { bench = try IdentityBench() }

    private func export(to folder: String, of home: String = "home-1") async throws {
        let address = try #require(ListenerAddress("127.0.0.1:8883"))
        _ = try await bench.authority(of: home).export(
            to: BrokerFolder("\(bench.folder.path)/\(folder)"), listeningOn: address)
    }

    private func found(_ folder: String) async throws -> String {
        try await bench.authority().exportedFolder(at: "\(bench.folder.path)/\(folder)").path
    }

    @Test func onlyAFolderWithAnExportOfTheHomeIsFound() async throws {
        try await export(to: "broker")
        try await export(to: "other", of: "home-2")
        _ = try bench.folder.folder("empty")
        try bench.folder.file("file", "")
        for folder in ["missing", "empty", "other", "file", "file/broker"] {
            let error = await #expect(throws: IdentityError.self) { try await found(folder) }
            #expect(error?.code == .notFound)
            #expect(
                error?.message.contains("/\(folder) holds no export of the home home-1") == true)
        }
        #expect(!bench.folder.has("missing") && !bench.folder.has("empty/acl"))
        #expect(try await found("broker").hasSuffix("/broker"))
        // Whoever runs the broker as a service has a copy, whose certificates others may read.
        #expect(try await bench.shell("cp -r broker copy && chmod 644 copy/*.crt").status == 0)
        #expect(try await found("copy").hasSuffix("/copy"))
    }

    @Test func aPipeInThePlaceOfACertificateIsNotWaitedFor() async throws {
        try await export(to: "broker")
        let script = "cd broker && rm devices.crt && mkfifo devices.crt"
        #expect(try await bench.shell(script).status == 0)
        let error = await #expect(throws: IdentityError.self) { try await found("broker") }
        #expect(error?.code == .notFound)
    }

    @Test func nothingIsExportedWhereItsFilesCannotBeWritten() async throws {
        try bench.folder.file("taken", "")
        for folder in ["occupied", "occupied/acl"] { _ = try bench.folder.folder(folder) }
        for folder in ["taken", "taken/below", "occupied", "with\u{7}bell"] {
            let error = await #expect(throws: IdentityError.self) { try await export(to: folder) }
            #expect(error?.code == .unwritable, "\(folder)")
            #expect(error?.message.contains("name a folder that you can write to") == true)
        }
        let error = #expect(throws: IdentityError.self) { try BrokerFolder("") }
        #expect(error?.code == .unwritable)
        #expect(try await bench.authority().records().isEmpty)
    }

    @Test(arguments: [
        "a..b:8883", "256.1.1.1:8883", ".:8883", "a b:8883", "1.2.3:8883", "[a]:8883", "::1:8883",
        "h:65535",
    ])
    func whatIsNoListenerIsRefused(text: String) { #expect(ListenerAddress(text) == nil) }

    @Test(arguments: [
        "0.0.0.0:8883", "[::]:8883", "broker.example:8883", "mqtt_broker:1", "3com.example:8883",
    ])
    func aListenerIsRead(text: String) { #expect(ListenerAddress(text) != nil) }
}
