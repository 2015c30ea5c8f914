import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// What undoing means for a device, from the commands that were sent to it.
@Suite struct UndoHistoryTests {
    private let robot: DeviceProfile
    private var generator = SeededGenerator(seed: 1)
    private var records: [CommandRecord] = []

    init() throws {
        robot = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: DeviceID("robot-1"),
            home: HomeID("home-1")
        ).profile
    }

    @Test mutating func aSettingIsUndoneByTheValueThatItReplaced() throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        let undo = try history(revision: 5).undo()
        #expect(undo.name == .setSuctionLevel)
        #expect(undo.arguments == ["level": "quiet"])
        #expect(undo.ifRevision == 5)
        #expect(undo.cause.text == "undo:\(id)")
    }

    @Test mutating func whatWasUndoneIsDoneAgain() throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try setLevel("quiet", replacing: "max", revision: 6, cause: "undo:\(id)")
        let redo = try history(revision: 6).redo()
        #expect(redo.arguments == ["level": "max"])
        #expect(redo.ifRevision == 6)
        #expect(redo.cause.text == "redo:\(id)")
        expectRefusal("nothing to undo") { try $0.undo() }
    }

    @Test mutating func whatWasDoneAgainIsUndoneAgain() throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try setLevel("quiet", replacing: "max", revision: 6, cause: "undo:\(id)")
        let again = try setLevel("max", replacing: "quiet", revision: 7, cause: "redo:\(id)")
        #expect(try history(revision: 7).undo().cause.text == "undo:\(again)")
        expectRefusal("nothing to redo", revision: 7) { try $0.redo() }
    }

    @Test mutating func settingsAreUndoneFromTheLastToTheFirst() throws {
        let first = try setLevel("max", replacing: "quiet", revision: 5)
        let second = try setLevel("turbo", replacing: "max", revision: 6)
        try setLevel("max", replacing: "turbo", revision: 7, cause: "undo:\(second)")
        let undo = try history(revision: 7).undo()
        #expect(undo.cause.text == "undo:\(first)")
        #expect(undo.arguments == ["level": "quiet"])
        #expect(undo.ifRevision == 7, "our own undo is no foreign change")
    }

    @Test mutating func aForeignChangeIsNotOverwritten() throws {
        try setLevel("max", replacing: "quiet", revision: 5)
        expectRefusal("has changed since", revision: 6) { try $0.undo() }
    }

    @Test mutating func aForeignChangeBetweenOurCommandsIsNotOverwritten() throws {
        try setLevel("max", replacing: "quiet", revision: 5)
        let second = try setLevel("turbo", replacing: "balanced", revision: 7)
        try setLevel("balanced", replacing: "turbo", revision: 8, cause: "undo:\(second)")
        expectRefusal("has changed since", revision: 8) { try $0.undo() }
    }

    @Test mutating func withoutAKnownRevisionTheDeviceDecides() throws {
        try setLevel("max", replacing: "quiet", revision: 5)
        #expect(try history(revision: nil).undo().ifRevision == 5)
    }

    @Test mutating func anActionUnderWayIsReversed() throws {
        let id = try add(.startCleaning, .running)
        let undo = try history(revision: 9).undo()
        #expect(undo.name == .returnToDock)
        #expect(undo.arguments.isEmpty)
        #expect(undo.ifRevision == 9)
        #expect(undo.cause.text == "undo:\(id)")
    }

    /// The command that reverses an action ends it as superseded.
    @Test(arguments: [CommandState.accepted, .running, .succeeded])
    mutating func anActionThatWasReversedIsDoneAgain(_ reversal: CommandState) throws {
        let id = try add(.startCleaning, .superseded, ["rooms": [1, 2]])
        try add(.returnToDock, reversal, revision: 9, cause: "undo:\(id)")
        let redo = try history(revision: 9).redo()
        #expect(redo.name == .startCleaning)
        #expect(redo.arguments == ["rooms": [1, 2]])
        #expect(redo.ifRevision == 9)
        #expect(redo.cause.text == "redo:\(id)")
        expectRefusal("nothing to undo") { try $0.undo() }
        let again = try add(.startCleaning, .superseded, cause: "redo:\(id)")
        try add(.returnToDock, reversal, revision: 11, cause: "undo:\(again)")
        #expect(try history(revision: 11).redo().cause.text == "redo:\(again)")
    }

    @Test mutating func anActionThatOtherWorkEndedIsNotDoneAgain() throws {
        let id = try add(.startCleaning, .superseded)
        try add(.returnToDock, .rejected, cause: "undo:\(id)")
        expectRefusal("nothing to redo") { try $0.redo() }
        try add(.stop, .succeeded, revision: 9)
        expectRefusal("nothing to redo") { try $0.redo() }
    }

    @Test mutating func aFinishedActionCannotBeTakenBack() throws {
        try add(.startCleaning, .succeeded, revision: 9)
        expectRefusal("has finished") { try $0.undo() }
    }

    @Test(arguments: [
        (CommandState.unknown, "is unknown; resolve it"), (.queued, "cancel it instead"),
        (.sent, "has not ended yet"), (.accepted, "has not ended yet"),
    ])
    mutating func whatHasNotEndedIsNotUndone(_ state: CommandState, _ reason: String) throws {
        try add(.setSuctionLevel, state)
        expectRefusal(reason) { try $0.undo() }
    }

    @Test(arguments: [
        CommandState.failed, .rejected, .cancelled, .superseded, .refused, .expired,
    ])
    mutating func whatHadNoEffectIsPassedOver(_ state: CommandState) throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try add(.setSuctionLevel, state)
        #expect(try history(revision: 5).undo().cause.text == "undo:\(id)")
    }

    @Test mutating func anUndoThatFailedChangesNothing() throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try add(.setSuctionLevel, .rejected, cause: "undo:\(id)")
        #expect(try history(revision: 5).undo().cause.text == "undo:\(id)")
    }

    @Test mutating func anUndoWithoutAnOutcomeHoldsTheRedo() throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try add(.setSuctionLevel, .unknown, cause: "undo:\(id)")
        expectRefusal("is unknown") { try $0.redo() }
    }

    @Test(arguments: [CommandName.startCleaning, .returnToDock, .setSuctionLevel])
    mutating func afterANewCommandThereIsNothingToRedo(_ name: CommandName) throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try setLevel("quiet", replacing: "max", revision: 6, cause: "undo:\(id)")
        try add(name, .succeeded, revision: 7)
        expectRefusal("nothing to redo", revision: 7) { try $0.redo() }
    }

    @Test mutating func dryRunsAndWhatCannotBeUndoneDoNotCount() throws {
        let id = try setLevel("max", replacing: "quiet", revision: 5)
        try add(.locate, .succeeded)
        try add(.setSuctionLevel, .succeeded, isDryRun: true)
        #expect(try history(revision: 5).undo().cause.text == "undo:\(id)")
    }

    @Test mutating func aDeviceThatDoesNotSayWhatWasReplaced() throws {
        try add(.setSuctionLevel, .succeeded, revision: 5)
        expectRefusal("did not say what") { try $0.undo() }
    }

    @Test mutating func whyTheLastCommandCannotBeUndoneIsSaid() throws {
        let sound = try add(.locate, .succeeded)
        expectRefusal("robot-1: no command from here has had an effect") { try $0.undo() }
        expectRefusal("\(sound) changed nothing on robot-1") { try $0.undo(sound) }
        let id = try add(.returnToDock, .succeeded)
        let reason =
            "return-to-dock (\(id)) cannot be undone, because over the channel mqtt robot-1 neither"
        expectRefusal("there is nothing to undo on robot-1: \(reason)") { try $0.undo() }
        expectRefusal(reason) { try $0.undo(id) }
        let level = try setLevel("max", replacing: "quiet", revision: 5)
        try setLevel("quiet", replacing: "max", revision: 6, cause: "undo:\(level)")
        expectRefusal("set-suction-level (\(level)) has been undone already") { try $0.undo() }
    }

    @Test func withoutCommandsThereIsNothing() {
        expectRefusal("no command from here has had an effect") { try $0.undo() }
        expectRefusal("nothing to undo") { try $0.undo() }
        expectRefusal("nothing to redo") { try $0.redo() }
    }

    @Test(
        arguments: [
            (["ours"], 3, 8, true), (["others"], 3, 8, false), (["ours"], 2, 8, false),
            (["ours"], 3, 9, false),
        ] as [(JSONValue, Int, Int, Bool)])
    mutating func keptSettingsThatWereBroughtInLineWithItAreNoForeignChange(
        _ schedule: JSONValue, _ applied: Int, _ revision: Int, _ isOurs: Bool
    ) throws {
        let kept = try add(.setSchedule, .superseded, ["entries": ["kept"]], desiredRevision: 3)
        let later = try add(
            .setSchedule, .succeeded, ["entries": ["ours"]], ["previous": ["old"]], revision: 7)
        #expect(kept != later)
        let pool = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "pool-p1"), id: robot.id, home: robot.home
        ).profile
        let state: JSONObject = [
            "desiredRevision": .integer(applied), "settings": ["schedule": schedule],
        ]
        let history = UndoHistory(records, of: pool, revision: revision, state: state)
        guard isOurs else {
            #expect(throws: UndoRefusal.self) { try history.undo() }
            return
        }
        let undo = try history.undo()
        #expect(undo.cause.text == "undo:\(later)")
        #expect(undo.ifRevision == 8)
    }

    // MARK: The bench

    private func history(revision: Int?) -> UndoHistory {
        UndoHistory(records.reversed(), of: robot, revision: revision)
    }

    private func expectRefusal(
        _ reason: String, revision: Int? = 6,
        _ body: (UndoHistory) throws -> CompensatingCommand
    ) {
        let refusal = #expect(throws: UndoRefusal.self) { try body(history(revision: revision)) }
        #expect(refusal?.description.contains(reason) == true, "\(String(describing: refusal))")
    }

    @discardableResult
    private mutating func setLevel(
        _ level: String, replacing previous: String, revision: Int, cause: String? = nil
    ) throws -> CommandID {
        try add(
            .setSuctionLevel, .succeeded, ["level": .string(level)],
            ["previous": .string(previous)],
            revision: revision, cause: cause)
    }

    @discardableResult
    private mutating func add(
        _ name: CommandName, _ state: CommandState, _ arguments: JSONObject = [:],
        _ result: JSONObject = [:], revision: Int? = nil, cause: String? = nil,
        isDryRun: Bool = false, desiredRevision: Int? = nil
    ) throws -> CommandID {
        let start = Timestamp(milliseconds: 1_764_000_000_000)
        let intent = CommandIntent(
            id: CommandID(at: start, using: &generator), controller: try ControllerID("ctl"),
            home: robot.home, device: robot.id, name: name, arguments: arguments,
            sort: robot.specification(of: name)?.sort ?? .action,
            offline: name == .setSchedule ? .desired : .latest, issuedAt: start,
            expiresAt: start.advanced(by: .seconds(30)), cause: cause, isDryRun: isDryRun)
        let prepared = PreparedCommand(
            intent: intent, channel: try ChannelID("mqtt"), sequence: records.count + 1, payload: []
        )
        let progress = CommandProgress(
            state: state, result: result, revision: revision, desiredRevision: desiredRevision,
            timings: CommandTimings(
                createdAt: start, finalAt: start.advanced(by: .milliseconds(records.count + 1))))
        records.append(CommandRecord(prepared: prepared, progress: progress))
        return intent.id
    }
}
