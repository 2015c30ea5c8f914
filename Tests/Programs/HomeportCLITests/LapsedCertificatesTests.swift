import Homeport
import HomeportTesting
import TestSupport
import Testing

@testable import HomeportCLI

/// Certificates that nobody confirms while a program goes on running.
@Suite(.timeLimit(.minutes(1))) struct LapsedCertificatesTests {
    private static let request = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIHKMHMCAQAwETEPMA0GA1UEAwwGZGV2aWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEbqHDgUQdgCzQFC/tru9mVjR8DuTwanY0hFsjAeQeYqNVUDdrp/6v13Ic
        emjrw+tWnQvp/O7uqtqRAp5gst9YjqAAMAoGCCqGSM49BAMCA0cAMEQCIDuzQTMO
        nag9PEvMEujPx9Wexp6TIaOokG/o6m9GJE6uAiBlp8sw1TkK1P0dlvsbcKOj+1GM
        HIuhJOy7ySBirdfwDA==
        -----END CERTIFICATE REQUEST-----

        """

    @Test func whatLapsesMeanwhileIsTakenBackInTime() async throws {
        let (clock, folder) = (ManualClock(), try TemporaryFolder())
        let home = try HomeID("home-1")
        let authority = IdentityAuthority(
            home: home, keychain: InMemoryKeychain(), folder: "\(folder.path)/register"
        ) { clock.now.wall }
        let issued = try await authority.issue(
            to: .device(try DeviceID("robot-1"), home: home),
            try CertificateRequest(pem: Self.request))
        let (notes, tell) = AsyncStream<String>.makeStream()
        let lapsed = LapsedCertificates(authority: authority) { tell.yield($0) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await lapsed.run(on: clock) }
            _ = await clock.sleeper(within: LapsedCertificates.interval)
            clock.advance(by: .seconds(3_601))
            var iterator = notes.makeAsyncIterator()
            let note = await iterator.next()
            #expect(note?.contains("\(issued.record.serial) of home-1/robot-1") == true)
            group.cancelAll()
        }
        let states = try await authority.records().map { $0.state(at: clock.now.wall) }
        #expect(states == [.revoked])
    }
}
