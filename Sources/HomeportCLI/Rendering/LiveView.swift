import Homeport

/// What changes in a home, as `watch` prints it.
struct LiveView: Sendable {
    let home: Home
    let console: Console
    let renderer: WatchRenderer

    /// Prints what comes until the task is cancelled, nobody reads any more, or no channel can go on.
    /// - Returns: why it cannot go on.
    func show(_ scope: HomeScope) async -> HomeError? {
        var logs: [ChannelID: LinkLog] = [:]
        let changes = home.changes(of: scope)
        for await change in changes {
            switch change {
            case .device(let change):
                if let line = renderer.line(for: change) { console.write(line) }
                if case .problem(let part, let words) = change.content {
                    console.note("\(change.device): \(part.rawValue): \(words)")
                }
            case .link(let channel, let state):
                let log = logs[channel] ?? LinkLog(address: home.address(of: channel))
                logs[channel] = log.noting(state, on: console)
                if let failure = home.finalFailure { return failure }
            }
            if console.isClosed { break }
        }
        if changes.droppedCount > 0 {
            console.note("dropped \(changes.droppedCount) messages: output could not keep up")
        }
        return nil
    }
}

extension LinkLog {
    /// Says what is new about the link.
    fileprivate func noting(_ state: LinkState, on console: Console) -> LinkLog {
        var log = self
        if let remark = log.remark(on: state) { console.note(remark) }
        return log
    }
}
