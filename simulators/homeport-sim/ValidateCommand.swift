import ArgumentParser
import DeviceDomain
import DeviceMessages
import Scenarios
import TerminalOutput

/// `homeport-sim validate`: everything that is wrong in a scenario.
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a scenario without running it.",
        usage: "homeport-sim validate SCENARIO.yaml\nhomeport-sim validate --schema",
        discussion: """
            EXAMPLE
              homeport-sim validate evening.yaml
              homeport-sim validate --schema > scenario.schema.json

            Everything that is wrong is printed at once, a line each: FILE:LINE:COLUMN: text. With \
            --schema the JSON Schema of scenarios is printed, for editors that complete YAML.

            EXIT STATUS
              0   the scenario can be run
              64  wrong options
              65  the scenario is wrong, or cannot be read
            """)

    @Argument(
        help: ArgumentHelp("The scenario.", valueName: "SCENARIO.yaml"),
        completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String?

    @Flag(help: "Print the JSON Schema of scenarios.")
    var schema = false

    func validate() throws {
        guard schema == (scenario == nil) else {
            throw ValidationError("name a scenario, or pass --schema")
        }
    }

    func run() throws {
        guard let scenario else {
            let schema = JSONWriter.write(.object(ScenarioShape.schema))
            return try Console.simulator.writeResult([String(decoding: schema, as: UTF8.self)])
        }
        do throws(ScenarioProblems) {
            _ = try Scenario(path: scenario)
        } catch {
            try Console.simulator.writeResult(error.lines)
            throw ExitStatus.wrongFile
        }
    }
}
