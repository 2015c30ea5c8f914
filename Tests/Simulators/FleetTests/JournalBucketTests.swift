import DeviceDomain
import DeviceSimulation
import Glibc
import TestSupport
import Testing

@testable import Fleet

/// The files of a journal: one for each bucket of homes.
@Suite struct JournalBucketTests {
    private let directory: TemporaryFolder
    private let homes = FleetHomes.numbered(70)

    init() throws { directory = try TemporaryFolder() }

    private func open(_ homes: FleetHomes) throws -> Journal {
        try Journal(in: JournalDirectory(path: directory.path), homes: homes.ids)
    }

    private func boots(_ homes: [HomeID]) throws -> [JournalLine] {
        let device = try DeviceID("sweeper-1")
        return homes.enumerated().map { number, home in
            JournalLine(
                key: DeviceKey(home: home, device: device),
                content: .boot(BootCount(count: number + 1, since: Timestamp(milliseconds: 5))))
        }
    }

    /// A fleet that is restarted with another number of processes finds its devices.
    @Test(arguments: [1, 2, 5])
    func anyNumberOfProcessesFindsItsDevices(processes: Int) throws {
        let written = try boots(homes.ids)
        do {
            var journal = try open(homes)
            try journal.append(written)
        }
        #expect(directory.names.count { $0.hasSuffix(".journal") } == 64)
        let held = try JournalDirectory(path: directory.path)
        var found: [DeviceKey: JournalFold.Device] = [:]
        var journals: [Journal] = []
        for part in homes.shared(among: processes) {
            let joined = JournalDirectory(joining: held.path)
            let journal = try Journal(in: joined, homes: part.ids)
            journals.append(journal)
            found.merge(journal.remembered.devices) { _, _ in
                Issue.record("two processes have one device")
                return JournalFold.Device()
            }
        }
        #expect(Set(found.keys) == Set(written.map(\.key)))
        held.release()
    }

    @Test func aFileHasOneWriter() throws {
        let held = try JournalDirectory(path: directory.path)
        var first: Journal? = try Journal(
            in: JournalDirectory(joining: held.path), homes: FleetHomes.numbered(1).ids)
        try first?.append(try boots(FleetHomes.numbered(1).ids))
        let error = #expect(throws: FleetError.self) {
            try Journal(
                in: JournalDirectory(joining: held.path), homes: FleetHomes.numbered(1).ids)
        }
        #expect(error?.code == .journalInUse)
        first = nil
        _ = try Journal(in: JournalDirectory(joining: held.path), homes: FleetHomes.numbered(1).ids)
        held.release()
    }

    @Test func theOneFileOfFormerVersionsIsTakenOver() throws {
        let lines = try boots(homes.ids)
        let bytes = JournalReading.header + JournalFrame.frames(of: lines)
        try directory.append(bytes, to: JournalFile.formerName)
        // A process that was killed in the middle of it left a file.
        try directory.append(JournalReading.header, to: "devices-03.journal")
        let journal = try open(homes)
        #expect(Set(journal.remembered.devices.keys) == Set(lines.map(\.key)))
        #expect(journal.boot(of: lines[2].key)?.count == 3)
        #expect(!directory.has(JournalFile.formerName))
    }

    @Test func aDamagedFormerFileIsRefusedAndLeftAlone() throws {
        try directory.append(Array("not a journal\n".utf8), to: JournalFile.formerName)
        let error = #expect(throws: FleetError.self) { try open(homes) }
        #expect(error?.code == .journalDamaged)
        #expect(directory.has(JournalFile.formerName))
    }

    @Test func theLastInstantOfTheWorldIsThereAfterACompaction() throws {
        let lines = try boots(FleetHomes.numbered(2).ids)
        do {
            var journal = try Journal(
                in: JournalDirectory(path: directory.path), homes: FleetHomes.numbered(2).ids,
                rewriteThreshold: 0)
            #expect(journal.lastInstant == nil)
            try journal.append([lines[0]], at: Timestamp(milliseconds: 2000))
            try journal.append([lines[1]], at: Timestamp(milliseconds: 1000))
            #expect(journal.lastInstant?.milliseconds == 2000)
            let rewrite = journal.takeRewrite()
            journal.finish(try #require(rewrite).perform())
        }
        #expect(try open(.numbered(2)).lastInstant?.milliseconds == 2000)
    }
}
