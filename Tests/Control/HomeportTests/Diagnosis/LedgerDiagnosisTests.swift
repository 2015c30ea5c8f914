import Glibc
import Homeport
import HomeportTesting
import TestSupport
import Testing

@testable import Homeport

/// What a diagnosis finds in ledgers.
@Suite(.timeLimit(.minutes(1))) struct LedgerDiagnosisTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/state/ledger.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test func aLedgerThatIsNotThereYetIsFine() async throws {
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.problems.isEmpty)
        #expect(findings[.ledgerFile] == .ok)
        #expect(findings[.ledger] == nil)
        #expect(folder.names.isEmpty)
    }

    @Test func aSoundLedgerIsFineAndStaysAsItIs() async throws {
        try await makeLedger()
        let before = try snapshot()
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.problems.isEmpty)
        for check in [Finding.Check.ledgerFile, .ledger, .auditChain, .unknownOutcomes] {
            #expect(findings[check] == .ok, "\(check)")
        }
        #expect(try snapshot() == before)
    }

    @Test func aLedgerThatOtherUsersCanOpenIsAProblemAndStaysOpen() async throws {
        try await makeLedger()
        try #require(chmod(path, 0o644) == 0)
        let finding = try #require(
            try await Diagnosis.findings(inLedger: path).wrong(.ledgerFile).first)
        #expect(finding.status == .problem)
        #expect(finding.message.contains("0644"))
        #expect(finding.remedy == "chmod 600 \(path)")
        #expect(try mode() == 0o644)
    }

    @Test func aFolderInWhichOthersCanReplaceTheLedgerIsAProblem() async throws {
        try await makeLedger()
        try #require(chmod(folder.path + "/state", 0o777) == 0)
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.wrong(.ledgerFile).first?.remedy == "chmod 700 \(folder.path)/state")
    }

    @Test func aReadOnlyLedgerIsAProblem() async throws {
        try await makeLedger()
        try #require(chmod(path, 0o400) == 0)
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.problems == [.ledgerFile])
        #expect(findings.wrong(.ledgerFile).first?.message.contains("cannot be written") == true)
    }

    @Test func aPathThroughAFileIsAProblem() async throws {
        let findings = try await Diagnosis.findings(inLedger: "/dev/null/ledger.sqlite")
        #expect(findings[.ledgerFile] == .problem)
    }

    @Test func aFolderInTheWayIsAProblem() async throws {
        _ = try folder.folder("state")
        let findings = try await Diagnosis.findings(inLedger: folder.path + "/state")
        #expect(findings.wrong(.ledgerFile).first?.message.contains("is a folder") == true)
    }

    @Test func aDamagedLedgerIsAProblem() async throws {
        try await makeLedger()
        try change { bytes in
            for index in 2_048..<bytes.count { bytes[index] = 0xA5 }
        }
        #expect(try await Diagnosis.findings(inLedger: path).problems == [.ledger])
    }

    @Test func aFileOfAnotherProgramIsAProblem() async throws {
        _ = try folder.folder("state")
        try folder.file("state/ledger.sqlite", String(repeating: "x", count: 8_192))
        let finding = try #require(
            try await Diagnosis.findings(inLedger: path).wrong(.ledger).first)
        #expect(finding.message.contains("is not a ledger"))
    }

    @Test func aNewerSchemaIsAProblem() async throws {
        try await makeLedger()
        // The user version of a SQLite file is at offset 60, most significant byte first.
        try change { $0[63] = 99 }
        let finding = try #require(
            try await Diagnosis.findings(inLedger: path).wrong(.ledger).first)
        #expect(finding.status == .problem)
        #expect(finding.remedy.contains("newer homeport"))
    }

    @Test func anOlderSchemaIsAWarning() async throws {
        try await makeLedger()
        try change { $0[63] = 4 }
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.problems.isEmpty)
        #expect(findings.wrong(.ledger).first?.remedy.contains("up to date") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func aLedgerOfAnotherUserIsAWarning() async throws {
        try await makeLedger()
        try #require(chown(path, 65_534, 65_534) == 0)
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.problems.isEmpty)
        let finding = try #require(findings.wrong(.ledgerFile).first)
        #expect(finding.message.contains("65534"))
        #expect(finding.remedy.contains(#"chown "$(id -u)" "# + path))
    }

    @Test(arguments: [false, true])
    func aLedgerInUseIsReadWithItsLog(isNamedByLink: Bool) async throws {
        let link = folder.path + "/link.sqlite"
        try #require(symlink(path, link) == 0)
        let channel = ScriptedChannel(id: try ChannelID("test"))
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        let house = try ScriptedHouse(channel)
        try await house.withHome(ledger: .file(path)) { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let robot = try #require(try await home.devices(of: SweepingRobot.self).first)
            _ = try await home.send(.locate, to: robot).finished()
            let findings = try await Diagnosis.findings(inLedger: isNamedByLink ? link : path)
            #expect(findings.problems.isEmpty)
            let written = try await home.auditEntries(after: 0).count
            let chain = findings.messages(.auditChain)
            #expect(chain == ["\(written) entries are as written"])
        }
    }

    @Test func aBrokenAuditChainIsAProblem() async throws {
        try await makeLedger()
        try change { bytes in
            // The detail of the first entry names the command.
            let name = Array(#""name":"locate""#.utf8)
            let place = bytes.indices.first { bytes[$0...].starts(with: name) }
            bytes[try #require(place) + 8] = UInt8(ascii: "L")
        }
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings.problems == [.auditChain])
        #expect(findings.wrong(.auditChain).first?.message.contains("entry 1") == true)
    }

    @Test func anUnknownOutcomeIsAWarning() async throws {
        try await makeLedger(endingUnknown: true)
        let findings = try await Diagnosis.findings(inLedger: path)
        #expect(findings[.unknownOutcomes] == .warning)
        #expect(
            findings.wrong(.unknownOutcomes).first?.message == "1 command has an unknown outcome")
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can mount a small disk"))
    func aFullDiskIsAProblem() async throws {
        let disk = try folder.folder("disk")
        guard mount("none", disk, "tmpfs", 0, "size=64k,mode=700") == 0 else {
            // A container may forbid it to its superuser too.
            try #require(errno == EPERM || errno == EACCES)
            return
        }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let findings = try await Diagnosis.findings(inLedger: disk + "/ledger.sqlite")
        #expect(findings.problems == [.diskSpace])
        let flags = UInt(MS_REMOUNT) | UInt(MS_RDONLY)
        try #require(mount("none", disk, "tmpfs", flags, "") == 0)
        let readOnly = try await Diagnosis.findings(inLedger: disk + "/ledger.sqlite")
        #expect(readOnly.wrong(.ledgerFile).first?.message.contains("read-only") == true)
    }

    // MARK: Ledgers

    /// Makes a ledger with one command, and closes it.
    private func makeLedger(endingUnknown: Bool = false) async throws {
        let channel = ScriptedChannel(id: try ChannelID("test"))
        let house = try ScriptedHouse(channel)
        if !endingUnknown { channel.onSend { $0.acknowledged(.accepted, .succeeded) } }
        try await house.withHome(ledger: .file(path)) { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let robot = try #require(try await home.devices(of: SweepingRobot.self).first)
            let options = CommandOptions(lifetime: .milliseconds(100))
            let receipt = try await home.send(.locate, to: robot, options: options)
            _ = try await receipt.finished()
        }
    }

    /// Changes the bytes of the ledger.
    private func change(_ body: (inout [UInt8]) throws -> Void) throws {
        var bytes = try folder.contents(of: "state/ledger.sqlite")
        try body(&bytes)
        try folder.file("state/ledger.sqlite", "")
        try folder.append(bytes, to: "state/ledger.sqlite")
    }

    private func mode() throws -> UInt32 {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    private func snapshot() throws -> [String] {
        var lines = folder.names
        let state = try #require(opendir(folder.path + "/state"))
        defer { closedir(state) }
        while let entry = readdir(state) {
            lines.append(
                withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return lines.sorted() + [
            "\(try folder.contents(of: "state/ledger.sqlite").hashValue)", "\(try mode())",
        ]
    }
}
