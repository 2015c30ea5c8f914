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
        /// The device with this access point is asked for the networks that it finds.
        case searching(accessPoint: String)
        /// The attempt runs; its state, and what the user can do about what went wrong last.
        case running(ProvisioningPhase?, notice: ProvisioningFailure?)
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
        /// The address of the device is none.
        case address(Failure)
        /// The device could not be asked for the networks that it finds.
        case search(ProvisioningFailure)
        /// The network did not take the password.
        case wrongPassword(ProvisioningFailure)
    }

    /// Where the wizard stands.
    public internal(set) var step = Step.code(problem: nil)
    /// The text that was entered last and is no code; empty for none.
    public private(set) var refusedCode = ""
    /// The network that was entered last, for the fields of the next attempt.
    public private(set) var network = ""
    /// The networks that the device finds, the strongest first; `nil` before it was asked.
    public private(set) var networks: [FoundNetwork]?
    /// The name of the device that was entered last; empty for one from its label.
    public private(set) var deviceName = ""
    /// The address of the device that was entered last; empty for none.
    public private(set) var address = ""
    @ObservationIgnored private var entry = ProvisioningEntry()
    /// How many searches were begun: the latest one has this number.
    @ObservationIgnored private var searches = 0
    @ObservationIgnored let service: any ProvisioningService
    @ObservationIgnored private let whenDone: @MainActor (WizardEnding) -> Void
    @ObservationIgnored let work = ProvisioningWork()
    @ObservationIgnored var cancellation: AsyncStream<Void>.Continuation?

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
            (refusedCode, networks) = ("", nil)
            step = .network(accessPoint: accessPoint, problem: nil)
        } catch {
            refusedCode = text
            step = .code(problem: error)
        }
    }

    /// The network was entered; the attempt begins.
    /// - Parameters:
    ///   - device: the name that the device gets; empty for one from its label.
    ///   - address: where the device is, if its access point was joined by hand; else empty.
    public func networkEntered(
        _ network: String, password: String, device: String = "", address: String = ""
    ) {
        guard case .network(let accessPoint, _) = step else { return }
        (self.network, deviceName, self.address) = (network, device, address)
        if let problem = networkProblem ?? deviceProblem ?? addressProblem {
            step = .network(accessPoint: accessPoint, problem: problem)
            return
        }
        entry.network = network
        entry.password = password
        entry.device = DeviceID(rawValue: device)
        entry.address = address
        begin()
    }

    /// The device is to be asked for the networks that it finds; what was entered until now stays.
    /// - Parameter address: where the device is, if its access point was joined by hand; else empty.
    public func searchButtonTapped(network: String, device: String = "", address: String = "") {
        guard case .network(let accessPoint, _) = step else { return }
        (self.network, deviceName, self.address) = (network, device, address)
        if let problem = addressProblem {
            step = .network(accessPoint: accessPoint, problem: problem)
            return
        }
        entry.address = address
        step = .searching(accessPoint: accessPoint)
        searches += 1
        work.add(.search(entry, number: searches))
    }

    /// Shows what came of a search, unless it was taken back, or a later one has begun.
    func show(_ result: NetworkSearch, ofSearch number: Int) {
        guard isUnderWay(search: number), case .searching(let accessPoint) = step else { return }
        switch result {
        case .found(let networks):
            self.networks = networks
            step = .network(accessPoint: accessPoint, problem: nil)
        case .failed(let failure):
            step = .network(accessPoint: accessPoint, problem: .search(failure))
        }
    }

    /// Whether a search was neither taken back nor followed by another one.
    func isUnderWay(search number: Int) -> Bool {
        guard case .searching = step else { return false }
        return number == searches
    }

    private var networkProblem: NetworkProblem? {
        (1...32).contains(network.utf8.count) ? nil : .networkName
    }

    private var deviceProblem: NetworkProblem? {
        deviceName.isEmpty || DeviceID(rawValue: deviceName) != nil ? nil : .deviceName
    }

    private var addressProblem: NetworkProblem? {
        guard !address.isEmpty else { return nil }
        do throws(Failure) {
            try service.check(address: address)
            return nil
        } catch {
            return .address(error)
        }
    }

    /// The same is to be tried again; a refused password is asked for first.
    public func retryButtonTapped() {
        switch step {
        case .failed(let failure): retry(after: failure)
        case .undecided, .cancelled: begin()
        case .code, .network, .searching, .running, .cancelling, .added: break
        }
    }

    private func retry(after failure: ProvisioningFailure) {
        switch failure.action {
        case .retryPassword: askForNetwork(.wrongPassword(failure))
        case .moveCloser, .chooseName, .joinAccessPoint: askForNetwork(nil)
        case .checkLabel: step = .code(problem: nil)
        case .pressReset, .allowSecurity0, .allowWeakSession, .checkBroker, .checkServer,
            .checkStorage, .runAgain, .contact:
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
        case .searching(let accessPoint):
            step = .network(accessPoint: accessPoint, problem: nil)
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
        clear()
        whenDone(ending)
    }

    /// Somebody else begins: what was entered is forgotten. An attempt that concerns the whole home goes on.
    public func begunAnew() {
        if !isShared { clear() }
    }

    private func clear() {
        entry = ProvisioningEntry()
        (refusedCode, network, networks, deviceName, address) = ("", "", nil, "", "")
        step = .code(problem: nil)
    }

    /// Whether everybody in the home is to see it: an attempt runs, or left open whether the device is in the
    /// home. Anything else is what one person has entered, and what came of it.
    public var isShared: Bool {
        switch step {
        case .searching, .running, .cancelling, .undecided: true
        case .code, .network, .failed, .cancelled, .added: false
        }
    }

    private var isBusy: Bool {
        switch step {
        case .searching, .running, .cancelling: true
        case .code, .network, .failed, .undecided, .cancelled, .added: false
        }
    }

    private func begin() {
        step = .running(nil, notice: nil)
        work.add(.attempt(entry))
    }
}
