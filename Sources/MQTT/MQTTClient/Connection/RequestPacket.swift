/// A call of the owner that takes one or more SUBSCRIBEs or UNSUBSCRIBEs.
enum RequestCall {
    /// SUBSCRIBEs for these requests.
    case subscribe([MQTTSubscriptionRequest])
    /// UNSUBSCRIBEs for these filters.
    case unsubscribe([MQTTTopicFilter])

    /// How many reason codes the answer has: the library does not report those of an UNSUBSCRIBE.
    var codeCount: Int {
        switch self {
        case .subscribe(let requests): requests.count
        case .unsubscribe: 0
        }
    }
}

/// One SUBSCRIBE or UNSUBSCRIBE.
struct RequestPacket {
    /// The filters, in the order of the call.
    var filters: [MQTTTopicFilter]
    /// A request with the QoS, options and identifier of all filters; nil for an UNSUBSCRIBE.
    var options: MQTTSubscriptionRequest?
    /// The positions of the filters in the call that the answer has codes for.
    var positions: [Int]

    /// Completes "while …".
    var purpose: String { options == nil ? "unsubscribing" : "subscribing" }
}
