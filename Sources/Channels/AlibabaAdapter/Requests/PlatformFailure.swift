internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A call that has no result: what is known of it, and why.
struct PlatformFailure: Error, Hashable, Sendable {
    /// What a failure proves.
    enum Proof: Hashable, Sendable {
        /// Nothing was carried out, and the same call may be later.
        case throttled
        /// The key is not accepted: nothing was carried out.
        case credentials
        /// The platform refused the call: nothing was carried out.
        case refused(AckCode)
        /// The platform tried, and it did not work.
        case failed
        /// No connection was made: nothing left.
        case unreachable
        /// The platform's certificate is not accepted: nothing left.
        case tlsRefused
        /// The call cannot be made on this machine: nothing left.
        case unusable
        /// The call may have been carried out.
        case unknown
    }

    let proof: Proof
    /// The platform's code; empty where it gave none.
    let code: String
    /// The platform's words or the reason, without secrets.
    let message: String

    /// Whether it says that calls do not work at all, not only this one.
    var isAboutLink: Bool {
        switch proof {
        case .credentials, .unreachable, .tlsRefused, .unusable, .unknown: true
        case .throttled, .refused, .failed: false
        }
    }

    /// Code and words, as people are told.
    var text: String { code.isEmpty ? message : message.isEmpty ? code : "\(code): \(message)" }
}

extension PlatformFailure {
    /// What a code proves, whether it came with HTTP 200 or with an error of the gateway.
    ///
    /// Of a code that is not known a gateway's status 4xx says that the call was refused; of the platform itself it
    /// is a failure.
    static func proof(of code: String, status: Int) -> Proof {
        if code.hasPrefix("Throttling") || code == "iot.messagebroker.RateLimit" || status == 429 {
            return .throttled
        }
        if isAboutKey(code) { return .credentials }
        if let known = known[code] { return known }
        let name = code.split(separator: ".").last.map(String.init) ?? code
        if code.hasPrefix("iot.prod.NotExisted") { return .refused(.unknownCommand) }
        if name.hasSuffix("PermissionDeny") || name == "Forbidden" { return .refused(.forbidden) }
        if name.hasSuffix("Failed") { return .failed }
        switch status {
        case 400...499: return .refused(.badRequest)
        case 500...: return .unknown
        default: return .failed
        }
    }

    private static func isAboutKey(_ code: String) -> Bool {
        code.hasPrefix("InvalidAccessKeyId") || code.hasPrefix("SignatureDoesNotMatch")
            || code.hasPrefix("IncompleteSignature") || code.hasPrefix("InvalidTimeStamp")
            || code == "Forbidden.AccessKeyDisabled"
    }

    private static let known: [String: Proof] = [
        "iot.messagebroker.OFFLINE": .refused(.notReady),
        "iot.device.InactiveDevice": .refused(.notReady),
        "iot.device.NotExistedDevice": .refused(.notReady),
        "iot.device.InvalidFormattedDevicePropertiesString": .refused(.badArguments),
        "iot.device.NoneDeviceProperties": .refused(.badArguments),
        "iot.check.InvalidFormattedParameter": .refused(.badArguments),
        "iot.system.IllegalRequest": .refused(.badArguments),
        "iot.system.InstanceNotFound": .refused(.forbidden),
        "iot.system.UidNotFound": .refused(.forbidden),
        "iot.common.BillIsOverDue": .refused(.forbidden),
        "iot.messagebroker.TIMEOUT": .unknown,
        "iot.messagebroker.RrpcException": .unknown,
        "iot.messagebroker.HALFCONN": .unknown,
        "iot.system.SystemException": .unknown,
    ]
}

extension CommunicationError {
    /// A reading failed.
    init(_ failure: PlatformFailure) {
        let (code, isRetriable): (Code, Bool) =
            switch failure.proof {
            case .throttled: (.overloaded, true)
            case .credentials: (.credentialsRefused, false)
            case .refused(.forbidden): (.notPermitted, false)
            case .refused, .failed: (.protocolViolation, true)
            case .unreachable: (.unreachable, true)
            case .tlsRefused: (.tlsRefused, false)
            case .unusable: (.cannotExpress, false)
            case .unknown: (.linkLost, true)
            }
        self.init(code, failure.advice, certainty: .neverLeft, isRetriable: isRetriable)
    }
}

extension PlatformFailure {
    /// What happened, and what to do.
    fileprivate var advice: String {
        switch proof {
        case .credentials where code.hasPrefix("InvalidTimeStamp"):
            "\(text); set the clock of this machine, which is too far from the platform's"
        case .credentials:
            "the AccessKey is not accepted: \(text); check the credentials of the channel"
        case .throttled: "the platform takes no more requests at present: \(text)"
        case .refused, .failed, .unreachable, .tlsRefused, .unusable, .unknown: text
        }
    }
}
