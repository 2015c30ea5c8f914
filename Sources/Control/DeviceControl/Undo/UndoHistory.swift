internal import Connectivity
public import DeviceDomain
public import DeviceMessages

/// What one controller did to one device, as far as it can be undone: two stacks that follow from the
/// records of the ledger.
///
/// A setting is undone by the value that the device says it replaced, an action by the command that
/// reverses it, for as long as the device works on it. Neither is done where it would not restore
/// what was: see ``UndoRefusal``.
public struct UndoHistory: Sendable {
    /// An undone command and the command that undid it.
    private struct Undone {
        let record: CommandRecord
        let undoing: CommandRecord
    }

    private let device: DeviceProfile
    private let knownRevision: Int?
    /// The kept settings that the device has applied, if it takes any.
    private let applied: DesiredSettings?
    /// The settings that were kept for the device and then gave way to later ones.
    private let replaced: [CommandRecord]
    /// All that had an effect, or may have one, by sequence.
    private var records: [CommandRecord] = []
    private var done: [CommandRecord] = []
    private var undone: [Undone] = []

    /// - Parameters:
    ///   - records: the controller's commands to the device, in any order.
    ///   - device: the device as it describes itself now.
    ///   - revision: the last revision of its state that is known.
    ///   - state: the members of that state.
    public init(
        _ records: [CommandRecord], of device: DeviceProfile, revision: Int?,
        state: JSONObject = [:]
    ) {
        self.device = device
        knownRevision = revision
        applied = DesiredSettings(reportedIn: state)
        let real = records.filter { !$0.intent.isDryRun }
        replaced = real.filter { $0.state == .superseded && $0.progress.desiredRevision != nil }
        let reversed = Self.undone(by: real.filter(\.mayHaveEffect))
        let effective = real.filter { $0.mayHaveEffect || reversed.contains($0.id) }
        for record in effective.sorted(by: { $0.prepared.sequence < $1.prepared.sequence }) {
            add(record)
        }
    }

    /// What commands undo. An action among it has ended as superseded by the one that reversed it.
    private static func undone(by records: [CommandRecord]) -> Set<CommandID> {
        Set(
            records.compactMap { record in
                guard case .undo(let id) = UndoCause(record.intent.cause) else { return nil }
                return id
            })
    }

    private mutating func add(_ record: CommandRecord) {
        records.append(record)
        switch UndoCause(record.intent.cause) {
        case .undo(let id):
            guard let place = done.lastIndex(where: { $0.id == id }) else { return }
            undone.append(Undone(record: done.remove(at: place), undoing: record))
        case .redo(let id):
            undone.removeAll { $0.record.id == id }
            done.append(record)
        case nil where policy(of: record) != .none:
            done.append(record)
            undone = []
        case nil:
            // What was undone before another piece of work is not done again after it.
            if record.intent.sort != .instant { undone = [] }
        }
    }

    private func policy(of record: CommandRecord) -> UndoPolicy {
        device.specification(of: record.intent.name)?.undo ?? .none
    }
}

extension UndoHistory {
    /// The command that undoes the last one that can be undone.
    /// - Throws: ``UndoRefusal``.
    public func undo() throws(UndoRefusal) -> CompensatingCommand {
        guard let last = done.last else {
            throw UndoRefusal("there is nothing to undo on \(device.id): \(nothingDone)")
        }
        try refuseIfUndecided(last)
        switch policy(of: last) {
        case .restore: return try restoring(last)
        case .inverse(let reverse): return try reversing(last, with: reverse)
        case .none: throw UndoRefusal("\(name(last)) cannot be undone any more")
        }
    }

    /// The command that undoes a certain one, if it is the last one that can be undone.
    /// - Throws: ``UndoRefusal``.
    public func undo(_ command: CommandID) throws(UndoRefusal) -> CompensatingCommand {
        guard done.last?.id != command else { return try undo() }
        if undone.contains(where: { $0.record.id == command }) {
            throw UndoRefusal("\(command) has been undone already")
        }
        guard done.contains(where: { $0.id == command }) else {
            let known = records.first {
                $0.id == command && $0.intent.sort != .instant && UndoCause($0.intent.cause) == nil
            }
            throw UndoRefusal(
                known.map { "\(cannotBeUndone($0)); \(Self.remedy)" }
                    ?? "\(command) changed nothing on \(device.id) that can be undone")
        }
        throw UndoRefusal(
            "a later command to \(device.id) would have to be undone before \(command)")
    }

    /// The command that does again what was undone last.
    /// - Throws: ``UndoRefusal``.
    public func redo() throws(UndoRefusal) -> CompensatingCommand {
        guard let last = undone.last else {
            throw UndoRefusal("there is nothing to redo on \(device.id)")
        }
        try refuseIfUndecided(last.undoing)
        let isSetting = last.record.intent.sort == .setting
        return CompensatingCommand(
            name: last.record.intent.name, arguments: last.record.intent.arguments,
            ifRevision: isSetting ? try revision(since: last.undoing) : knownRevision,
            cause: .redo(last.record.id))
    }

