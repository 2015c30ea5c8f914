import ArgumentParser

/// The fleet's command line: verbs only, each in its own file.
@main
struct HomeportSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homeport-sim",
        abstract: "Simulated homes: sweeping robots, pool robots and energy stores over MQTT.",
        version: "0.1.0",
        subcommands: [RunCommand.self, InjectCommand.self, StatusCommand.self])
}
