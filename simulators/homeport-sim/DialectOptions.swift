import Alink
import ArgumentParser
import Fleet
import YAMLText

/// What the devices speak.
struct DialectOptions: ParsableArguments {
    /// A protocol of devices.
    enum Dialect: String, ExpressibleByArgument, CaseIterable {
        case homeport, alink
    }

    @Option(
        help: ArgumentHelp(
            "What the devices speak: homeport, or alink to a mosquitto with the project's plugin over MQTT "
                + "3.1.1 (docs/alink.md) (default: homeport).", valueName: "NAME"))
    var dialect = Dialect.homeport

    @Option(
        help: ArgumentHelp(
            "With --dialect alink: who the devices are, a line PRODUCTKEY DEVICENAME SECRET each. The devices "
                + "of one product are of one kind; without --sweepers and the like every line is a device.",
            valueName: "FILE"), completion: .file())
    var triples: String?

    @Option(
        help: ArgumentHelp(
            "With --dialect alink: a folder to write the thing models of the devices into, for the member "
                + "'models' of homeport's channel.", valueName: "DIR"), completion: .directory)
    var models: String?

    /// The lines of the file of triples; `nil` where the devices do not speak Alink.
    /// - Throws: `FleetError` where it is wrong.
    func readTriples() throws(FleetError) -> [AlinkTriple]? {
        guard dialect == .alink, let triples else { return nil }
        let text: String
        do throws(UnreadableTextFile) {
            text = try TextFile(path: triples, for: "triples").text()
        } catch {
            throw FleetError(.unusableOption, "--triples: \(error)")
        }
        do throws(AlinkTripleError) {
            return try AlinkTriple.read(text)
        } catch {
            throw FleetError(.unusableOption, "\(triples):\(error.line): \(error.message)")
        }
    }

    /// Checks that a run can be expressed in the dialect.
    /// - Throws: an error about the option that cannot.
    func check(beside run: RunCommand) throws {
        guard dialect == .alink else {
            if triples != nil {
                throw ValidationError("--triples is for --dialect alink: give it too")
            }
            if models != nil {
                throw ValidationError("--models is for --dialect alink: give it too")
            }
            return
        }
        guard triples != nil else {
            throw ValidationError(
                "--dialect alink needs --triples FILE, with a line PRODUCTKEY DEVICENAME SECRET for each device"
            )
        }
        guard !run.target.broker.isEmpty else {
            throw ValidationError(
                "--dialect alink needs --broker URL of a mosquitto with the plugin: see docs/alink.md"
            )
        }
        if let (option, reason) = run.optionOfHomeport {
            throw ValidationError("--dialect alink cannot express \(option): \(reason)")
        }
    }
}

extension RunCommand {
    /// An option that Alink has no words for, and why, if one is given.
    fileprivate var optionOfHomeport: (option: String, reason: String)? {
        let options = [
            ("a scenario", "its commands are those of the Homeport protocol", scenario != nil),
            ("--speed max", "a world without a broker has no dialect", world.isVirtual),
            (
                "--unprovisioned", "a boxed device is claimed over the Homeport protocol",
                boxed.unprovisioned > 0
            ),
            ("--processes", "all triples are used by one process", fleet.processes > 1),
            ("--shard", "all triples are used by one process", fleet.shard != .whole),
            (
                "--credentials-file", "each device logs in with its own triple",
                target.access.credentialsFile != nil
            ),
        ]
        return options.first(where: \.2).map { ($0.0, $0.1) }
    }
}
