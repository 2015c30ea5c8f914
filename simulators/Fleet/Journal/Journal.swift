package import DeviceDomain
import DeviceSimulation

/// What the devices of some homes must remember beyond a restart (PROTOCOL section 3, rule 6).
///
/// There is a file for each bucket of homes (``HomeBucket``). Records are appended to it before the messages that
/// depend on them are sent. When a file has grown far beyond its compacted size, a compacted copy replaces it, which
/// the owner of the journal has written on another thread.
package struct Journal: Sendable {
    /// The size in bytes below which a file is not compacted.
    package static let usualRewriteThreshold = 1 << 18

    /// Which file is replaced by its compacted form: one at a time.
    private enum Compaction {
        case none
        /// This one has grown too long.
        case due(HomeBucket)
        /// The copy is being written.
        case underway
    }

    /// Held for as long as there is a journal in it.
    private let directory: JournalDirectory
    private var buckets: [HomeBucket: JournalBucket] = [:]
    private var compaction = Compaction.none

    /// Opens the files of homes, cutting off torn tails.
    ///
    /// - Parameters:
    ///   - homes: those whose devices are recorded; this process simulates all that share a bucket with them.
    ///   - rewriteThreshold: bytes below which a file is left to grow.
    /// - Throws: ``FleetError`` if one cannot be read, is damaged before its end, or another process has it.
    package init(
        in directory: JournalDirectory, homes: [HomeID],
        rewriteThreshold: Int = Self.usualRewriteThreshold
    ) throws(FleetError) {
        self.directory = directory
        for bucket in FleetHomes(ids: homes).buckets {
            buckets[bucket] = try JournalBucket(
                bucket, in: directory.path, rewriteThreshold: rewriteThreshold)
        }
    }

    /// The length of all files in bytes.
    package var size: Int { buckets.values.reduce(0) { $0 + $1.size } }

    /// The last instant of the world clock that was recorded; `nil` in a new journal.
    package var lastInstant: Timestamp? { buckets.values.compactMap(\.fold.world).max() }

    /// The sum of all lines.
    var remembered: JournalFold {
        buckets.values.reduce(into: JournalFold()) { $0.merge($1.fold) }
    }

    /// How often a device has been started.
    func boot(of key: DeviceKey) -> BootCount? { remembered(of: key).boot }

    /// What a device remembers.
    func state(of key: DeviceKey) -> DeviceJournalState { remembered(of: key).state }

    private func remembered(of key: DeviceKey) -> JournalFold.Device {
        buckets[HomeBucket(of: key.home)]?.fold[key] ?? JournalFold.Device()
    }

    /// Makes lines durable against the end of this process, those of one bucket in one write.
    /// - Parameter world: what the world clock shows.
    /// - Throws: ``FleetError`` if they cannot be written; then no message that depends on them
    ///   may be sent.
    mutating func append(_ lines: [JournalLine], at world: Timestamp? = nil) throws(FleetError) {
        guard let first = lines.first else { return }
        guard lines.contains(where: { $0.key.home != first.key.home }) else {
            return try append(lines, to: HomeBucket(of: first.key.home), at: world)
        }
        let parts = Dictionary(grouping: lines) { HomeBucket(of: $0.key.home) }
        for (bucket, lines) in parts.sorted(by: { $0.key < $1.key }) {
            try append(lines, to: bucket, at: world)
        }
    }

    /// Notes at which instant the world stops: the last start of a device once more, with what the clock shows.
    /// - Throws: ``FleetError`` if it cannot be written.
    mutating func noteEnd(of key: DeviceKey, at world: Timestamp) throws(FleetError) {
        guard let boot = boot(of: key) else { return }
        try append([JournalLine(key: key, content: .boot(boot))], at: world)
    }

    private mutating func append(
        _ lines: [JournalLine], to bucket: HomeBucket, at world: Timestamp?
    ) throws(FleetError) {
        var lines = lines
        lines[0].world = world
        // Changed in its place: what is taken out of a dictionary is copied.
        guard try buckets[bucket]?.append(lines) != nil else {
            preconditionFailure("devices of a home whose journal is not open")
        }
        guard case .none = compaction, buckets[bucket]?.isOversized == true else { return }
        compaction = .due(bucket)
    }

    /// A compacted copy that is to be written, for ``finish(_:)``.
    mutating func takeRewrite() -> JournalRewrite? {
        guard case .due(let bucket) = compaction else { return nil }
        compaction = .underway
        return buckets[bucket]?.beginRewrite()
    }

    /// Puts a compacted copy in the place of its file.
    mutating func finish(_ outcome: JournalRewrite.Outcome) {
        compaction = .none
        buckets[outcome.bucket]?.finishRewrite(outcome.draft)
    }
}
