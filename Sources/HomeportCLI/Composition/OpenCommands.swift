import Homeport

/// Open commands of earlier runs. Every verb that connects takes them over.
enum OpenCommands {
    /// How long a verb waits for answers before the program ends.
    private static let patience = Duration.seconds(2)

    /// Takes them over, and returns when the devices have answered. It does not wait for devices that
    /// are offline, nor for actions that run.
    static func takeOver(_ home: Home, _ console: Console) async {
        do throws(HomeError) {
            let commands = try await home.takeOverOpenCommands()
            guard !commands.isEmpty else { return }
            console.progress("following \(counted(commands)) of an earlier run")
            await home.settle(commands, within: patience)
        } catch {
            console.note("unfinished commands of earlier runs were not taken over: \(error)")
        }
    }

    private static func counted(_ commands: [CommandID]) -> String {
        commands.count == 1 ? "1 unfinished command" : "\(commands.count) unfinished commands"
    }
}
