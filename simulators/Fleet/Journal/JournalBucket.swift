import DeviceSimulation
import Glibc

/// One file of a journal: the devices of some homes.
struct JournalBucket: Sendable {
    /// Whether a compacted copy is being written.
    private enum Rewriting {
        case none
        /// It is, and will lack these bytes that were appended since.
        case underway(appended: [UInt8])
    }

    /// The file is compacted when it exceeds its last compacted size by this factor.
    private static let growth = 4

    private let bucket: HomeBucket
    private let rewriteThreshold: Int
    private(set) var fold: JournalFold
    private var file: JournalFile
    private var rewriteSize: Int
    private var rewriting = Rewriting.none

    /// Opens the file, cutting off a torn tail.
    /// - Throws: ``FleetError`` if it cannot be read, is damaged before its end, or another process has it.
    init(
        _ bucket: HomeBucket, in directory: String, rewriteThreshold: Int
    ) throws(FleetError) {
        let path = "\(directory)/\(bucket.fileName)"
        let bytes: [UInt8]
        do throws(SystemFailure) {
            file = try JournalFile(path: path)
            bytes = try file.contents()
        } catch { throw .unusableJournal(path, error) }
        let reading = try JournalReading(bytes, of: path)
        fold = reading.fold
        self.bucket = bucket
        self.rewriteThreshold = rewriteThreshold
        rewriteSize = rewriteThreshold
        try cutTail(to: reading.wholeLength)
    }

    /// The file's length in bytes.
    var size: Int { file.size }

    /// Makes lines durable against the end of this process, all in one write.
    mutating func append(_ lines: [JournalLine]) throws(FleetError) {
        let bytes = JournalFrame.frames(of: lines)
        do throws(SystemFailure) {
            try file.append(bytes)
        } catch { throw .unusableJournal(file.path, error) }
        for line in lines { fold.apply(line) }
        if case .underway(var appended) = rewriting {
            rewriting = .none  // or the bytes would be copied
            appended += bytes
            rewriting = .underway(appended: appended)
        }
    }

    /// Whether the file has grown far beyond what it says.
    var isOversized: Bool {
        switch rewriting {
        case .none: file.size > rewriteSize
        case .underway: false
        }
    }

    /// Begins to replace the file by its compacted form.
    mutating func beginRewrite() -> JournalRewrite {
        rewriting = .underway(appended: [])
        return JournalRewrite(
            bucket: bucket, draftPath: file.path + JournalFile.draftSuffix, fold: fold)
    }

    /// Replaces the file by a draft. Where there is none, the old file goes on; if the disk is full, the next append
    /// reports it.
    mutating func finishRewrite(_ draft: Result<JournalFile, SystemFailure>) {
        guard case .underway(let appended) = rewriting else { return }
        rewriting = .none
        do throws(SystemFailure) {
            var draft = try draft.get()
            try draft.append(appended)
            file = try draft.placed(at: file.path)
            rewriteSize = max(rewriteThreshold, file.size * Self.growth)
        } catch {
            rewriteSize = file.size * Self.growth
        }
    }

    private mutating func cutTail(to length: Int) throws(FleetError) {
        do throws(SystemFailure) {
            if length < file.size { try file.truncate(to: length) }
            if file.size == 0 { try file.append(JournalReading.header) }
        } catch { throw .unusableJournal(file.path, error) }
    }
}

extension FleetError {
    /// The file of a journal cannot be opened, read or written.
    static func unusableJournal(_ path: String, _ failure: SystemFailure) -> FleetError {
        if failure.number == EWOULDBLOCK {
            return FleetError(
                .journalInUse,
                "journal \(path) is in use by another homeport-sim; wait for its end, or give this one a "
                    + "directory of its own with --journal")
        }
        return FleetError(
            .journalUnusable,
            "journal \(path) cannot be used: \(failure); devices must not acknowledge what they "
                + "could forget: free disk space, fix its permissions, or name another directory with --journal"
        )
    }
}
