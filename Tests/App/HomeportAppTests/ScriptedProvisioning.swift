import Homeport
import ProvisioningPresentation
import SharedPresentation

/// Provisioning without hardware: the test says what the attempt reports and how it ends.
final class ScriptedProvisioning: ProvisioningService {
    /// What an attempt does next.
    enum Step: Sendable {
        case report(ProvisioningReport)
        case end(ProvisioningOutcome)
        case networks(NetworkSearch)
    }

    /// Every attempt that began.
    let entries: AsyncStream<ProvisioningEntry>
    private let began: AsyncStream<ProvisioningEntry>.Continuation
    private let steps: AsyncStream<Step>
    private let script: AsyncStream<Step>.Continuation

    init() {
        (entries, began) = AsyncStream.makeStream()
        (steps, script) = AsyncStream.makeStream()
    }

    func next(_ step: Step) { script.yield(step) }

    func accessPoint(ofCode text: String) throws(Failure) -> String {
        guard text.hasPrefix("{") else { throw Failure("this is no setup code", .changeEntry) }
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
        began.yield(entry)
        var iterator = steps.makeAsyncIterator()
        while let step = await iterator.next() {
            switch step {
            case .report(let news): report(news)
            case .end(let outcome): return outcome
            case .networks: break
            }
        }
        return .cancelled
    }
}
