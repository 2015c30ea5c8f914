import DeviceDomain
import DeviceSimulation
import Glibc
import TestSupport
import Testing

@testable import Fleet

@Suite struct JournalTests {
    private let directory: TemporaryFolder
    private let name = "devices-01.journal"
    private static let homes = FleetHomes.numbered(1).ids

    init() throws { directory = try TemporaryFolder() }

    private func open(rewriteThreshold: Int = .max) throws -> Journal {
        try Journal(
            in: JournalDirectory(path: directory.path), homes: Self.homes,
            rewriteThreshold: rewriteThreshold)
    }

    private func lines(_ count: Int, seed: UInt64 = 1) throws -> [JournalLine] {
        var samples = try RecordSamples(seed: seed)
        return try (0..<count).map { _ in try samples.line() }
    }

    private func fold(_ lines: [JournalLine]) -> JournalFold {
        lines.reduce(into: JournalFold()) { $0.apply($1) }
    }

    @Test func linesComeBackAsTheyWere() throws {
        for line in try lines(300) {
            #expect(try JournalLine(bytes: line.bytes) == line)
            #expect(!line.bytes.contains(UInt8(ascii: "\n")))
        }
    }

    @Test func aReopenedJournalKnowsWhatWasAppended() throws {
        let written = try lines(200)
        do {
            var journal = try open()
            for line in written { try journal.append([line]) }
        }
        #expect(try open().remembered == fold(written))
    }

    @Test func aTornTailIsCutOffAndTheNextRecordFollowsTheLastWholeOne() throws {
        let written = try lines(20)
        do {
            var journal = try open()
            try journal.append(written)
        }
        try directory.append(Array("0123abcd {\"home\":\"ho".utf8), to: name)
        let later = try lines(5, seed: 2)
        do {
            var journal = try open()
            #expect(journal.remembered == fold(written))
            try journal.append(later)
        }
        #expect(try open().remembered == fold(written + later))
    }

    @Test func damageBeforeTheEndIsRefused() throws {
        do {
            var journal = try open()
            try journal.append(try lines(3))
        }
        var bytes = try directory.contents(of: name)
        bytes[bytes.count / 2] ^= 1
        unlink("\(directory.path)/\(name)")
        try directory.append(bytes, to: name)
        let error = #expect(throws: FleetError.self) { try open() }
        #expect(error?.code == .journalDamaged)
        #expect(error?.message.contains("line ") == true)
    }

    @Test(arguments: ["not a journal\n", "{\"format\":\"homeport-journal\",\"version\":1}\n"])
    func aForeignFileIsRefusedAndLeftAlone(text: String) throws {
        try directory.append(Array(text.utf8), to: name)
        let error = #expect(throws: FleetError.self) { try open() }
        #expect(error?.code == .journalDamaged)
        #expect(try directory.contents(of: name) == Array(text.utf8))
    }

