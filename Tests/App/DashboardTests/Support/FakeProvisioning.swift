import DeviceControlPresentation
import ProvisioningPresentation
import SharedPresentation

/// Provisioning without hardware: the test says what the attempt reports and how it ends.
final class FakeProvisioning: ProvisioningService {
    /// What an attempt does next.
    enum Step: Sendable {
        case report(ProvisioningReport)
        case end(ProvisioningOutcome)
        case networks(NetworkSearch)
    }

    private let steps: AsyncStream<Step>
    private let script: AsyncStream<Step>.Continuation

    init() { (steps, script) = AsyncStream.makeStream() }

    func next(_ step: Step) { script.yield(step) }

    func accessPoint(ofCode text: String) throws(Failure) -> String {
        guard text == "code" else { throw Failure("this is no setup code", .changeEntry) }
        return "PROV_ab12cd"
    }

    func check(address: String) throws(Failure) {
        guard address.hasPrefix("http://") else {
            throw Failure("this is no address", .changeEntry)
        }
    }

    func networks(_ entry: ProvisioningEntry) async -> NetworkSearch {
        for await step in steps {
            if case .networks(let search) = step { return search }
        }
        return .found([])
    }

    func provision(
        _ entry: ProvisioningEntry, report: @escaping @Sendable (ProvisioningReport) -> Void
    ) async -> ProvisioningOutcome {
        for await step in steps {
            switch step {
            case .report(let news): report(news)
            case .end(let outcome): return outcome
            case .networks: break
            }
        }
        return .cancelled
    }
}

/// Checks that find nothing.
struct FakeDoctor: DoctorService {
    func findings() async -> [DoctorFinding] { [] }
}

/// Settings that are never kept.
final class FakeSettings: SettingsRepository {
    func load() -> AppSettings { AppSettings() }
    func save(_ settings: AppSettings) {}
}
