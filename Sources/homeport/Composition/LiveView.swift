import Connectivity
import DeviceControl
import DeviceDomain
import MosquittoAdapter

/// What devices say as it happens: the use case of `watch`.
struct LiveView: Sendable {
    let station: Station
    let channel: MosquittoChannel
    let console: Console
    let renderer: WatchRenderer

    /// Shows what comes until the task is cancelled, nobody reads any more, or the credentials are
    /// refused. Meanwhile the commands of dead processes go on.
    /// - Parameter ledger: where those commands are; `nil` leaves them alone.
    /// - Returns: why it cannot go on.
    func run(_ devices: Set<DeviceID>, resuming ledger: Ledger?) async -> Failure? {
        guard let ledger else { return await show(devices) }
        let invoker = CommandInvoker(
            controller: station.controller, ledger: ledger.commands,
            factory: CommunicationStrategyFactory(channels: [channel]))
        return await invoker.whileRunning {
            async let _ = resume(with: invoker)
            return await show(devices)
        }
    }

    private func resume(with invoker: CommandInvoker) async {
        for await state in channel.linkStates() where state.isConnected {
            return await Resumption(invoker: invoker, home: station.home, console: console).run()
        }
    }

    private func show(_ devices: Set<DeviceID>) async -> Failure? {
        var log = LinkLog(address: "\(station.choice.address)")
        var pauses = RestartPauses()
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let observations = channel.observe(station.home, devices: devices)
            for await observation in observations {
                switch observation {
                case .message(let message):
                    if let line = renderer.line(for: message) { console.write(line) }
                case .link(.lost(let error, retryIn: nil)) where error.code == .credentialsRefused:
                    return station.failure(for: error)
                case .link(let state):
                    if let remark = log.remark(on: state) { console.note(remark) }
                }
                if console.isClosed { return nil }
            }
            if observations.droppedCount > 0 {
                console.note("\(observations.droppedCount) messages were dropped: read faster")
            }
            // The channel gave up for a reason that may pass; a cancelled sleep ends the view.
            let pause = pauses.next(after: ContinuousClock.now - start, using: &generator)
            do { try await Task.sleep(for: pause) } catch { return nil }
        }
        return nil
    }
}
