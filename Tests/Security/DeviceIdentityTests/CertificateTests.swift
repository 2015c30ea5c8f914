import DeviceDomain
import TestSupport
import Testing

@testable import DeviceIdentity

/// What the authority issues, judged by OpenSSL.
@Suite(.timeLimit(.minutes(1))) struct CertificateTests {
    private let bench: IdentityBench

    init() throws { bench = try IdentityBench() }

    private func export() async throws {
        let address = try #require(ListenerAddress("127.0.0.1:8883"))
        _ = try await bench.authority().export(
            to: BrokerFolder("\(bench.folder.path)/broker"), listeningOn: address)
    }

    @Test func certificatesAreForTheirNameAndPurpose() async throws {
        let names = [try IdentityName.device("robot-1"), try .controller("ctl")]
        let issued = try await bench.authority().issue(to: names, into: bench.files)
        try await export()
        let judged = try await bench.shell(
            """
            cd identities
            for name in home-1/robot-1 ctl; do
                openssl x509 -in $name.crt -noout -subject -serial -ext extendedKeyUsage,keyUsage
                openssl verify -attime 1764000000 -CAfile ../broker/ca.crt -purpose sslclient $name.crt
                openssl verify -attime 1764000000 -CAfile ../broker/ca.crt -purpose sslserver $name.crt
                cmp <(openssl x509 -in $name.crt -noout -pubkey) <(openssl pkey -in $name.key -pubout)
                cmp <(openssl x509 -in $name.crt) <(openssl x509 -in $name.key)
                stat -c %a $name.key
            done
            openssl verify -attime 1764000000 -CAfile ../broker/ca.crt -purpose sslserver \\
                -verify_ip 127.0.0.1 -verify_hostname localhost ../broker/server.crt
            openssl verify -attime 1764000000 -CAfile ../broker/ca.crt -purpose sslclient \\
                ../broker/server.crt
            """)
        for (issued, name) in zip(issued, ["home-1/robot-1", "ctl"]) {
            #expect(
                judged.output.contains("subject=CN = \(name)\nserial=\(issued.record.serial)\n"))
            #expect(judged.output.contains("\n\(name).crt: OK\n"))
            #expect(judged.output.contains("error \(name).crt: verification failed"))
            #expect(issued.record.state(at: bench.now) == .active)
        }
        #expect(judged.output.contains("TLS Web Client Authentication"))
        #expect(!judged.output.contains("TLS Web Server Authentication"))
        #expect(judged.output.contains("\n../broker/server.crt: OK\n"))
        #expect(judged.output.contains("error ../broker/server.crt: verification failed"))
        #expect(!judged.output.contains("differ") && !judged.output.contains("EOF"))
        #expect(judged.output.occurrences(of: "\n600\n") == 2)
    }

    /// OpenSSL's own limit for a common name is 64 characters.
    @Test func theLongestNamesAreCertified() async throws {
        let device = try #require(DeviceID(rawValue: String(repeating: "d", count: 63)))
        let issued = try await bench.authority()
            .issue(to: [.device(device, home: try HomeID("home-1"))], into: bench.files)
        let judged = try await bench.shell(
            "openssl x509 -in identities/home-1/\(device).crt -noout -subject")
        #expect(issued.count == 1)
        #expect(judged.output == "subject=CN = home-1/\(device)\n")
    }

    @Test func aKindIsNotAcceptedByTheIssuerOfTheOther() async throws {
        let names = [try IdentityName.device("robot-1"), try .controller("ctl")]
        _ = try await bench.authority().issue(to: names, into: bench.files)
        try await export()
        let judged = try await bench.shell(
            """
            openssl verify -attime 1764000000 -CAfile broker/devices.crt identities/home-1/robot-1.crt
            openssl verify -attime 1764000000 -CAfile broker/controllers.crt identities/ctl.crt
            ! openssl verify -attime 1764000000 -CAfile broker/controllers.crt \\
                identities/home-1/robot-1.crt || exit 1
            ! openssl verify -attime 1764000000 -CAfile broker/devices.crt identities/ctl.crt || exit 1
            """)
        #expect(judged.status == 0, "\(judged.output)")
        #expect(judged.output.occurrences(of: ".crt: OK") == 2)
    }

    @Test func revokedCertificatesAreOnAListThatOpenSSLReads() async throws {
        let names = [
            try IdentityName.device("robot-1"), try .device("robot-2"), try .controller("ctl"),
        ]
        let authority = try bench.authority()
        _ = try await authority.issue(to: names, into: bench.files)
        try await export()
        #expect(try await authority.revoke(names[0]).count == 1)
        #expect(try await authority.revoke(names[0]).isEmpty)
        try await authority.update(BrokerFolder("\(bench.folder.path)/broker"))
        let judged = try await bench.shell(
            """
            openssl crl -in broker/crl.pem -noout -text | head -n 30
            for name in home-1/robot-1 home-1/robot-2 ctl; do
                openssl verify -attime 1764000000 -crl_check -CAfile broker/ca.crt \\
                    -CRLfile broker/crl.pem identities/$name.crt
            done
            """)
        #expect(judged.output.contains("Version 2 (0x1)"))
        #expect(judged.output.contains("X509v3 CRL Number"))
        #expect(judged.output.contains("error identities/home-1/robot-1.crt: verification failed"))
        #expect(judged.output.contains("certificate revoked"))
        #expect(judged.output.contains("identities/home-1/robot-2.crt: OK"))
        #expect(judged.output.contains("identities/ctl.crt: OK"))
    }

    @Test func aKeyThatStaysWithItsOwnerIsCertified() async throws {
        let made = try await bench.shell(
            """
            openssl ecparam -name prime256v1 -genkey -noout -out own.key
            openssl req -new -key own.key -subj /CN=somebody-else -out own.csr && cat own.csr
            """)
        let request = try CertificateRequest(pem: made.output)
        let stored = try await bench.authority()
            .issue(to: .device("robot-1"), request, into: bench.files)
        #expect(stored.key == nil && !bench.folder.has("identities/home-1/robot-1.key"))
        let judged = try await bench.shell(
            """
            openssl x509 -in identities/home-1/robot-1.crt -noout -subject
            cmp <(openssl x509 -in identities/home-1/robot-1.crt -noout -pubkey) \\
                <(openssl pkey -in own.key -pubout)
            """)
        #expect(judged.status == 0)
        #expect(judged.output == "subject=CN = home-1/robot-1\n")
    }

    @Test(arguments: [
        "echo nonsense",
        "openssl req -new -newkey rsa:2048 -nodes -keyout k -subj /CN=x 2>/dev/null",
        """
        openssl req -new -newkey ec:<(openssl ecparam -name prime256v1) -nodes -keyout k -subj /CN=x \
            -outform DER 2>/dev/null | sed 's/x/y/' | openssl req -inform DER
        """,
    ])
    func aRequestThatCannotBeGrantedIsRefused(script: String) async throws {
        let request = try await bench.shell(script)
        let error = #expect(throws: IdentityError.self) {
            try CertificateRequest(pem: request.output)
        }
        #expect(error?.code == .invalidRequest)
    }
}

extension String {
    fileprivate func occurrences(of text: String) -> Int {
        Array(utf8).occurrences(of: Array(text.utf8))
    }
}
