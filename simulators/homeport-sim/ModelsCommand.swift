import ArgumentParser
import DeviceSimulation
import TerminalOutput

/// `homeport-sim models`: the numbers of the models that can be simulated.
struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Print the numbers of the models with unit, range and source.",
        discussion: """
            EXAMPLE
              homeport-sim models
              homeport-sim models --json | jq 'select(.estimate)'

            These are the numbers that simulated devices use. Where a number has a range, each device \
            or home has one of its own from it, and the value is the middle. An estimate is a number \
            that nobody has published; its source says why it is plausible.

            With --json each line is an object: {"model","parameter","value","unit","source", \
            "estimate":true|false,"range":[least,most],"adjustable":[least,most]}; range is left out \
            where all devices have the value, and adjustable where a scenario cannot give the number \
            for some devices ('parameters').

            EXIT STATUS
              0   done
              64  wrong options
            """)

    @Flag(help: "Print one JSON object per line, as -o json.")
    var json = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The form: table, wide, name, json or yaml.", valueName: "form"),
        completion: .list(ListStyle.Form.allCases.map(\.rawValue)), transform: Self.form)
    var output: ListStyle.Form?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sort by a column, the greatest first with - before it.", valueName: "column"))
    var sort: String?

    @Option(
        help: ArgumentHelp(
            "Show these columns, with commas between them.", valueName: "columns"))
    var columns: String?

    func validate() throws {
        if json, let output, output != .json {
            throw ValidationError("--json is -o json: leave out --json or -o \(output.rawValue)")
        }
        _ = try style()
    }

    func run() throws {
        let console = Console.simulator
        try console.writeResult(
            ModelsRenderer(catalog: .standard).listing.lines(try style(), in: console.layout))
    }

    @Sendable
    private static func form(_ text: String) throws -> ListStyle.Form {
        guard let form = ListStyle.Form(rawValue: text) else {
            throw ValidationError("write one of table, wide, name, json, yaml")
        }
        return form
    }

    private func style() throws -> ListStyle {
        do throws(ListStyleError) {
            return try ListStyle(
                json ? .json : output ?? .table, sortedBy: sort, columns: columns,
                of: ModelsRenderer.columns)
        } catch {
            throw ValidationError(error.message)
        }
    }
}
