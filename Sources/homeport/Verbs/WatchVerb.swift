import ArgumentParser
import Connectivity
import DeviceDomain
import MosquittoAdapter

/// `homeport watch`.
struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows telemetry, state, presence, events and acks live until interrupted.",
        discussion: """
            Example: homeport watch sweeper-1 sweeper-2 --json | jq -c 'select(.type == "event")'

            It keeps reconnecting for ever; only refused credentials end it.

            \(VerbStatus.help(VerbStatus.ofReading.filter { $0 != .wrongInput }))
            """)

    @Argument(
        help: ArgumentHelp("The devices; all of the home if none is named.", valueName: "device"),
        transform: Parsing.identifier)
    var devices: [DeviceID] = []

    @OptionGroup(title: "Home") var home: HomeOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let station = try Station(home, broker, output)
        let channel = try station.makeChannel()
        let watched = Set(devices)
        let renderer = WatchRenderer(format: output.format)
        let failure = await Interrupts.cancelling {
            await watch(watched, over: channel, from: station, renderer, on: console)
        }
        await channel.close()
        if let failure = failure ?? nil { throw failure }
        return .done
    }
}

/// Watches until the task is cancelled, nobody reads, or the credentials are refused.
private func watch(
    _ devices: Set<DeviceID>, over channel: MosquittoChannel, from station: Station,
    _ renderer: WatchRenderer, on console: Console
) async -> Failure? {
    var log = LinkLog(address: "\(station.choice.address)")
    while !Task.isCancelled, !console.isClosed {
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
            console.note("\(observations.droppedCount) messages were dropped: read stdout faster")
        }
        // The channel has given up for a reason that may pass; a cancelled sleep ends the loop.
        do { try await Task.sleep(for: .seconds(5)) } catch { return nil }
    }
    return nil
}
