import MQTTClient
import Testing

@Suite struct ConfigurationValueTests {
    @Test(arguments: [
        ("mqtt://localhost", "localhost", 1_883), ("mqtt://10.0.0.1:18830", "10.0.0.1", 18_830),
        ("mqtt://[::1]:1884", "::1", 1_884), ("mqtt://[fe80::1]", "fe80::1", 1_883),
        ("mqtt://broker.example/", "broker.example", 1_883),
        ("mqtt://[fe80::1%eth0.2]:1884", "fe80::1%eth0.2", 1_884),
    ])
    func brokerURLs(url: String, host: String, port: Int) throws {
        let address = try MQTTBrokerAddress(url: url)
        #expect(address.host == host)
        #expect(Int(address.port) == port)
        #expect(try MQTTBrokerAddress(url: address.description) == address)
    }

    @Test(arguments: [
        "", "localhost:1883", "http://localhost", "mqtts://", "mqtt://", "mqtt://h:0",
        "mqtt://h:65536", "mqtt://h:+1", "mqtt://h:", "mqtt://user:secret@host", "mqtt://h/path",
        "mqtt://[::1", "mqtt://[::1]x", "mqtt://h?x=1", "mqtt://a b",
        "mqtt://[[[[]:4441", "mqtt://[localhost]", "mqtt://[127.0.0.1]", "mqtt://[::g]",
        "mqtt://[fe80::1%]", "mqtt://h]:1883", "mqtt://h?\u{301}", "mqtt://h:\u{301}1",
    ])
    func wrongBrokerURLsAreRefused(url: String) {
        #expect { try MQTTBrokerAddress(url: url) } throws: { error in
            (error as? MQTTError)?.code == .invalidArgument
        }
    }

    /// A program may name a host without a URL, and reads it back from the one that is printed.
    @Test(arguments: ["a:b", "h?x", "h#x", "user@h", "[::1]", "a b", "a/b", "fe80::1%a b"])
    func wrongBrokerHostsAreRefused(host: String) {
        #expect { try MQTTBrokerAddress(host: host) } throws: { error in
            (error as? MQTTError)?.code == .invalidArgument
        }
    }

    @Test func refusalDoesNotRepeatThePassword() {
        #expect { try MQTTBrokerAddress(url: "mqtt://user:canary@host") } throws: { error in
            !"\(error)".contains("canary")
        }
    }

    @Test func credentialsDoNotPrint() throws {
        let credentials = try MQTTCredentials(username: "canary-user", password: "canary")
        var configuration = try MQTTConfiguration.test(1_883)
        configuration.credentials = credentials
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\(configuration)", dumped]
        {
            #expect(!text.contains("canary"))
        }
    }

    @Test(arguments: ["admin\u{0}suffix", "", "a\u{1}"])
    func credentialsThatCWouldCutAreRefused(username: String) {
        #expect(throws: MQTTError.self) { try MQTTCredentials(username: username) }
    }

    @Test(arguments: ["", "a\u{0}b", String(repeating: "x", count: 65_536)])
    func clientIdentifiersThatTheLibraryCannotTakeAreRefused(id: String) {
        #expect(throws: MQTTError.self) { try MQTTClientID(id) }
    }

    @Test func reasonCodesNameThemselves() {
        #expect(MQTTReasonCode.notAuthorized.description == "not authorized (0x87)")
        #expect(MQTTReasonCode(rawValue: 0x05).description == "reason code (0x05)")
        #expect(MQTTReasonCode.notAuthorized.isError)
        #expect(!MQTTReasonCode.noMatchingSubscribers.isError)
    }
}
