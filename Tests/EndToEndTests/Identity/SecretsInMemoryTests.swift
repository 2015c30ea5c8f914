import Glibc
import TestSupport
import Testing

/// The memory of `homeport provision` is searched for the Wi-Fi password, which it no longer needs. The broker
/// holds back what would bring the program to its end.
@Suite(
    .timeLimit(.minutes(2)),
    .disabled(if: Sanitizer.isBuiltIn, "its notes lie in the memory that would be searched"))
struct SecretsInMemoryTests {
    /// Where the password comes from.
    enum Source: CaseIterable {
        case keychain, stdin
    }

    /// Where the program is held: when it has sent the password, and when the device is at the broker.
    enum Place: CaseIterable {
        case confirming, finalizing

        /// What the device cannot publish.
        var heldBack: String {
            switch self {
            case .confirming: "presence"
            case .finalizing: "ack/#"
            }
        }

        /// What the program says when it is there.
        var words: String {
            switch self {
            case .confirming: "waiting for it at the broker"
            case .finalizing: "finalizing"
            }
        }
    }

    /// Both protections: of the two devices one has Security 1, the other Security 2.
    @Test(arguments: zip(Source.allCases, [0, 1]))
    func thePasswordDoesNotStayInMemory(from source: Source, device index: Int) async throws {
        for place in Place.allCases {
            try await hold(at: place, source, index) { memory in
                #expect(try !memory.places(of: BoxedHouse.network).isEmpty)
                let places = try memory.places(of: BoxedHouse.password)
                #expect(places == [], "\(place): \(places)")
            }
        }
    }

    /// Runs `body` with the memory of a program that has come to a place.
    private func hold(
        at place: Place, _ source: Source, _ index: Int,
        _ body: (ProcessMemory) throws -> Void
    ) async throws {
        let workplace = try Workplace()
        try await BoxedHouse.storePassword(in: workplace)
        let rules = try workplace.folder.file(
            "acl",
            "topic readwrite #\ntopic deny homeport/v1/+/robo-\(index + 1)/\(place.heldBack)\n")
        try await withBroker("acl_file \(rules)") { broker in
            let options = BoxedHouse.options(2) + ["--broker", broker.url]
            try await SimulatorProcess.run(options, meetingIn: workplace.folder) { fleet in
                let labels = try await BoxedHouse.labels(2, from: fleet)
                let house = BoxedHouse(workplace: workplace, labels: labels, broker: broker.url)
                let picture = "\(workplace.folder.path)/label.png"
                let drawn = try await workplace.shell(
                    "qrencode -o \"$1\" \"$2\"",
                    arguments: [picture, labels[index].code])
                try #require(drawn.status == 0, "\(drawn.errors)")
                let words = house.words(
                    index, code: picture, password: source == .stdin ? "-" : "keychain:attic")
                let input = try workplace.folder.file("password", BoxedHouse.password + "\n")
                let status = try await workplace.running(
                    words, input: source == .stdin ? input : nil
                ) { program in
                    while let line = try await program.line(), !line.contains(place.words) {}
                    program.suspend()
                    try body(ProcessMemory(of: program.processID))
                    program.kill()
                }
                #expect(status == -SIGKILL)
            }
        }
    }
}
