import ArgumentParser
import Fleet
import Scenarios

/// How the process ends; scripts rely on the numbers.
enum ExitStatus {
    /// An invariant of the world did not hold, or an assertion of the scenario failed.
    static let violated = ExitCode(1)
    /// A fault that the run could not survive.
    static let fault = ExitCode(2)
    /// The broker was not reachable at the start, or refused every device.
    static let brokerUnreachable = ExitCode(5)
    /// A file whose content is wrong.
    static let wrongFile = ExitCode(65)
    /// The result could not be written to stdout.
    static let unwritten = ExitCode(70)
    /// Wrong options.
    static let usage = ExitCode(64)

    /// The status for an error that ended a run.
    static func after(_ error: any Error) -> ExitCode {
        if error is InvariantsViolated || error is AssertionsFailed { return violated }
        if error is ScenarioProblems { return wrongFile }
        guard let error = error as? FleetError else { return fault }
        return switch error.code {
        case .brokerUnreachable, .connectionRefused: brokerUnreachable
        case .unusableOption: usage
        case .unusableFile: wrongFile
        case .journalInUse, .journalDamaged, .journalUnusable, .tooManyDevices, .devicesRefused,
            .internal:
            fault
        }
    }
}
