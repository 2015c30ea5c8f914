package import DeviceDomain
package import DeviceMessages

/// What one kind of device does in its world: everything that the rules of PROTOCOL section 3 do
/// not decide. A new kind is a type that conforms to this and one line of ``BehaviourCatalog``.
///
/// A behaviour is a value without clock, I/O or hidden randomness. The rules call it with
/// commands that they have let through, one action at a time, and step its world in between.
package protocol DeviceBehaviour: Sendable {
    /// The commands that the device declares.
    var commands: [CommandSpecification] { get }
    /// The floor plan that the device describes; `nil` for none.
    var describedPlan: RoomPlan? { get }
    /// The controlled members of the state: a change of one raises the revision.
    var controlled: JSONObject { get }
    /// The measured members of the state, rounded as they are reported.
    var measured: JSONObject { get }
    /// What the device shares with others of its home; `nil` where it shares nothing.
    var household: Household? { get }
    /// Whether it shares a ``household``.
    var sharesItsHome: Bool { get }
    /// Whether all devices of this kind in a home sample at the same instants.
    var samplesWithItsHome: Bool { get }
    /// What its state says that it does, as one word: its activity, or the mode of a device that has none.
    var activityName: String { get }
    /// Whether its home has power: then docks charge, and what needs the mains works.
    var hasMains: Bool { get set }
    /// What it draws from the mains, in W; what its home meters itself counts as 0.
    var mainsW: Double { get }
    /// Whether it has switched itself off: it has no connection, and takes no commands, until that ends.
    var isPoweredOff: Bool { get }
    /// The faults that came about in its world, or were injected, and keep it from working.
    var ownFaults: [SimulatedFault] { get }
    /// What the invariants compare from one instant to the next.
    var look: DeviceLook { get }
    /// What its body is in and cannot be in; `nil` where there is room for it.
    var obstruction: String? { get }
    /// Where its dock is on a floor that it shares with other robots; `nil` for one that shares none.
    var dockPlace: PlanPoint? { get }
    /// Where its body comes within the next second if it may drive; `nil` where it stands.
    var course: BodyCourse? { get }
    /// How soon something may happen in the world that is to be told at once; `nil` while it is enough to
    /// look with every sample.
    var stepInterval: Duration? { get }
    /// How far the running action is, 0…100; `nil` where that cannot be told.
    var actionPercent: Double? { get }
    /// The parts of the simulated world that survive a restart besides the controlled members, as they are recorded: one
    /// JSON object, its members in the order of their names; empty where there are none.
    var memory: [UInt8] { get }

    /// What of its world contradicts what its state says; `nil` where nothing does.
    func contradiction(after step: DeviceStep) -> String?

    /// There are other robots on its floor, here: it drives only while it is ordered to. Where one of them is in its
    /// place after a start, it is beside that.
    mutating func join(_ others: [PlanPoint])
    /// Drives or waits in the second that begins.
    mutating func direct(_ order: TrafficOrder)

    /// Exchanges the home that it keeps for another one: for the whole home before it works on it, and back. Nothing
    /// is copied.
    mutating func exchange(_ home: inout Household)
    /// Takes its own part of the home.
    mutating func takePart(of home: Household)
    /// From now on its world comes in its way by itself: cables, worn parts, heat.
    mutating func beginToWear(_ identity: DeviceIdentity, _ seed: DeviceSeeds)

    /// Restores what survived a restart; members that are missing or invalid are ignored.
    mutating func restore(controlled: JSONObject, memory: JSONObject)

    /// How an action comes to run.
    func admission(of action: CommandName) -> ActionAdmission
    /// Checks what the argument schema of the command cannot say.
    func checkArguments(_ request: BehaviourRequest) throws(ArgumentViolation)
    /// Why the device cannot take the command in its present state, if it cannot.
    /// - Parameter running: the action that runs, if one does.
    func stateRefusal(of request: BehaviourRequest, running: CommandName?) -> BehaviourRefusal?
    /// Why it would be dangerous to take the command, if it would.
    func safetyRefusal(of request: BehaviourRequest) -> BehaviourRefusal?

    /// Applies a setting, or leaves everything as it is and throws what its arguments lack.
    /// - Returns: the value that was replaced, in the form of the setting's argument.
    mutating func apply(
        setting request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) throws(ArgumentViolation) -> JSONValue
    /// Does what an instant command asks for; `stop` is ``interrupt(noting:)``.
    mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence])
    /// Begins an action; its end is noted as an occurrence, at once or in a later step.
    mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence])
    /// Ends whatever the device is doing, without noting the end of an action.
    mutating func interrupt(noting occurrences: inout [BehaviourOccurrence])

    /// A fault happens to the device, or one that it has changes its severity; faults of the
    /// connection and of acks need nothing here.
    mutating func begin(fault: Fault, noting occurrences: inout [BehaviourOccurrence])
    /// A fault ends.
    mutating func end(fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence])

    /// Reconciles the settings of the desired document.
    /// - Returns: whether devices of this kind take such a document at all.
    mutating func reconcile(desired settings: JSONObject, revision: Int)
        throws(ArgumentViolation) -> Bool

    /// Whether a controlled member may have changed since the last call; always after a start. It is asked in every
    /// second, where writing the members out would cost more than the physics: ``ComparedValue`` has what it takes.
    mutating func takeControlledChange() -> Bool

    /// Writes the values of the sample of one instant, rounded as they are reported: one object, its members in the
    /// order of their names. The world was stepped to the instant, or beyond it if another device of the home was
    /// woken before.
    mutating func writeTelemetry(at instant: Timestamp, to json: inout JSONWriter)

    /// Advances the simulated world.
    mutating func step(_ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence])
}

