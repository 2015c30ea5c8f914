import Homeport
import TerminalOutput

/// An attempt to provision a device, as `provision` prints it.
struct ProvisioningRenderer: Sendable {
    let format: OutputFormat
    /// Whether the device comes onto a Matter server.
    var isMatter = false

    /// The line for a change of state.
    func line(for transition: ProvisioningTransition) -> String {
        switch format {
        case .human:
            "\(transition.elapsed.brief.padded(to: 8)) \(transition.to.title(isMatter: isMatter)): \(transition.cause.printable)"
        case .json: transition.line.text
        }
    }

    /// The line for the end.
    func line(for result: ProvisioningResult) -> String {
        line(result.attempt, result.device, result.ending, result.elapsed)
    }

    /// The line for the end.
    func line(for result: CommissioningResult) -> String {
        line(result.attempt, result.device, result.ending, result.elapsed)
    }

    private func line(
        _ attempt: ProvisioningAttemptID, _ device: DeviceID?, _ ending: ProvisioningEnding,
        _ elapsed: Duration
    ) -> String {
        switch format {
        case .human:
            return
                "\(elapsed.brief.padded(to: 8)) \(ending.sentence(on: device?.text ?? "the device").printable)"
        case .json:
            var line = JSONLine()
            line.add("type", "result")
            line.add("attempt", attempt.rawValue)
            line.add("device", device?.text)
            line.add("state", ending.outcome.state)
            line.add("code", ending.outcome.code)
            line.add("message", ending.outcome.message)
            line.add("userAction", ending.outcome.action?.rawValue)
            return line.text
        }
    }
}

extension ProvisioningEnding {
    /// How the program ends for it.
    var status: VerbStatus {
        switch self {
        case .provisioned: .done
        case .cancelled: .notDone
        case .unknown: .undecided
        case .failed(let error):
            switch error.code {
            case .noAccessPoint, .connectionLost, .broker, .server: .noConnection
            case .unusablePassword: .wrongInput
            default: .notDone
            }
        }
    }

    fileprivate func sentence(on device: String) -> String {
        switch self {
        case .provisioned: "\(device) is in the home"
        case .cancelled: "\(device) was not brought into the home: cancelled, all was taken back"
        case .failed(let error): "\(device) was not brought into the home: \(error)"
        case .unknown(let error):
            "it is not known whether \(device) is in the home: "
                + "\(error.userAction == .runAgain ? error.message : error.description); run the same again"
        }
    }

    fileprivate var outcome: (state: String, code: String, message: String?, action: UserAction?) {
        switch self {
        case .provisioned: ("provisioned", AckCode.ok.rawValue, nil, nil)
        case .cancelled: ("cancelled", AckCode.cancelled.rawValue, nil, nil)
        case .failed(let error):
            ("failed", error.code.rawValue, error.message, error.userAction)
        case .unknown(let error):
            ("unknown", error.code.rawValue, error.message, error.userAction)
        }
    }
}

extension ProvisioningResult {
    /// Whether another password may succeed.
    var refusesPassword: Bool {
        switch ending {
        case .failed(let error): [.wrongPassword, .unusablePassword].contains(error.code)
        case .provisioned, .cancelled, .unknown: false
        }
    }
}

extension ProvisioningTransition {
    fileprivate var line: JSONLine {
        var line = JSONLine()
        line.add("type", "state")
        line.add("attempt", attempt.rawValue)
        line.add("from", from?.rawValue)
        line.add("to", to.rawValue)
        line.add("cause", cause)
        line.add("elapsedMs", elapsed.milliseconds)
        return line
    }
}

extension ProvisioningPhase {
    fileprivate func title(isMatter: Bool) -> String {
        switch self {
        case .scanning: isMatter ? "asking the Matter server" : "looking for the device"
        case .connectingToDeviceAP:
            isMatter ? "finding a way to the device" : "connecting to its access point"
        case .sendingWiFiCredentials:
            isMatter ? "giving the order" : "sending certificate and Wi-Fi network"
        case .confirmingCloudConnection:
            isMatter ? "waiting for the Matter server" : "waiting for it at the broker"
        case .finalizing: "finalizing"
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    fileprivate var brief: String { "\(milliseconds) ms" }
}
