import Keychain
import ProvisioningProtocol
import Testing

@testable import BoxedDevices

@Suite struct WiFiTests {
    /// Number 1 has Security 1, number 2 has Security 2.
    @Test(arguments: [1, 2])
    func aClientBringsTheDeviceIntoANetwork(number: Int) throws {
        var bench = try BoxBench(number)
        var client = try bench.client()
        #expect(try client.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
        #expect(try client.join("home-net", "secret12", on: &bench) == .success)
        #expect(bench.asked == ["join"])
        #expect(
            try client.configure(.getStatus, on: &bench)
                == .status(.success, .connecting(attemptsRemaining: nil)))
        bench.give(.joiningEnded)
        #expect(bench.asked == ["close", "enter home-1/boxed-\(number)"])
        guard
            case .status(.success, .connected(let connection)) =
                try client.configure(.getStatus, on: &bench)
        else {
            Issue.record("not connected")
            return
        }
        #expect(connection.ssid == Array("home-net".utf8))
        #expect(bench.asked == ["close, client knows"])
    }

    @Test func aScanGivesFourNetworksAtATime() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        func ask(_ message: WiFiScanMessage) throws -> WiFiScanMessage {
            try WiFiScanMessage(client.post(.scan, message.bytes, to: &bench))
        }
        #expect(try ask(.start(WiFiScanOptions())) == .startResponse(.success))
        #expect(try ask(.getStatus) == .status(.success, isFinished: true, count: 2))
        guard case .results(.success, let networks) = try ask(.getResults(start: 0, count: 4))
        else {
            Issue.record("no networks")
            return
        }
        #expect(networks.map(\.ssid) == [Array("home-net".utf8), Array("open".utf8)])
        #expect(networks.map(\.protection) == [.wpa2, .open])
        #expect(try ask(.getResults(start: 2, count: 4)) == .results(.success, []))
        #expect(try ask(.getResults(start: 3, count: 1)) == .results(.invalidArgument, []))
        #expect(try ask(.getResults(start: 0, count: 5)) == .results(.invalidArgument, []))
    }

    @Test func aFailedNetworkNeedsAReset() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        for (ssid, failure) in [
            ("home-net", WiFiFailure.wrongPassphrase), ("elsewhere", .networkNotFound),
        ] {
            #expect(try client.join(ssid, "wrong-one", on: &bench) == .success)
            // A network is refused once one was applied.
            #expect(try client.join("home-net", "secret12", on: &bench) == .internalError)
            bench.give(.joiningEnded)
            #expect(bench.asked.isEmpty)
            #expect(
                try client.configure(.getStatus, on: &bench)
                    == .status(.success, .failed(failure)))
            #expect(try client.join("home-net", "secret12", on: &bench) == .internalError)
            let reset = try ControlMessage(
                client.post(.control, ControlMessage.reset.bytes, to: &bench))
            #expect(reset == .resetResponse(.success))
            let again = try ControlMessage(
                client.post(.control, ControlMessage.reset.bytes, to: &bench))
            #expect(again == .resetResponse(.internalError))
        }
        #expect(try client.join("open", "", on: &bench) == .success)
        bench.give(.joiningEnded)
        #expect(bench.asked.last == "enter home-1/boxed-1")
    }

    @Test func impossibleNetworksAreRefused() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        for (ssid, passphrase) in [("", "secret12"), ("x", String(repeating: "p", count: 65))] {
            let credentials = WiFiCredentials(
                ssid: Array(ssid.utf8), passphrase: Secret(Array(passphrase.utf8)))
            #expect(
                try client.configure(.set(credentials), on: &bench)
                    == .setResponse(.invalidArgument))
        }
        #expect(try client.configure(.apply, on: &bench) == .applyResponse(.internalError))
    }

    @Test func thereIsOneSessionAtATime() throws {
        var bench = try BoxBench()
        var first = try bench.client()
        var second = try bench.client()
        #expect(first.session != second.session)
        #expect(throws: BoxRefusal.self) {
            try first.configure(.getStatus, on: &bench)
        }
        #expect(try second.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
    }

    /// Whoever does not know the code on the label ends no session, and keeps nobody from beginning one.
    @Test(arguments: [1, 2])
    func onlyAWholeHandshakeTakesThePlaceOfTheClient(number: Int) throws {
        var bench = try BoxBench(number)
        var client = try bench.client()
        for _ in 0..<20 {
            _ = try bench.post(.version, ProvisioningEndpoint.versionRequest)
            _ = try bench.post(.config, [0x52, 0x00])
            _ = try bench.post(.session, ClientSession(.unprotected, privateKey: Secret([])).start)
            #expect(throws: BoxRefusal.self) { try bench.client(proof: "guesswork") }
        }
        #expect(try client.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
        var other = try bench.client()
        #expect(try other.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
        #expect(throws: BoxRefusal.self) { try client.configure(.getStatus, on: &bench) }
    }

    @Test func nothingIsSaidWithoutASession() throws {
        var bench = try BoxBench()
        for endpoint in [
            ProvisioningEndpoint.config, .scan, .control, .claim,
        ] {
            guard case .failed(_, let reason) = try bench.post(endpoint, [0x52, 0x00]) else {
                Issue.record("\(endpoint.rawValue) has answered")
                continue
            }
            #expect(reason.contains("prov-session"))
        }
        #expect(
            try bench.post(ProvisioningEndpoint(rawValue: "admin"), []) == .unknownEndpoint)
        guard case .done(_, let body) = try bench.post(.version, Array("---".utf8)) else {
            Issue.record("no version")
            return
        }
        #expect(try ProvisioningVersion(json: body).security == .proofOfPossession)
    }

    @Test(arguments: [1, 2])
    func aWrongProofOpensNothing(number: Int) throws {
        var bench = try BoxBench(number)
        #expect(throws: BoxRefusal.self) { _ = try bench.client(proof: "guess") }
        var client = try bench.client()
        #expect(try client.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
    }

    @Test func rubbishInASessionIsRefusedAndAnswersStayInStep() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        #expect(throws: BoxRefusal.self) { try client.post(.config, [0xFF], to: &bench) }
        #expect(try client.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
        #expect(throws: BoxRefusal.self) {
            try client.post(
                .config, WiFiConfigMessage.setResponse(.success).bytes, to: &bench)
        }
        #expect(try client.configure(.getStatus, on: &bench) == .status(.success, .disconnected))
    }
}

@Suite struct NetworkOptionTests {
    @Test func aNetworkIsNamedOnce() throws {
        let networks = [
            try WiFiSurroundings.Network("attic=secret12"), try WiFiSurroundings.Network("attic="),
        ]
        #expect(throws: InvalidNetwork.self) { try WiFiSurroundings(networks) }
    }

    @Test func aNetworkHasANameAndAPassphraseOrNone() throws {
        let network = try WiFiSurroundings.Network("attic=pass=word1234")
        #expect(network.ssid == "attic")
        #expect(network.passphrase == Secret(Array("pass=word1234".utf8)))
        #expect(try WiFiSurroundings.Network("open=").passphrase.count == 0)
        let key = String(repeating: "0aF9", count: 16)
        #expect(try WiFiSurroundings.Network("key=\(key)").passphrase.count == 64)
        for text in [
            "", "name", "=secret12", "name=short", "\(String(repeating: "x", count: 33))=",
            "name=\(String(repeating: "x", count: 64))",
        ] {
            #expect(throws: InvalidNetwork.self) { try WiFiSurroundings.Network(text) }
        }
    }
}
