extension ProvisioningWizardViewModel {
    /// Carries out what is begun until the task is cancelled.
    public func run() async {
        for await entry in attempts.stream { await attempt(entry) }
    }

    private func attempt(_ entry: ProvisioningEntry) async {
        let (cancelled, cancellation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let (reports, tell) = AsyncStream<ProvisioningReport>.makeStream(
            bufferingPolicy: .bufferingNewest(16))
        self.cancellation = cancellation
        // It may have been taken back before anything listened.
        if case .cancelling = step { cancellation.yield() }
        let service = service
        let outcome = await withTaskGroup(of: ProvisioningOutcome?.self) { group in
            group.addTask {
                defer { tell.finish() }
                return await service.provision(entry) { tell.yield($0) }
            }
            group.addTask {
                for await _ in cancelled { return .cancelled }
                return nil
            }
            group.addTask {
                for await report in reports { await self.note(report) }
                return nil
            }
            return await Self.end(of: &group)
        }
        self.cancellation = nil
        step = Self.step(after: outcome)
    }

    /// How the attempt ended. Where the user takes it back, it is waited for what the device has done
    /// with it: a device that is in the home by then stays there.
    private static func end(
        of group: inout TaskGroup<ProvisioningOutcome?>
    ) async -> ProvisioningOutcome {
        var end = ProvisioningOutcome.cancelled
        while let next = await group.next() {
            guard let outcome = next else { continue }
            if case .added = outcome { end = outcome }
            if case .undecided = outcome { end = outcome }
            if case .failed = outcome, !group.isCancelled { end = outcome }
            group.cancelAll()
        }
        return end
    }

    private static func step(after outcome: ProvisioningOutcome) -> Step {
        switch outcome {
        case .added(let device): .added(device)
        case .failed(let failure): .failed(failure)
        case .undecided(let failure): .undecided(failure)
        case .cancelled: .cancelled
        }
    }

    private func note(_ report: ProvisioningReport) {
        guard case .running(let phase, _) = step else { return }
        switch report {
        case .phase(let phase): step = .running(phase, notice: nil)
        case .notice(let failure): step = .running(phase, notice: failure)
        }
    }
}

/// The attempts that are to be carried out, one after the other.
struct ProvisioningAttempts: Sendable {
    let stream: AsyncStream<ProvisioningEntry>
    private let source: AsyncStream<ProvisioningEntry>.Continuation

    init() {
        (stream, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ entry: ProvisioningEntry) { source.yield(entry) }
}
