import DeviceDomain
import Keychain
import TestSupport
import Testing

@testable import DeviceIdentity

/// States of certificates, claim tokens, and what the register keeps of them.
@Suite(.timeLimit(.minutes(1))) struct IdentityRegisterTests {
    private let bench: IdentityBench
    private let robot: IdentityName

    init() throws {
        bench = try IdentityBench()
        robot = try .device("robot-1")
    }

    private func states() async throws -> [IdentityState] {
        try await bench.authority().records().map { $0.state(at: bench.now) }
    }

    @Test func rotationSupersedesAndRevocationTakesBackAll() async throws {
        _ = try await bench.authority().issue(to: [robot], into: bench.files)
        #expect(try await states() == [.active])
        _ = try await bench.authority().rotate(robot, in: bench.files)
        #expect(try await states() == [.superseded, .active])
        #expect(try await bench.authority().revoke(robot).count == 2)
        #expect(try await states() == [.revoked, .revoked])
        _ = try await bench.authority().issue(to: [robot], into: bench.files)
        #expect(try await states() == [.revoked, .revoked, .active])
    }

    @Test func aCertificateExpires() async throws {
        _ = try await bench.authority().issue(
            to: [robot], into: bench.files, validFor: .seconds(10))
        bench.pass(.seconds(10))
        #expect(try await states() == [.active])
        bench.pass(.seconds(1))
        #expect(try await states() == [.expired])
        let error = await #expect(throws: IdentityError.self) {
            try await bench.authority().rotate(robot, in: bench.files)
        }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("of home-1/robot-1 is expired") == true)
        _ = try await bench.authority().issue(to: [robot], into: bench.files)
        #expect(try await states() == [.expired, .active])
    }

    @Test func nothingIsValidLongerThanTheAuthority() async throws {
        _ = try await bench.authority().certificates()
        let end = bench.now.advanced(by: .seconds(20 * 365 * 86_400))
        bench.pass(.seconds((20 * 365 - 1) * 86_400))
        let last = try await bench.authority().issue(to: [robot], into: bench.files)
        #expect(last.first?.record.notAfter == end)
        bench.pass(.seconds(86_400))
        let issuing = await #expect(throws: IdentityError.self) {
            try await bench.authority().issue(to: [.device("robot-2")], into: bench.files)
        }
        let exporting = await #expect(throws: IdentityError.self) { try await export() }
        #expect([issuing?.code, exporting?.code] == [.authorityEnded, .authorityEnded])
        #expect(try await bench.authority().records().map(\.name) == [robot])
    }

    @Test func aNameHasOneActiveCertificate() async throws {
        _ = try await bench.authority().issue(to: [robot], into: bench.files)
        let error = await #expect(throws: IdentityError.self) {
            try await bench.authority().issue(
                to: [.device("robot-2"), robot], into: bench.files)
        }
        #expect(error?.code == .alreadyIssued)
        #expect(try await states() == [.active])
        #expect(!bench.folder.has("identities/home-1/robot-2.crt"))
    }

    @Test func nothingIsIssuedWhereItsFilesCannotBeWritten() async throws {
        try bench.folder.file("taken", "")
        _ = try bench.folder.folder("occupied")
        _ = try bench.folder.folder("occupied/ctl.key")
        let names = [robot, try .controller("ctl")]
        for (folder, reason) in [
            ("/proc/none", "cannot make /proc/none"),
            ("\(bench.folder.path)/taken", "Not a directory"),
            ("\(bench.folder.path)/occupied", "ctl.key: it is a folder"),
        ] {
            let error = await #expect(throws: IdentityError.self) {
                try await bench.authority().issue(to: names, into: IdentityFiles(folder: folder))
            }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("name a folder that you can write to") == true)
        }
        #expect(try await states().isEmpty)
    }

    @Test func aRotationIsNotBegunWhereItsFilesCannotBeWritten() async throws {
        _ = try await bench.authority().issue(to: [robot], into: bench.files)
        let error = await #expect(throws: IdentityError.self) {
            try await bench.authority().rotate(robot, in: IdentityFiles(folder: "/proc/none"))
        }
        #expect(error?.code == .unwritable)
        #expect(try await states() == [.active])
    }

    @Test func aNameWithoutCertificateCannotBeRevoked() async throws {
        let error = await #expect(throws: IdentityError.self) {
            try await bench.authority().revoke(robot)
        }
        #expect(error?.code == .notFound)
    }

    // MARK: Claims

    private func claim(
        _ token: SingleUseToken, as name: IdentityName? = nil
    ) async throws -> IssuedCertificate {
        try await bench.authority().claim(name ?? robot, with: token, IdentityKey().request)
    }

    private func refusal(
        of token: SingleUseToken, as name: IdentityName? = nil
    ) async -> IdentityError.Code? {
        await #expect(throws: IdentityError.self) { try await claim(token, as: name) }?.code
    }

    @Test func aClaimIsStagedUntilItIsCommitted() async throws {
        let token = try await bench.authority().makeToken(for: robot)
        let issued = try await claim(token)
        #expect(try await states() == [.staged])
        try await bench.authority().activate([issued.record.serial])
        #expect(try await states() == [.active])
        #expect(try await bench.authority().discardStaged(of: robot).isEmpty)
        #expect(try await states() == [.active])
    }

    @Test func aClaimThatEndsEarlyLeavesNoUsableCertificate() async throws {
        let issued = try await claim(try await bench.authority().makeToken(for: robot))
        #expect(try await bench.authority().discardStaged(of: robot).count == 1)
        #expect(try await states() == [.revoked])
        await #expect(throws: IdentityError.self) {
            try await bench.authority().activate([issued.record.serial])
        }
    }

    /// What nobody has confirmed counts as taken back after an hour, and is on the next list.
    @Test func aCertificateIsStagedForAnHour() async throws {
        let issued = try await claim(try await bench.authority().makeToken(for: robot))
        #expect(issued.record.acceptedUntil == bench.now.advanced(by: .seconds(3_600)))
        bench.pass(.seconds(3_600))
        #expect(try await states() == [.staged])
        bench.pass(.seconds(1))
        #expect(try await states() == [.revoked])
        // A device whose commit is only asked about now has it all the same.
        let active = try await bench.authority().activate([issued.record.serial])
        #expect(active.first?.acceptedUntil == issued.record.notAfter)
        let other = try await claim(
            try await bench.authority().makeToken(for: .device("robot-2")), as: .device("robot-2"))
        bench.pass(.seconds(3_601))
        try await export()
        await #expect(throws: IdentityError.self) {
            try await bench.authority().activate([other.record.serial])
        }
        #expect(try await bench.authority().exportedState()?.unlisted.isEmpty == true)
    }

    // MARK: The exported broker

    private func export(_ folder: String = "broker") async throws {
        let address = try #require(ListenerAddress("0.0.0.0:8883"))
        _ = try await bench.authority().export(
            to: BrokerFolder("\(bench.folder.path)/\(folder)"), listeningOn: address,
            alsoNamed: ["broker.example"])
    }

    private func list() async throws -> String {
        try await bench.shell(
            "csplit -s -z -f list broker/crl.pem '/BEGIN/' '{*}' && "
                + "for list in list*; do openssl crl -in $list -noout -text; done"
        ).output
    }

    @Test func whatIsTakenBackIsInTheListOfTheLastExport() async throws {
        try await export()
        let issued = try await claim(try await bench.authority().makeToken(for: robot))
        #expect(try await !list().contains("\(issued.record.serial)"))
        #expect(try await bench.authority().discardStaged(of: robot).count == 1)
        #expect(try await list().contains("\(issued.record.serial)"))
        // The name is barred as long as it has no other certificate.
        #expect(try bench.folder.text(of: "broker/acl").contains("user home-1/robot-1\n"))
        _ = try await claim(try await bench.authority().makeToken(for: robot))
        #expect(try !bench.folder.text(of: "broker/acl").contains("user home-1/robot-1\n"))
    }

    /// A provisioning that was killed: the next one who may write takes its certificate back.
    @Test func whatLapsedIsInTheListOfTheLastExport() async throws {
        try await export()
        let issued = try await claim(try await bench.authority().makeToken(for: robot))
        let used = try await claim(
            try await bench.authority().makeToken(for: .device("robot-2")), as: .device("robot-2"))
        try await bench.authority().activate([used.record.serial])
        bench.pass(.seconds(3_600))
        let before = try bench.folder.text(of: "broker/crl.pem")
        #expect(try await bench.authority().discardLapsed().isEmpty)
        #expect(try bench.folder.text(of: "broker/crl.pem") == before)
        bench.pass(.seconds(1))
        #expect(try await bench.authority().discardLapsed().map(\.serial) == [issued.record.serial])
        #expect(try await list().contains("\(issued.record.serial)"))
        #expect(try await !list().contains("\(used.record.serial)"))
        #expect(try bench.folder.text(of: "broker/acl").contains("user home-1/robot-1\n"))
        #expect(try await bench.authority().discardLapsed().isEmpty)
    }

    @Test func whatCannotBeListedIsTriedAgain() async throws {
        try await export()
        _ = try await claim(try await bench.authority().makeToken(for: robot))
        bench.pass(.seconds(3_601))
        #expect(try await bench.shell("mv broker/acl kept && mkdir broker/acl").status == 0)
        await #expect(throws: IdentityError.self) {
            try await bench.authority().discardLapsed()
        }
        #expect(try await bench.shell("rmdir broker/acl && mv kept broker/acl").status == 0)
        #expect(try await bench.authority().discardLapsed().count == 1)
        #expect(try await bench.authority().exportedState()?.unlisted.isEmpty == true)
    }

    @Test func whatTheListLacksIsFound() async throws {
        try await export()
        let issued = try await bench.authority().issue(to: [robot], into: bench.files)
        #expect(try await bench.authority().exportedState()?.unlisted.isEmpty == true)
        try await bench.authority().revoke(robot)
        let unlisted = try await bench.authority().exportedState()?.unlisted.map(\.serial)
        #expect(unlisted == issued.map(\.record.serial))
        try await bench.authority().update(BrokerFolder("\(bench.folder.path)/broker"))
        #expect(try await bench.authority().exportedState()?.unlisted.isEmpty == true)
    }

    @Test func aFolderThatIsGoneIsNotMadeAgain() async throws {
        try await export()
        #expect(try await bench.shell("rm -r broker").status == 0)
        _ = try await claim(try await bench.authority().makeToken(for: robot))
        #expect(try await bench.authority().discardStaged(of: robot).count == 1)
        #expect(try await bench.authority().exportedState() == nil)
        #expect(!bench.folder.has("broker"))
    }

    @Test func theCertificateOfABrokerRunsAYearAndIsReplacedByTheNext() async throws {
        try await export()
        let first = try #require(try await bench.authority().exportedState()?.server)
        #expect(first.name == .server("localhost"))
        #expect(first.notAfter == bench.now.advanced(by: IdentityAuthority.usualValidity))
        let judged = try await bench.shell("openssl x509 -in broker/server.crt -noout -serial")
        #expect(judged.output == "serial=\(first.serial)\n")
        try await export()
        #expect(try await states() == [.superseded, .active])
        #expect(try await bench.authority().exportedState()?.server?.serial != first.serial)
        #expect(try await bench.authority().revoke(first.serial).revoked.count == 1)
        // No client reads a list for a broker, so nothing is missing in it.
        #expect(try await bench.authority().exportedState()?.unlisted.isEmpty == true)
        let second = try #require(try await bench.authority().exportedState()?.server)
        #expect(second.state(at: bench.now) == .active)
        _ = try await bench.authority().revoke(second.serial)
        let presented = try await bench.authority().exportedState()?.server
        #expect(presented?.serial == second.serial)
        #expect(presented?.state(at: bench.now) == .revoked)
        try await export("other")
        #expect(
            try await bench.authority().exportedState()?.server?.state(at: bench.now) == .active)
        #expect(try await bench.authority().exported()?.folder.hasSuffix("/other") == true)
    }

    @Test func devicesAreToldTheListenerOfTheLastExport() async throws {
        #expect(try await bench.authority().exported() == nil)
        try await export()
        #expect(
            try await bench.authority().exported()?.devices == "mqtts://broker.example:8883")
        let text = try bench.folder.text(of: "broker/mosquitto.conf")
        #expect(text.contains("\nmessage_size_limit 65536\n"))
        #expect(text.contains("\nmax_connections 10000\n"))
    }

    // MARK: Tokens

    @Test func aTokenIsWorthNothingTheSecondTime() async throws {
        let token = try await bench.authority().makeToken(for: robot)
        _ = try await claim(SingleUseToken(token.text))
        #expect(await refusal(of: SingleUseToken(token.text)) == .tokenRefused)
        #expect(try await states() == [.staged])
    }

    @Test func aTokenCountsForItsDeviceAndForAShortTime() async throws {
        let authority = try bench.authority()
        let token = try await authority.makeToken(for: robot, validFor: .seconds(60))
        #expect(await refusal(of: token, as: try? .device("robot-2")) == .tokenRefused)
        #expect(await refusal(of: SingleUseToken("00")) == .tokenRefused)
        bench.pass(.seconds(60))
        #expect(await refusal(of: token) == .tokenRefused)
        #expect(try await states().isEmpty)
    }

    @Test func aTokenIsNotShownOrStored() async throws {
        let token = try await bench.authority().makeToken(for: robot)
        #expect("\(token)" == "<redacted>" && String(reflecting: token) == "<redacted>")
        let stored = try bench.folder.contents(of: "register/home-1")
        #expect(stored.occurrences(of: Array(token.text.utf8)) == 0)
    }

    // MARK: Keeping

    @Test func homesHaveAuthoritiesOfTheirOwn() async throws {
        let other = try await bench.authority(of: "home-2").certificates()
        let own = try await bench.authority().certificates()
        #expect(own != other)
        #expect(try await bench.authority().certificates() == own)
    }

    @Test func processesThatBeginAtOnceAgreeOnOneAuthority() async throws {
        let bench = bench
        let seen = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { try await bench.authority().certificates() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(seen.count == 1)
    }

    @Test func processesThatIssueAtOnceLoseNothing() async throws {
        let bench = bench
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    _ = try await bench.authority().issue(
                        to: [.device("robot-\(number)")], into: bench.files)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await states() == Array(repeating: .active, count: 8))
    }

    @Test func ofThoseWhoIssueToOneNameAtOnceOneDoes() async throws {
        let bench = bench
        let robot = robot
        let issued = await withTaskGroup(of: SerialNumber?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        return try await bench.authority().issue(to: [robot], into: bench.files)
                            .first?.record.serial
                    } catch {
                        #expect((error as? IdentityError)?.code == .alreadyIssued)
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(try await bench.authority().records().map(\.serial) == issued)
        #expect(try await states() == [.active])
        let written = try await bench.shell(
            "openssl x509 -in identities/home-1/robot-1.crt -noout -serial")
        #expect(issued.first.map { "serial=\($0)\n" } == written.output)
    }

    @Test func everyByteThatIsLostIsNoticed() async throws {
        _ = try await bench.authority().issue(to: [robot], into: bench.files)
        _ = try await bench.authority().makeToken(for: robot)
        let path = "\(bench.folder.path)/register/home-1"
        let text = String(decoding: try bench.folder.contents(of: "register/home-1"), as: UTF8.self)
        for length in 1..<text.utf8.count {
            // A whole line less is an older register, as far as one can see.
            let part = String(text.prefix(length))
            guard !part.hasSuffix("}\n") else { continue }
            #expect(IdentityRegister(text: part) == nil, "\(length) bytes")
        }
        try PrivateFile(path: path).write(Secret(Array(text.dropLast(3).utf8)))
        let error = await #expect(throws: IdentityError.self) {
            try await bench.authority().records()
        }
        #expect(error?.code == .damaged)
    }
}
