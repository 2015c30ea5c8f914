package import Connectivity
internal import DeviceMessages
package import MQTTClient

extension DeliveryReceipt {
    /// Translates the reason code of the broker's PUBACK (PROTOCOL section 4).
    package init(_ reason: MQTTReasonCode) {
        if reason == .noMatchingSubscribers {
            self = .noReceiver
        } else if reason.isError {
            self = .refused(Self.code(for: reason), "the broker refused the message: \(reason)")
        } else {
            self = .confirmed
        }
    }

    private static func code(for reason: MQTTReasonCode) -> AckCode {
        switch reason {
        case .notAuthorized: .forbidden
        case .quotaExceeded, .messageRateTooHigh: .throttled
        case .packetTooLarge, .payloadFormatInvalid, .topicNameInvalid: .badRequest
        default: .internal
        }
    }
}
