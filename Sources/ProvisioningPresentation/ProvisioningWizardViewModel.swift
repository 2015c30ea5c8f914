public import DeviceDomain
public import Observation
public import SharedPresentation

/// The wizard that brings one boxed device after the other into the home.
@MainActor @Observable
public final class ProvisioningWizardViewModel {
    /// Where the wizard stands.
    public enum Step: Hashable, Sendable {
        /// It asks for the text of the QR code; what was wrong with the last one.
        case code(problem: Failure?)
        /// It asks for the network of the device with this access point; what went wrong last.
        case network(accessPoint: String, problem: NetworkProblem?)
        /// The attempt runs; its state, and what the user can do about what went wrong last.
        case running(ProvisioningStage?, notice: ProvisioningFailure?)
        /// The attempt is being taken back.
        case cancelling
        /// It did not succeed.
        case failed(ProvisioningFailure)
        /// The device may be in the home or not; trying again resumes the attempt.
        case undecided(ProvisioningFailure)
        /// It was taken back.
        case cancelled
        /// The device is in the home.
        case added(DeviceID)
    }

    /// What is wrong with what was entered for the network.
    public enum NetworkProblem: Hashable, Sendable {
        /// A network's name has 1 to 32 bytes.
        case networkName
        /// A device's name has small letters, digits and hyphens, at most 63.
        case deviceName
        /// The network did not take the password.
        case wrongPassword(cause: String)
    }

    /// Where the wizard stands.
    public private(set) var step = Step.code(problem: nil)
    /// The network that was entered last, for the fields of the next attempt.
    public private(set) var network = ""
    @ObservationIgnored private var entry = ProvisioningEntry()
    @ObservationIgnored private let service: any ProvisioningService
    @ObservationIgnored private let whenDone: @MainActor (WizardEnding) -> Void
    @ObservationIgnored private let attempts = Attempts()
    @ObservationIgnored private var cancellation: AsyncStream<Void>.Continuation?

    /// - Parameter whenDone: is told when the user leaves the wizard.
    public init(
        _ service: any ProvisioningService,
        whenDone: @escaping @MainActor (WizardEnding) -> Void
    ) {
        self.service = service
        self.whenDone = whenDone
    }

    // MARK: What the user does

    /// The text of a QR code was entered, or read by a camera.
    public func codeEntered(_ text: String) {
        guard !isBusy else { return }
        do throws(Failure) {
            let accessPoint = try service.accessPoint(ofCode: text)
            entry.code = text
            step = .network(accessPoint: accessPoint, problem: nil)
        } catch {
            step = .code(problem: error)
        }
    }

    /// The network was entered; the attempt begins.
    /// - Parameter device: the name that the device gets; empty for one from its label.
    public func networkEntered(_ network: String, password: String, device: String = "") {
        guard case .network(let accessPoint, _) = step else { return }
        self.network = network
        guard (1...32).contains(network.utf8.count) else {
            step = .network(accessPoint: accessPoint, problem: .networkName)
            return
        }
        let name = DeviceID(rawValue: device)
        guard device.isEmpty || name != nil else {
            step = .network(accessPoint: accessPoint, problem: .deviceName)
            return
        }
        entry.network = network
        entry.password = password
        entry.device = name
        begin()
    }

    /// The same is to be tried again; a refused password is asked for first.
    public func retryButtonTapped() {
        switch step {
        case .failed(let failure): retry(after: failure)
        case .undecided, .cancelled: begin()
        case .code, .network, .running, .cancelling, .added: break
        }
    }

    private func retry(after failure: ProvisioningFailure) {
        switch failure.advice {
        case .retryPassword: askForNetwork(.wrongPassword(cause: failure.cause))
        case .moveCloser, .chooseName: askForNetwork(nil)
        case .checkLabel: step = .code(problem: nil)
        case .pressReset, .joinAccessPoint, .allowSecurity0, .checkBroker, .checkStorage,
            .runAgain, .contact:
            begin()
        }
    }

    private func askForNetwork(_ problem: NetworkProblem?) {
        do throws(Failure) {
            let accessPoint = try service.accessPoint(ofCode: entry.code)
            step = .network(accessPoint: accessPoint, problem: problem)
        } catch {
            step = .code(problem: error)
        }
    }

    /// The attempt is to be taken back, or the wizard to be left.
    public func cancelButtonTapped() {
        switch step {
        case .running:
            step = .cancelling
            cancellation?.yield()
        case .code, .network, .failed, .undecided, .cancelled: leave(.left)
        case .cancelling, .added: break
        }
    }

    /// The user has seen that the device is there.
    public func doneButtonTapped() {
        guard case .added(let device) = step else { return }
        leave(.added(device))
    }

    private func leave(_ ending: WizardEnding) {
        entry = ProvisioningEntry()
        step = .code(problem: nil)
        whenDone(ending)
    }

    private var isBusy: Bool {
        switch step {
        case .running, .cancelling: true
        case .code, .network, .failed, .undecided, .cancelled, .added: false
        }
    }

    private func begin() {
        step = .running(nil, notice: nil)
        attempts.add(entry)
    }

    // MARK: The attempt

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
        guard case .running(let stage, _) = step else { return }
        switch report {
        case .stage(let stage): step = .running(stage, notice: nil)
        case .notice(let failure): step = .running(stage, notice: failure)
        }
    }
}

/// The attempts that are to be carried out, one after the other.
private struct Attempts: Sendable {
    let stream: AsyncStream<ProvisioningEntry>
    private let source: AsyncStream<ProvisioningEntry>.Continuation

    init() {
        (stream, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ entry: ProvisioningEntry) { source.yield(entry) }
}
