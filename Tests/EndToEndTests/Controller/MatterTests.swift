import Connectivity
import TestSupport
import Testing

/// `homeport` with a scripted Matter server.
@Suite(.timeLimit(.minutes(2))) struct MatterTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private static let lamp = """
        "0/40/3":"Lamp","0/40/5":"Desk","1/29/0":[{"0":257,"1":1}],"1/6/0":false,"1/8/0":100
        """
    private static let large = "18446744073709551615"

    /// Runs `body` with a server of a lamp and a plug that is away, and the options that name it.
    private func withServer(
        greeting: String = FakeMatterServer.greeting(schema: 11, oldest: 9),
        script: @escaping FakeMatterServer.Script = { request in
            [
                FakeMatterServer.result("null", of: request),
                FakeMatterServer.report("7", "1/6/0", "true"),
            ]
        },
        _ body: (FakeMatterServer, [String]) async throws -> Void
    ) async throws {
        let nodes = [
            FakeMatterServer.node("7", Self.lamp),
            FakeMatterServer.node(
                Self.large, available: false, #""1/29/0":[{"0":266,"1":1}],"1/6/0":true"#),
        ]
        let server = try FakeMatterServer(greeting: greeting, nodes: nodes, script: script)
        defer { server.stop() }
        let file = try workplace.folder.file(
            "homeport.yaml",
            """
            home: home-1
            channels:
              - {id: house, kind: matter, url: "\(server.url)", connect-timeout: 3s}
            """)
        try await body(server, ["--config", file])
    }

    @Test func devicesAreListedAndShownWithoutACommand() async throws {
        try await withServer { server, options in
            let listed = try await workplace.homeport(["devices", "--json"] + options)
            #expect(listed.status == 0, "\(listed)")
            #expect(listed.output.contains(#""house-7""#) && listed.output.contains("light"))
            #expect(listed.output.contains(#""house-\#(Self.large)""#))
            let shown = try await workplace.homeport(["show", "desk", "--json"] + options)
            #expect(shown.status == 0, "\(shown)")
            #expect(shown.output.contains(#""brightness":100"#), "\(shown)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aCommandIsDoneOnceTheDeviceReportsIt() async throws {
        try await withServer { server, options in
            let sent = try await workplace.homeport(
                ["send", "house-7", "turn-on", "--json"] + options)
            #expect(sent.status == 0, "\(sent)")
            #expect(sent.output.contains(#""state":"succeeded""#), "\(sent)")
            #expect(server.requests.count == 1)
        }
    }

    @Test func aSuccessAnswerWithoutEffectIsUnknown() async throws {
        try await withServer { request in
            [
                FakeMatterServer.result(
                    request.command == "read_attribute" ? #"{"1/6/0":false}"# : "null", of: request)
            ]
        } _: { server, options in
            let sent = try await workplace.homeport(
                ["send", "house-7", "turn-on", "--expires", "2s", "--json"] + options)
            #expect(sent.status == 3, "\(sent)")
            #expect(server.requests.count { $0.command == "device_command" } == 1)
        }
    }

    @Test func aRefusalIsStatusOneWithTheServersWords() async throws {
        try await withServer {
            [FakeMatterServer.failure(0, "InteractionModelError: Busy (0x9c)", of: $0)]
        } _: { _, options in
            let sent = try await workplace.homeport(
                ["send", "house-7", "turn-on", "--json"] + options)
            #expect(sent.status == 1, "\(sent)")
            #expect(sent.output.contains("Busy (0x9c)"), "\(sent)")
        }
    }

    @Test func nothingWrongIsSent() async throws {
        try await withServer { server, options in
            for words in [["set-brightness", "brightness=255"], ["lock"]] {
                let sent = try await workplace.homeport(["send", "house-7"] + words + options)
                #expect(sent.status == 65, "\(sent)")
            }
            let away = try await workplace.homeport(
                ["send", "house-\(Self.large)", "turn-off"] + options)
            #expect(away.status == 1, "\(away)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func anotherSchemaIsRefusedByName() async throws {
        try await withServer(greeting: FakeMatterServer.greeting(schema: 10, oldest: 9)) {
            _, options in
            let run = try await workplace.homeport(["devices"] + options)
            #expect(run.status == 5, "\(run)")
            for word in ["house", "schema", "10"] { #expect(run.errors.contains(word), "\(run)") }
            #expect(!run.errors.contains("mqtt-version"), "\(run)")
        }
    }

    @Test func channelsAndDoctorTellOfTheServer() async throws {
        try await withServer { _, options in
            let channels = try await workplace.homeport(["channels", "--json"] + options)
            #expect(channels.status == 0, "\(channels)")
            #expect(channels.output.contains(#""devices":2"#), "\(channels)")
            for trait in ["delivery", "effect", "order"] {
                #expect(channels.output.contains(trait), "\(channels)")
            }
            let doctor = try await workplace.homeport(["doctor", "--json"] + options)
            #expect(doctor.output.contains("matter-server"), "\(doctor)")
            #expect(doctor.output.contains("does not reach 1 of 2 devices"), "\(doctor)")
        }
    }

    @Test func aServerThatIsNotThereIsStatusFive() async throws {
        try await withServer { server, options in
            server.stop()
            let run = try await workplace.homeport(["devices"] + options)
            #expect(run.status == 5 && run.errors.contains(server.url), "\(run)")
            let doctor = try await workplace.homeport(["doctor", "--json"] + options)
            #expect(doctor.output.contains("matter-server"), "\(doctor)")
        }
    }
}
