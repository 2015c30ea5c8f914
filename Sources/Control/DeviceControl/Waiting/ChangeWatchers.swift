internal import Basics
internal import Connectivity
internal import DeviceMessages

/// The streams of commands' changes. They are asked for from any thread, before the invoker has
/// time to tell the present record.
final class ChangeWatchers: Sendable {
    typealias Source = StreamSource<CommandRecord>

    private struct State {
        var isClosed = false
        var lastKey = 0
        var newcomers: [(id: CommandID, key: Int)] = []
        var sources: [CommandID: [Int: Source]] = [:]
    }

    private let state = Guarded(State())

    /// A new stream. Its present record is due: see ``takeNewcomers()``.
    func add(_ id: CommandID) -> BoundedStream<CommandRecord> {
        let key = state.withLock { state in
            state.lastKey += 1
            return state.lastKey
        }
        let (stream, source) = BoundedStream<CommandRecord>.make(.dropOldest(limit: 1)) {
            [weak self] in self?.remove(key, of: id)
        }
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.sources[id, default: [:]][key] = source
            state.newcomers.append((id, key))
            return false
        }
        if isClosed { source.finish() }
        return stream
    }

    private func remove(_ key: Int, of id: CommandID) {
        state.withLock { state in
            state.sources[id]?[key] = nil
            if state.sources[id]?.isEmpty == true { state.sources[id] = nil }
        }
    }

    /// Whether there is a stream of a command.
    func contain(_ id: CommandID) -> Bool { state.withLock { $0.sources[id] != nil } }

    /// The streams that have not been told the present record, by command.
    func takeNewcomers() -> [(id: CommandID, key: Int)] {
        state.withLock { state in
            defer { state.newcomers = [] }
            return state.newcomers
        }
    }

    /// Tells one stream the present record; `nil` if nobody has the command.
    /// - Parameter isFollowed: whether changes will be told; otherwise the stream ends.
    func present(_ record: CommandRecord?, to key: Int, of id: CommandID, isFollowed: Bool) {
        guard let source = state.withLock({ $0.sources[id]?[key] }) else { return }
        if let record { source.send(record) }
        if !isFollowed || record?.state.isFinal != false { source.finish() }
    }

    /// Tells every stream of a command a change.
    func tell(_ record: CommandRecord) {
        for source in sources(of: record.id) {
            source.send(record)
            if record.state.isFinal { source.finish() }
        }
    }

    /// Ends the streams of a command that is not followed any more.
    func end(_ id: CommandID) {
        for source in sources(of: id) { source.finish() }
    }

    /// Ends every stream, those to come too.
    func close() {
        let sources = state.withLock { state in
            state.isClosed = true
            // Not `\.values`: a key path of a generic type is looked up by name at run time.
            return state.sources.values.flatMap { $0.values }
        }
        for source in sources { source.finish() }
    }

    // Outside the lock: what ends a stream calls `remove`.
    private func sources(of id: CommandID) -> [Source] {
        state.withLock { state in state.sources[id].map { Array($0.values) } ?? [] }
    }
}
