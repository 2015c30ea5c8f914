import Testing

@testable import Homeport

/// What to do about a broker that cannot be used.
@Suite struct ConnectionCheckTests {
    @Test(arguments: [
        (
            "TLS: tlsv13 alert certificate required (the broker requires a certificate of this client, "
                + "or another one)", "--cert-file"
        ),
        ("TLS: a certificate of the broker's chain is refused: certificate has expired", "renew"),
        (
            "TLS: tlsv1 alert protocol version (the broker does not offer TLS 1.2 or later)",
            "--ca-file"
        ),
    ])
    func theRemedyFitsWhatTheHandshakeSaid(_ message: String, _ remedy: String) {
        let check = ConnectionCheck(
            address: "mqtts://broker.example:8883", error: MQTTError(.tlsFailed, message),
            otherVersion: nil)
        #expect(check.finding.remedy.contains(remedy))
    }

    @Test func whatIsNotSupportedIsNoMatterOfTheLog() {
        let check = ConnectionCheck(
            address: "mqtt://broker.example",
            error: MQTTError(.unsupported, "it does not support filters with wildcards"),
            otherVersion: nil)
        #expect(check.finding.remedy == "allow it in the broker's configuration")
    }
}
