import DeviceDomain
import DeviceMessages

/// A fault that keeps a robot from working, as its state, acks and events tell it.
struct Blockage: Hashable, Sendable {
    /// The fault.
    let fault: SimulatedFault
    /// What the state reports as `error`.
    let code: String
    /// The code with which the running action fails.
    let ackCode: AckCode
    /// The event that tells of it.
    let event: EventName
    /// What is wrong, for people.
    let message: String
}

extension Blockage {
    /// Any robot's defective part.
    static let hardwareFault = Blockage(
        fault: .hardwareFault, code: "HARDWARE_FAULT", ackCode: .hardwareFault, event: .fault,
        message: "a part of the device is defective; have it repaired")
}

/// The faults that keep one robot from working, in the order in which they came.
struct Blockages: Hashable, Sendable {
    private var all: [Blockage] = []

    /// What the state reports as `error`: the first of them.
    var code: String? { all.first?.code }

    /// Why no action can begin, if none can.
    var refusal: BehaviourRefusal? {
        all.first.map { .wrongState("the robot reports \($0.code): \($0.message)") }
    }

    /// Why an action cannot begin that these faults do not keep from beginning.
    func refusal(sparing faults: SimulatedFault...) -> BehaviourRefusal? {
        var others = self
        for fault in faults { others.end(fault) }
        return others.refusal
    }

    /// The faults.
    var faults: [SimulatedFault] { all.map(\.fault) }

    /// Whether a fault is among them.
    func contains(_ fault: SimulatedFault) -> Bool { all.contains { $0.fault == fault } }

    /// Adds one, unless it is there.
    /// - Returns: whether it is new; then the running action has failed, and an event tells of it.
    mutating func begin(
        _ blockage: Blockage, noting occurrences: inout [BehaviourOccurrence]
    ) -> Bool {
        guard !contains(blockage.fault) else { return false }
        all.append(blockage)
        occurrences.append(.actionEnded(.failed(blockage.ackCode, message: blockage.message)))
        occurrences.append(.event(blockage.event, detail: ["code": .string(blockage.code)]))
        return true
    }

    /// Removes one.
    mutating func end(_ fault: SimulatedFault) {
        if contains(fault) { all.removeAll { $0.fault == fault } }
    }
}
