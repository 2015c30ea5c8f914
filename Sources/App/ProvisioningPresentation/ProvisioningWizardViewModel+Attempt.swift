extension ProvisioningWizardViewModel {
    /// Carries out what is begun until the task is cancelled.
    public func run() async {
        for await order in work.stream {
            switch order {
            case .attempt(let entry): await attempt(entry)
            case .search(let entry, let number): await search(entry, number)
            }
        }
    }

    private func search(_ entry: ProvisioningEntry, _ number: Int) async {
        guard isUnderWay(search: number) else { return }
        let (cancelled, cancellation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        self.cancellation = cancellation
        let service = service
        let search = await withTaskGroup(of: NetworkSearch?.self) { group in
            group.addTask { await service.networks(entry) }
            group.addTask {
                for await _ in cancelled { return nil }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        self.cancellation = nil
        if let search { show(search, ofSearch: number) }
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

/// What is to be carried out, one after the other.
struct ProvisioningWork: Sendable {
    /// One piece of it.
    enum Order: Sendable {
        /// A device is to be brought in.
        case attempt(ProvisioningEntry)
        /// A device is to be asked for the networks that it finds.
        case search(ProvisioningEntry, number: Int)
    }

    let stream: AsyncStream<Order>
    private let source: AsyncStream<Order>.Continuation

    init() {
        (stream, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ order: Order) { source.yield(order) }
}
