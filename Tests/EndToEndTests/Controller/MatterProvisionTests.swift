import TestSupport
import Testing

/// `homeport provision --matter` with a scripted Matter server.
@Suite(.timeLimit(.minutes(2))) struct MatterProvisionTests {
    private static let code = "34970112332"
    private static let node = FakeMatterServer.node(
        "8", #""0/40/3":"Lamp","1/29/0":[{"0":257,"1":1}],"1/6/0":false,"1/8/0":100"#)
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// What the server says to a request by default: a commissioning brings node 8.
    @Sendable private static func obeying(_ request: FakeMatterServer.Request) -> [String]? {
        switch request.command {
        case "commission_with_code":
            [
                #"{"event":"node_added","data":\#(node)}"#,
                FakeMatterServer.result(node, of: request),
            ]
        case "discover": [FakeMatterServer.result("[]", of: request)]
        default: [FakeMatterServer.result("null", of: request)]
        }
    }

    /// Runs `body` with a server, and the options that name it.
    private func withServer(
        script: @escaping FakeMatterServer.Script = obeying,
        _ body: (FakeMatterServer, [String]) async throws -> Void
    ) async throws {
        let server = try FakeMatterServer(nodes: [], script: script)
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

    private func provision(
        _ code: String = code, _ options: [String]
    ) async throws -> Workplace.Run {
        try await workplace.homeport(
            ["provision", "--matter", code, "--channel", "house"] + options)
    }

    @Test func aDeviceComesInAndIsListed() async throws {
        try await withServer { server, options in
            let run = try await provision("3497-011-2332", options + ["--json"])
            #expect(run.status == 0, "\(run)")
            let states = [
                "scanning", "connecting-to-device-ap", "sending-wifi-credentials",
                "confirming-cloud-connection", "finalizing",
            ]
            for (line, state) in zip(run.lines, states) {
                #expect(line.contains(#""to":"\#(state)""#), "\(run)")
            }
            #expect(run.lines.count == 6)
            #expect(run.lines.last?.contains(#""device":"house-8","state":"provisioned""#) == true)
            #expect(server.requests.count == 1)
            server.setNodes([Self.node])
            let again = try await provision(Self.code, options)
            #expect(again.status == 0 && server.requests.count == 1, "\(again)")
            let listed = try await workplace.homeport(["devices", "--json"] + options)
            #expect(listed.output.contains(#""house-8""#), "\(listed)")
        }
    }

    @Test func theCodeIsNowhere() async throws {
        try await withServer { request in
            request.command == "commission_with_code"
                ? [FakeMatterServer.failure(1, "no \(Self.code) 20202021", of: request)]
                : Self.obeying(request)
        } _: { server, options in
            let run = try await workplace.shell(
                """
                echo \(Self.code) | "$homeport" provision --matter - --channel house --verbose "$@"
                grep -rc SQLite '\(workplace.ledger)' || echo NO LEDGER
                grep -ral '20202021\\|\(Self.code)' '\(workplace.folder.path)' && echo FOUND
                exit 0
                """, arguments: options)
            #expect(server.requests.first?.text.contains(Self.code) == true, "\(run)")
            #expect(run.output.contains("no <redacted> ("), "\(run)")
            for text in [run.output, run.errors] {
                #expect(!text.contains("20202021") && !text.contains(Self.code), "\(run)")
            }
            #expect(!run.output.contains("FOUND") && !run.output.contains("NO LEDGER"), "\(run)")
        }
    }

    @Test func aCodeThatCannotBeRightIsRefusedBeforeAnythingIsSent() async throws {
        try await withServer { server, options in
            for code in ["34970112333", "3497", "MT:-24J0AFN00", "abc"] {
                let run = try await provision(code, options)
                #expect(run.status == 65, "\(run)")
                #expect(run.errors.contains("--matter") && !run.errors.contains(code), "\(run)")
            }
            #expect(server.requests.isEmpty && server.listings == 0)
        }
    }

    @Test func wrongOptionsAreUsageAndAnUnknownChannelIsWrongInput() async throws {
        try await withServer { _, options in
            for words in [
                ["--qr", "{}"], ["--device", "a"], ["--password", "-"],
                ["--ssid", "attic", "--password", "-", "--thread", "-"],
            ] {
                let run = try await provision(Self.code, words + options)
                #expect(run.status == 64, "\(run)")
            }
            let alone = try await workplace.homeport(
                ["provision", "--matter", Self.code] + options)
            #expect(alone.status == 64 && alone.errors.contains("--channel"), "\(alone)")
            let other = try await workplace.homeport(
                ["provision", "--matter", Self.code, "--channel", "attic"] + options)
            #expect(other.status == 65 && other.errors.contains("house"), "\(other)")
        }
    }

    @Test func aWiFiNetworkIsSetFromTheKeychain() async throws {
        try await withServer { server, options in
            let run = try await workplace.shell(
                """
                echo 'correct horse' | "$homeport" keychain set attic || exit 99
                "$homeport" provision --matter \(Self.code) --channel house --ssid attic \
                  --password keychain:attic "$@"
                """, arguments: options)
            #expect(run.status == 0, "\(run)")
            #expect(
                server.requests.map(\.command) == ["set_wifi_credentials", "commission_with_code"])
            #expect(server.requests[0].text.contains(#""credentials":"correct horse""#))
            #expect(!run.output.contains("correct horse"))
        }
    }

    @Test func aLostConnectionIsNoReasonToAskTwice() async throws {
        try await withServer { request in
            request.command == "commission_with_code" ? nil : Self.obeying(request)
        } _: { server, options in
            let status = try await workplace.running(
                ["provision", "--matter", Self.code, "--channel", "house"] + options
            ) { program in
                while let line = try await program.line(), !line.contains("asked to bring") {}
                // The server has hung up and goes on. It lists the device now, or reports it.
                server.setNodes([Self.node])
                server.send(#"{"event":"node_added","data":\#(Self.node)}"#)
                try await program.readToEnd()
            }
            #expect(status == 0)
            #expect(server.requests.count == 1)
        }
    }

    @Test func anInterruptedAttemptTakesTheDeviceOutAgain() async throws {
        let (asked, source) = AsyncStream.makeStream(of: FakeMatterServer.Request.self)
        try await withServer { request in
            guard request.command == "commission_with_code" else { return Self.obeying(request) }
            source.yield(request)
            return []
        } _: { server, options in
            let status = try await workplace.running(
                ["provision", "--matter", Self.code, "--channel", "house"] + options
            ) { program in
                let request = try #require(await asked.first { _ in true })
                program.interrupt()
                server.send(#"{"event":"node_added","data":\#(Self.node)}"#)
                server.send(FakeMatterServer.result(Self.node, of: request))
                try await program.readToEnd()
            }
            #expect(status == 1)
            #expect(server.requests.map(\.command) == ["commission_with_code", "remove_node"])
        }
    }

    @Test func aServerThatIsAwayIsStatusFive() async throws {
        let port = try freePort()
        let file = try workplace.folder.file(
            "homeport.yaml",
            """
            home: home-1
            channels:
              - {id: house, kind: matter, url: "ws://127.0.0.1:\(port)/ws", connect-timeout: 1s}
            """)
        let run = try await provision(Self.code, ["--config", file])
        #expect(run.status == 5, "\(run)")
        #expect(run.output.contains("127.0.0.1:\(port)"), "\(run)")
    }
}
