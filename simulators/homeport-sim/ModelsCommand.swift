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

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() {
        let renderer = ModelsRenderer(catalog: .standard)
        Console.simulator.write(
            json ? renderer.jsonLines : renderer.lines(in: Console.simulator.layout))
    }
}
