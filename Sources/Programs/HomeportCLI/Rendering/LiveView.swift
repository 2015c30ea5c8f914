import Homeport
import TerminalOutput

/// What changes in a home, as `watch` prints it.
struct LiveView: Sendable {
    let home: Home
    let console: Console
    let format: OutputFormat
    let filter: DeviceFilter

    /// Prints what comes until the task is cancelled, nobody reads any more, or no channel can go on.
    /// - Returns: why it cannot go on.
    func show(_ scope: HomeScope) async -> HomeError? {
        var links = LinkLogs(home)
        var filtered = FilteredChanges(filter)
        var acks = ShownAcks()
        var names = CommandNames(home)
        let changes = home.changes(of: scope)
        for await change in changes {
            switch change {
            case .device(let change):
                let device = filtered.isOpen ? nil : home.latest(change.device)
                for change in filtered.shown(change, device) {
                    await show(change, &acks, &names)
                }
            case .link(let channel, let state):
                if let remark = links.remark(on: channel, state) { console.note(remark) }
                if let failure = home.finalFailure { return failure }
            }
            if console.isClosed { break }
        }
        if changes.droppedCount > 0 {
            console.note("dropped \(changes.droppedCount) messages: output could not keep up")
        }
        return nil
    }

    private func show(
        _ change: DeviceChange, _ acks: inout ShownAcks, _ names: inout CommandNames
    ) async {
        let renderer = WatchRenderer(format: format, layout: console.layout)
        if case .problem(let part, let reason) = change.content {
            console.note("\(change.device): \(part.rawValue): \(reason)")
        }
        let name = home.latest(change.device)?.label.name
        guard case .evidence(let ack) = change.content else {
            if let line = renderer.line(for: change, name: name) { console.write(line) }
            return
        }
        let command = await names.name(of: ack.id)
        let lines = acks.shown(change, ack, command: command).compactMap {
            renderer.line(for: $0, command: command, name: name)
        }
        if !lines.isEmpty { console.write(lines) }
    }
}

/// What was said of the links of a home.
struct LinkLogs: Sendable {
    private let home: Home
    private var logs: [ChannelID: LinkLog] = [:]

    init(_ home: Home) { self.home = home }

    /// What to say about a link; `nil` for nothing new.
    mutating func remark(on channel: ChannelID, _ state: LinkState) -> String? {
        logs[channel, default: LinkLog()].remark(on: state, at: home.address(of: channel))
    }
}
