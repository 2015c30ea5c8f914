import ArgumentParser
import Fleet
import Scenarios

/// How the process ends; scripts rely on the numbers.
enum ExitStatus {
    /// An invariant of the world or an assertion of the scenario did not hold.
    static let violated = ExitCode(1)
    /// A fault that the run could not survive.
    static let fault = ExitCode(2)
    /// The broker was not reachable at the start, or refused every device.
    static let brokerUnreachable = ExitCode(5)
    /// Wrong options.
    static let usage = ExitCode(64)
    /// A scenario that is wrong.
    static let wrongScenario = ExitCode(65)

    /// The status for an error that ended a run.
    static func after(_ error: any Error) -> ExitCode {
        if error is InvariantsViolated || error is AssertionsFailed { return violated }
        if error is ScenarioProblems { return wrongScenario }
        guard let error = error as? FleetError else { return fault }
        return switch error.code {
        case .brokerUnreachable, .connectionRefused: brokerUnreachable
        case .unusableOption: usage
        case .journalInUse, .journalDamaged, .journalUnusable, .tooManyDevices, .devicesRefused,
            .internal:
            fault
        }
    }
}