extension DeviceBehaviour {
    package var household: Household? { nil }

    package var sharesItsHome: Bool { false }

    package mutating func exchange(_ home: inout Household) {}

    package mutating func takePart(of home: Household) {}

    package var describedPlan: RoomPlan? { nil }

    package var hasMains: Bool {
        get { true }
        set {}
    }

    package var mainsW: Double { 0 }

    package var isPoweredOff: Bool { false }

    package var ownFaults: [SimulatedFault] { [] }

    package var samplesWithItsHome: Bool { false }

    package mutating func takeControlledChange() -> Bool { true }

    package var look: DeviceLook { DeviceLook() }

    package var obstruction: String? { nil }

    package mutating func beginToWear(_ identity: DeviceIdentity, _ seed: DeviceSeeds) {}

    package var dockPlace: PlanPoint? { nil }

    package var course: BodyCourse? { nil }

    package mutating func join(_ others: [PlanPoint]) {}

    package mutating func direct(_ order: TrafficOrder) {}

    package func contradiction(after step: DeviceStep) -> String? { nil }

    package func checkArguments(_ request: BehaviourRequest) throws(ArgumentViolation) {}

    package func safetyRefusal(of request: BehaviourRequest) -> BehaviourRefusal? { nil }

    package mutating func begin(
        fault: Fault, noting occurrences: inout [BehaviourOccurrence]
    ) {}

    package mutating func end(
        fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {}

    package mutating func reconcile(desired settings: JSONObject, revision: Int)
        throws(ArgumentViolation) -> Bool
    { false }
}

/// A command as a behaviour sees it.
package struct BehaviourRequest: Hashable, Sendable {
    /// The command's name.
    package let name: CommandName
    /// Its arguments; they fit the declared schema.
    package let arguments: JSONObject

    package init(_ name: CommandName, _ arguments: JSONObject = [:]) {
        self.name = name
        self.arguments = arguments
    }
}

/// How an action comes to run (PROTOCOL section 3, the normal lane).
package enum ActionAdmission: Hashable, Sendable {
    /// It waits in the lane for the actions before it.
    case queued
    /// It starts at once and ends the running action as superseded.
    case atOnce
}
