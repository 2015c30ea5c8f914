import Automation
import DeviceDomain
import Homeport
import TestSupport
import Testing

@testable import Notifications

/// Messages over a real program and a real connection.
@Suite(.timeLimit(.minutes(1))) struct NotificationWayTests {
    private let message = RuleMessage(
        dropped: 7, in: .literal("home-1"), at: Timestamp(milliseconds: 5))

    @Test func aProgramGetsTheTextAndTheJSON() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/said"
        let script =
            "printf '%s\\n' \"$@\" > \"$0\"; printf %s \"$HOMEPORT_NOTIFICATION\" >> \"$0\""
        let program = NotificationProgram(["/bin/sh", "-c", script, file, "a b", "$(touch pwned)"])
        #expect(await program.deliver(message) == nil)
        #expect(
            try folder.text(of: "said")
                == "a b\n$(touch pwned)\n7 more were dropped in the last hour\n"
                + String(decoding: message.json, as: UTF8.self))
    }

    /// A NUL would end the argument.
    @Test func whatATerminalObeysIsEscapedForAProgram() async throws {
        let folder = try TemporaryFolder()
        let script = "printf '%s %s' \"$1\" \"$HOMEPORT_NOTIFICATION\" > \"$0\""
        let notification = RuleNotification(
            home: .literal("home-1"), rule: RuleID(number: 3), name: try GivenName("stuck"),
            device: nil, at: Timestamp(milliseconds: 5), text: "a\0b\u{1B}\u{9B}")
        let program = NotificationProgram(["/bin/sh", "-c", script, "\(folder.path)/said"])
        #expect(await program.deliver(RuleMessage(notification)) == nil)
        #expect(
            try folder.text(of: "said")
                == #"stuck: a\u0000b\u001b\u009b {"at":5,"device":null,"home":"home-1","name":"stuck","#
                + #""rule":"3","text":"stuck: a\u0000b\u001b\u009b"}"#)
    }

    @Test(arguments: [
        (["/bin/sh", "-c", "echo no paper >&2; exit 3"], "no paper"),
        (["/no/such/program"], "no such"), (["no-such-program-of-anybody"], "no such program"),
        (["/etc/passwd"], ""),
    ])
    func aProgramThatFailsIsToldOf(words: [String], reason: String) async {
        let failure = await NotificationProgram(words).deliver(message)
        #expect(failure?.lowercased().contains(reason) == true, "\(failure ?? "none")")
    }

    @Test func aProgramIsLookedForByItsName() async {
        #expect(await NotificationProgram(["true"]).deliver(message) == nil)
    }

    @Test func anAddressGetsThePostAndItsAnswerCounts() async throws {
        let certificates = try await TestCertificates.made()
        for (status, failure) in [("204 No Content", nil), ("500 Oh", "it answers 500")] {
            try await withTLSPeer(certificates, certificate: "good") { peer in
                let way = NotificationAddress(
                    "https://127.0.0.1:\(peer.port)/hook?token=secret",
                    authority: certificates.authority)
                #expect(way.name == "https://127.0.0.1:\(peer.port)")
                async let delivered = way.deliver(message)
                #expect(await peer.waits(for: message.json))
                peer.send(Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n".utf8))
                #expect(await delivered == failure)
                let request = String(decoding: await peer.transcript(), as: UTF8.self)
                #expect(request.contains("POST /hook?token=secret HTTP/1.1"))
                #expect(request.contains("Content-Type: application/json"))
            }
        }
    }

    @Test func anAddressThatIsNotThereIsToldOf() async throws {
        let way = NotificationAddress("https://127.0.0.1:1/hook")
        #expect(await way.deliver(message)?.isEmpty == false)
    }
}
