public import DeviceControlPresentation
public import Homeport

/// Runs the checks of a diagnosis, for the screen of the channels.
public struct LiveDoctor: DoctorService {
    private let diagnose: @Sendable () async -> [Finding]

    /// - Parameter diagnose: runs every check.
    public init(_ diagnose: @escaping @Sendable () async -> [Finding]) { self.diagnose = diagnose }

    public func findings() async -> [DoctorFinding] { await diagnose().map(DoctorFinding.init) }
}

extension DoctorFinding {
    init(_ finding: Finding) {
        let status: Status =
            switch finding.status {
            case .ok: .ok
            case .warning: .warning
            case .problem: .problem
            }
        self.init(
            check: finding.check.rawValue, status: status, cause: finding.message,
            remedy: finding.remedy)
    }
}
