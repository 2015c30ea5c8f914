package import DeviceDomain
package import DeviceMessages

/// Something that happened in a device's world.
package enum BehaviourOccurrence: Hashable, Sendable {
    /// A fact to be published as an event.
    case event(EventName, detail: JSONObject)
    /// The action that ran has ended.
    case actionEnded(ActionOutcome)
}

/// How an action ended by itself.
package enum ActionOutcome: Hashable, Sendable {
    /// It did what was asked.
    case succeeded(result: JSONObject)
    /// It could not go on.
    case failed(AckCode, message: String)
}

/// Why a behaviour does not take a command.
package struct BehaviourRefusal: Hashable, Sendable {
    /// The code of the ack.
    package let code: AckCode
    /// What is in the way, and what to do.
    package let message: String

    package init(_ code: AckCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The command makes no sense in the present state.
    package static func wrongState(_ message: String) -> BehaviourRefusal {
        BehaviourRefusal(.wrongState, message)
    }
}
