internal import Basics
internal import MQTTClient

/// A message that a task has published to the link itself and waits for.
struct Fence: Sendable {
    let message: MQTTMessage
    let slot: AnswerSlot<Bool>
    /// The SUBSCRIBE under way when the message was first published. When the message comes back, the
    /// broker has processed that SUBSCRIBE, and has dropped its answer if none has come.
    let behind: SubscribeQueue.Call?
}

/// The tasks that wait for a link, each with the slot that ends its wait.
struct LinkWaits: Sendable {
    typealias Slot = AnswerSlot<Result<Void, MQTTError>>

    /// For the link to be opened.
    private(set) var openers: [Slot] = []
    /// Runs while an `open()` may still be tried again.
    private(set) var openTimer: MQTTTimer?
    /// For a subscription to be granted.
    private var grants: [MQTTLinkSubscription: [Slot]] = [:]
    /// For every SUBSCRIBE to be answered.
    private var settlements: [Slot] = []
    /// For messages to come back.
    var fences: [UInt64: Fence] = [:]

    /// The subscriptions that a task waits for.
    var subscriptions: [MQTTLinkSubscription] { Array(grants.keys) }

    mutating func waitForOpening(_ slot: Slot) { openers.append(slot) }

    mutating func waitForGrant(of subscription: MQTTLinkSubscription, _ slot: Slot) {
        grants[subscription, default: []].append(slot)
    }

    mutating func waitForSettlement(_ slot: Slot) { settlements.append(slot) }

    /// - Parameter timer: `nil` when the time to try again is over.
    mutating func limitOpening(_ timer: MQTTTimer?) { openTimer = timer }

    mutating func endOpening(_ result: Result<Void, MQTTError>) {
        openTimer?.cancel()
        openTimer = nil
        for opener in openers { opener.resolve(result) }
        openers = []
    }

    mutating func endGrant(
        of subscription: MQTTLinkSubscription, _ result: Result<Void, MQTTError>
    ) {
        for slot in grants.removeValue(forKey: subscription) ?? [] { slot.resolve(result) }
    }

    mutating func endSettlements(_ result: Result<Void, MQTTError>) {
        for slot in settlements { slot.resolve(result) }
        settlements = []
    }

    /// Ends what waits for an answer on a connection that is lost.
    mutating func connectionLost(_ error: MQTTError) {
        for subscription in grants.keys { endGrant(of: subscription, .failure(error)) }
        endSettlements(.failure(error))
        for fence in fences.values { fence.slot.resolve(false) }
        fences = [:]
    }
}
