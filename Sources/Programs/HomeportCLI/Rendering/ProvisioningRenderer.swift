import Homeport
import TerminalOutput

/// An attempt to provision a device, as `provision` prints it.
struct ProvisioningRenderer: Sendable {
    let format: OutputFormat

    /// The line for a change of state.
    func line(for transition: ProvisioningTransition) -> String {
        switch format {
        case .human:
            "\(transition.elapsed.brief.padded(to: 8)) \(transition.to.title): \(transition.cause.printable)"
        case .json: transition.line.text
        }
    }

    /// The line for the end.
    func line(for result: ProvisioningResult) -> String {
        switch format {
        case .human: "\(result.elapsed.brief.padded(to: 8)) \(result.sentence.printable)"
        case .json: result.line.text
        }
    }
}

extension ProvisioningResult {
    /// How the program ends for it.
    var status: VerbStatus {
        switch ending {
        case .provisioned: .done
        case .cancelled: .notDone
        case .unknown: .undecided
        case .failed(let error):
            switch error.code {
            case .noAccessPoint, .connectionLost, .broker: .noConnection
            case .unusablePassword: .wrongInput
            default: .notDone
            }
        }
    }

    /// Whether another password may succeed.
    var refusesPassword: Bool {
        switch ending {
        case .failed(let error): [.wrongPassword, .unusablePassword].contains(error.code)
        case .provisioned, .cancelled, .unknown: false
        }
    }

    fileprivate var sentence: String {
        switch ending {
        case .provisioned: "\(device) is in the home"
        case .cancelled: "\(device) was not brought into the home: cancelled, all was taken back"
        case .failed(let error): "\(device) is not in the home: \(error)"
        case .unknown(let error):
            "it is not known whether \(device) is in the home: \(error.message); run the same again"
        }
    }

    private var outcome: (state: String, code: String, action: UserAction?) {
        switch ending {
        case .provisioned: ("provisioned", AckCode.ok.rawValue, nil)
        case .cancelled: ("cancelled", AckCode.cancelled.rawValue, nil)
        case .failed(let error): ("failed", error.code.rawValue, error.userAction)
        case .unknown(let error): ("unknown", error.code.rawValue, error.userAction)
        }
    }

    fileprivate var line: JSONLine {
        var line = JSONLine()
        line.add("type", "result")
        line.add("attempt", attempt.rawValue)
        line.add("device", device.text)
        line.add("state", outcome.state)
        line.add("code", outcome.code)
        line.add("userAction", outcome.action?.rawValue)
        return line
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
    fileprivate var title: String {
        switch self {
        case .scanning: "looking for the device"
        case .connectingToDeviceAP: "connecting to its access point"
        case .sendingWiFiCredentials: "sending certificate and Wi-Fi network"
        case .confirmingCloudConnection: "waiting for it at the broker"
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
