import Homeport
import TerminalOutput

/// The commands that earlier runs left unfinished. Every verb that connects takes them over.
enum OpenCommands {
    /// How long a verb waits for the answers to what it sent and asked.
    private static let answerLimit = Duration.seconds(2)

    /// Takes them over, and returns when everything that was sent or asked has been answered, so that
    /// the process may end. It does not wait for offline devices or running actions. A server has taken
    /// them over when it began.
    static func takeOver(_ home: Home, _ call: Call) async {
        guard call.server == nil else { return }
        let console = call.console
        do throws(HomeError) {
            let commands = try await home.takeOverOpenCommands()
            guard !commands.isEmpty else { return }
            await home.settle(commands, within: answerLimit)
        } catch {
            // The verb ends, and says itself why.
            guard error.code != .cancelled else { return }
            console.note("could not follow unfinished commands of earlier runs: \(error)")
        }
    }

    /// As ``takeOver(_:_:)``, once a channel is connected.
    static func takeOverWhenConnected(_ home: Home, _ call: Call) async {
        guard await home.isConnected() else { return }
        await takeOver(home, call)
    }
}

extension Console {
    /// Says what is open for other brokers, which nobody sends or asks about here.
    func noteElsewhere(in home: Home) async throws(HomeError) {
        let places = try await home.commandsElsewhere().compactMap(\.place?.description)
        guard !places.isEmpty else { return }
        let brokers = Set(places).sorted().joined(separator: ", ")
        let commands =
            places.count == 1
            ? "1 command of \(home.id) is" : "\(places.count) commands of \(home.id) are"
        note(
            "\(commands) for \(brokers), not for \(home.address), and left alone here; where the home has "
                + "moved: 'homeport queue --moved'")
    }
}