    private func restoring(_ record: CommandRecord) throws(UndoRefusal) -> CompensatingCommand {
        guard record.state == .succeeded else { throw notEnded(record) }
        guard let previous = record.progress.result["previous"] else {
            throw UndoRefusal(
                "\(device.id) did not say what \(name(record)) replaced; send the value that you want "
                    + "instead")
        }
        let schema = device.specification(of: record.intent.name)?.arguments
        guard let argument = schema?.required.first, schema?.required.count == 1 else {
            throw UndoRefusal(
                "\(name(record)) has several arguments, and \(device.id) says one former value")
        }
        return CompensatingCommand(
            name: record.intent.name, arguments: [argument: previous],
            ifRevision: try revision(since: record), cause: .undo(record.id))
    }

    private func reversing(_ record: CommandRecord, with reverse: CommandName)
        throws(UndoRefusal) -> CompensatingCommand
    {
        guard record.state.isUnderWay else {
            guard record.state == .succeeded else { throw notEnded(record) }
            throw UndoRefusal("\(name(record)) has finished; what it did cannot be taken back")
        }
        return CompensatingCommand(
            name: reverse, ifRevision: knownRevision, cause: .undo(record.id))
    }

    /// The revision that the device's state has if nothing but what is known here has changed it.
    private func revision(since first: CommandRecord) throws(UndoRefusal) -> Int? {
        guard var expected = first.progress.revision else { return knownRevision }
        for record in records
        where record.prepared.sequence > first.prepared.sequence && record.state == .succeeded {
            guard let revision = record.progress.revision else { continue }
            // One command changes a setting once; more is the work of others.
            guard revision <= expected + 1 else { throw changed(since: first) }
            expected = max(expected, revision)
        }
        guard let knownRevision, knownRevision > expected else { return expected }
        guard knownRevision == expected + 1, wasConfirmed(first) else {
            throw changed(since: first)
        }
        return knownRevision
    }

    /// Whether the device has last applied kept settings that were brought in line with this one: its revision
    /// of them is new, and the values are the same.
    private func wasConfirmed(_ setting: CommandRecord) -> Bool {
        guard let applied, let values = setting.intent.desiredSettings, applied.contain(values)
        else { return false }
        return replaced.contains { record in
            let end = record.progress.timings.finalAt ?? setting.intent.issuedAt
            return record.progress.desiredRevision == applied.revision
                && end > setting.intent.issuedAt
        }
    }

    // MARK: Refusals

    private static let remedy = "send the command that you want instead"

    /// Why no command is left that could be undone.
    private var nothingDone: String {
        if let undone = undone.last { return "\(name(undone.record)) has been undone already" }
        guard let last = records.last(where: { $0.intent.sort != .instant }) else {
            return "no command from here has had an effect that lasts"
        }
        return "\(cannotBeUndone(last)); \(Self.remedy)"
    }

    private func cannotBeUndone(_ record: CommandRecord) -> String {
        "\(name(record)) cannot be undone, because over the channel \(record.prepared.channel) "
            + "\(device.id) neither tells the value that it replaced nor has a command that reverses it"
    }

    private func refuseIfUndecided(_ record: CommandRecord) throws(UndoRefusal) {
        guard !record.progress.isKept else {
            throw UndoRefusal(
                "\(name(record)) is kept for \(device.id), which has not reported it yet; send the "
                    + "value that you want instead")
        }
        switch record.state {
        case .unknown:
            throw UndoRefusal(
                "the outcome of \(name(record)) is unknown; resolve it first, or, if "
                    + "\(device.id) no longer knows it, send what you want instead")
        case .created, .queued:
            throw UndoRefusal("\(name(record)) has not left yet; cancel it instead")
        case .sending, .sent: throw notEnded(record)
        case .accepted, .running, .succeeded, .failed, .rejected, .cancelled, .superseded,
            .refused, .expired:
            return
        }
    }

    private func notEnded(_ record: CommandRecord) -> UndoRefusal {
        UndoRefusal("\(name(record)) has not ended yet; wait for its end")
    }

    private func changed(since record: CommandRecord) -> UndoRefusal {
        UndoRefusal(
            "the state of \(device.id) has changed since \(name(record)); send the command that you "
                + "want instead")
    }

    private func name(_ record: CommandRecord) -> String {
        "\(record.intent.name.rawValue) (\(record.id))"
    }
}

extension CommandRecord {
    /// Whether it has changed something, or may still do so.
    fileprivate var mayHaveEffect: Bool {
        switch state {
        case .created, .queued, .sending, .sent, .accepted, .running, .succeeded, .unknown: true
        case .failed, .rejected, .cancelled, .superseded, .refused, .expired: false
        }
    }
}