    @Test func anotherVersionIsRefused() throws {
        var bytes: [UInt8] = []
        JournalFrame.append(
            Array(#"{"format":"homeport-journal","version":2}"#.utf8), to: &bytes)
        try directory.append(bytes, to: name)
        #expect(throws: FleetError.self) { try open() }
    }

    @Test func aHeaderThatWasCutOffIsWrittenAgain() throws {
        try directory.append(Array(JournalReading.header.prefix(10)), to: name)
        _ = try open()
        #expect(try directory.contents(of: name) == JournalReading.header)
    }

    @Test(arguments: 1...30)
    func compactingKeepsTheFold(seed: UInt64) throws {
        let whole = fold(try lines(400, seed: seed))
        #expect(fold(whole.lines) == whole)
        #expect(fold(whole.lines).lines == whole.lines)
    }

    @Test func growsNotFarBeyondWhatItSays() throws {
        let written = try lines(3000)
        do {
            var journal = try open(rewriteThreshold: 20_000)
            for line in written {
                try journal.append([line])
                if let rewrite = journal.takeRewrite() { journal.finish(rewrite.perform()) }
            }
            #expect(journal.size < 80_000)
        }
        #expect(directory.names == [name, "lock"])
        #expect(try open().remembered == fold(written))
    }

    @Test func anUnfinishedRewriteIsIgnored() throws {
        let written = try lines(50)
        do {
            var journal = try open()
            try journal.append(written)
        }
        try directory.append(Array("half a rewri".utf8), to: name + JournalFile.draftSuffix)
        var journal = try open(rewriteThreshold: 0)
        #expect(journal.remembered == fold(written))
        try journal.append([])
        try journal.append(Array(written.suffix(1)))
        let rewrite = journal.takeRewrite()
        journal.finish(try #require(rewrite).perform())
        #expect(journal.remembered == fold(written))
        #expect(directory.names == [name, "lock"])
    }

    @Test func whatIsAppendedWhileACopyIsWrittenIsInTheCopy() throws {
        let (written, later) = (try lines(300), try lines(50, seed: 2))
        do {
            var journal = try open(rewriteThreshold: 1000)
            try journal.append(written)
            let rewrite = journal.takeRewrite()
            try journal.append(Array(later.prefix(20)))
            let outcome = try #require(rewrite).perform()
            for line in later.dropFirst(20) { try journal.append([line]) }
            let second = journal.takeRewrite()
            #expect(second == nil, "one at a time")
            let size = journal.size
            journal.finish(outcome)
            #expect(journal.size < size)
            #expect(journal.remembered == fold(written + later))
        }
        #expect(try open().remembered == fold(written + later))
    }

    /// A process that is killed while a copy is written has the old file, whole.
    @Test func aCopyThatWasNeverPutInPlaceChangesNothing() throws {
        let written = try lines(300)
        do {
            var journal = try open(rewriteThreshold: 1000)
            try journal.append(written)
            let rewrite = journal.takeRewrite()
            _ = try #require(rewrite).perform()
        }
        #expect(try open().remembered == fold(written))
    }

    @Test func aSecondOwnerIsRefusedAndToldWhoHasIt() throws {
        let journal = try open()
        let error = #expect(throws: FleetError.self) { try open() }
        #expect(error?.code == .journalInUse)
        #expect(error?.message.contains("process \(getpid())") == true)
        _ = journal
    }

    @Test func aLockGoesWithItsOwnerEvenIfAChildSharesIt() throws {
        let path = "\(directory.path)/lock"
        var owned: OwnedDescriptor? = try OwnedDescriptor(opening: path, O_RDWR | O_CREAT)
        let number = try #require(owned?.number)
        #expect(flock(number, LOCK_EX | LOCK_NB) == 0)
        // What a child has between fork and exec.
        let shared = dup(number)
        defer { close(shared) }
        owned = nil
        let next = try OwnedDescriptor(opening: path, O_RDWR)
        #expect(flock(next.number, LOCK_EX | LOCK_NB) == 0)
    }

    @Test func aFullDiskIsAnErrorAndNothingIsHalfWritten() throws {
        symlink("/dev/full", "\(directory.path)/\(name)")
        let error = #expect(throws: FleetError.self) { try open() }
        #expect(error?.code == .journalUnusable)
        #expect(error?.message.contains("No space left on device") == true)
    }

    @Test func anImpossibleDirectoryIsAnError() throws {
        let error = #expect(throws: FleetError.self) {
            try JournalDirectory(path: "/proc/no/such/place")
        }
        #expect(error?.code == .journalUnusable)
    }

    @Test func makesTheDirectoryForItsUserAlone() throws {
        let path = "\(directory.path)/a"
        _ = try JournalDirectory(path: path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        unlink("\(path)/lock")
        rmdir(path)
    }

    @Test func aTemporaryDirectoryLeavesNothing() throws {
        let temporary = try JournalDirectory.temporary()
        var journal = try Journal(in: temporary, homes: Self.homes)
        try journal.append(try lines(10))
        temporary.release()
        #expect(access(temporary.path, F_OK) != 0)
    }

    @Test func whatAKilledProcessLeftIsRemovedByTheNextOne() throws {
        let mine = try JournalDirectory.temporary()
        let parent = mine.path.split(separator: "/").dropLast().joined(separator: "/")
        let left = "/\(parent)/homeport-sim-\(UInt32.random(in: 0...(.max)))"
        #expect(mkdir(left, 0o700) == 0)
        for name in ["lock", name] { _ = try JournalFile(path: "\(left)/\(name)") }
        let next = try JournalDirectory.temporary()
        #expect(access(left, F_OK) != 0)
        #expect(access(mine.path, F_OK) == 0, "its owner lives")
        mine.release()
        next.release()
    }
}
