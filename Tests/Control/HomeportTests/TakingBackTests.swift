import HomeportTesting
import TestSupport
import Testing

@testable import Homeport

/// Undoing, doing again and cancelling, as a program sees it.
@Suite(.timeLimit(.minutes(1))) struct TakingBackTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let robot: DeviceID

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        robot = try DeviceID("sweeper-1")
    }

    @Test func aSettingIsUndoneAndDoneAgain() async throws {
        channel.onSend { send in
            let level = send.command.intent.arguments["level"]?.string ?? ""
            let before = level == "max" ? "quiet" : "max"
            return [
                .evidence(send.evidence(.accepted)),
                .evidence(
                    send.evidence(
                        .succeeded, n: 2, result: ["previous": .string(before)],
                        revision: (send.command.intent.ifRevision ?? 4) + 1)),
            ]
        }
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: robot.text)
            let first = try await home.send(.setSuctionLevel, ["level": "max"], to: robot)
            _ = try await first.finished()
            let undo = try await home.undo(robot)
            #expect(undo.record.intent.arguments == ["level": "quiet"])
            #expect(undo.record.intent.ifRevision == 5)
            #expect(undo.record.intent.cause == "undo:\(first.id)")
            #expect(try await undo.finished().record.state == .succeeded)
            let redo = try await home.redo(robot)
            #expect(redo.record.intent.arguments == ["level": "max"])
            #expect(redo.record.intent.cause == "redo:\(first.id)")
            #expect(try await redo.finished().record.state == .succeeded)
            let error = await #expect(throws: HomeError.self) { try await home.redo(robot) }
            #expect(error?.code == .cannotUndo)
            #expect(error?.message == "there is nothing to redo on sweeper-1")
        }
    }

    @Test func whatWaitsIsListedAndTakenBack() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: robot.text)
            _ = try await home.devices()
            channel.deliver(
                .presence(Presence(.offline)), from: robot, in: house.id)
            let receipt = try await home.send(.startCleaning, to: robot)
            #expect(try await home.waitingCommands().map(\.id) == [receipt.id])
            let end = try await home.cancel(receipt.id)
            #expect(end.record.state == .cancelled)
            #expect(end.reason == nil)
            #expect(try await home.waitingCommands().isEmpty)
            #expect(try await receipt.finished().record.state == .cancelled)
            let again = try await home.cancel(receipt.id)
            #expect(again.record == end.record)
            #expect(again.reason == nil)
        }
    }

    @Test func aCommandOfAnotherControllerIsNotTakenBack() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        let id = try await house.withHome(ledger: ledger) { home -> CommandID in
            try house.announce("sweeper-s1", as: robot.text)
            _ = try await home.devices()
            try await home.rememberDevices()
            channel.deliver(.presence(Presence(.offline)), from: robot, in: house.id)
            return try await home.send(.startCleaning, to: robot).id
        }
        var foreign = try configuration(withoutLinkOn: ledger)
        foreign.controller = try ControllerID("bob")
        try await withHome(foreign) { home in
            let error = await #expect(throws: HomeError.self) { try await home.cancel(id) }
            #expect(error?.code == .foreignCommand)
            #expect(
                error?.message == "the command \(id) is of the controller homeport, not of bob; "
                    + "give --controller homeport")
            let forgotten = try await home.forget(robot, evenIfOnline: true)
            #expect(forgotten.takenBack.isEmpty)
        }
        try await withHome(try configuration(withoutLinkOn: ledger)) { home in
            let waiting = try await home.waitingCommands()
            #expect(waiting.map(\.id) == [id])
            let end = try await home.cancel(id)
            #expect(end.record.state == .cancelled)
        }
    }

    /// The home while nothing can be sent.
    private func configuration(withoutLinkOn ledger: LedgerLocation) throws -> HomeConfiguration {
        let away = ScriptedChannel(id: try ChannelID("test"), connected: false)
        return try ScriptedHouse(away).configuration(ledger: ledger)
    }

    @Test func whatHasLeftIsStoppedByItsDevice() async throws {
        channel.onSend { send in
            guard send.command.intent.name == .cancelCommand,
                let target = send.command.intent.arguments["id"]?.string.flatMap(CommandID.init)
            else { return send.acknowledged(.accepted) }
            let stopped = CommandEvidence(
                id: target, device: send.command.intent.device, source: .device,
                stage: .cancelled, code: .cancelled, n: 2)
            return [.evidence(stopped)] + send.acknowledged(.accepted, .succeeded)
        }
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: robot.text)
            let receipt = try await home.send(.startCleaning, to: robot)
            _ = try await receipt.accepted()
            let end = try await home.cancel(receipt.id)
            #expect(end.record.state == .cancelled)
            #expect(end.reason == nil)
        }
    }

    /// The process that follows the command does not hear that it was stopped.
    @Test func aCommandOfAnotherProcessIsStoppedByItsDevice() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        channel.onSend { $0.acknowledged(.accepted) }
        try await house.withHome(ledger: ledger) { home in
            try house.announce("sweeper-s1", as: robot.text)
            let receipt = try await home.send(.startCleaning, to: robot)
            _ = try await receipt.accepted()
            let near = ScriptedChannel(id: channel.id)
            near.onSend { $0.acknowledged(.accepted, .succeeded) }
            let stopped = CommandEvidence(
                id: receipt.id, device: robot, source: .device, stage: .cancelled,
                code: .cancelled, n: 2)
            near.answerQuestions(about: receipt.id, .known(stopped))
            let other = try ScriptedHouse(near)
            try other.announce("sweeper-s1", as: robot.text)
            try await other.withHome(ledger: ledger) { other in
                let end = try await other.cancel(receipt.id)
                #expect(end.record.state == .cancelled, "\(end)")
                #expect(end.reason == nil)
            }
        }
    }

    @Test func aDeviceThatStopsNothingIsNamed() async throws {
        channel.onSend { $0.acknowledged(.accepted) }
        let lamp = DeviceProfile(
            id: try DeviceID("lamp-1"), home: house.id, kind: "lamp",
            model: DeviceModel(rawValue: "m"),
            name: "Lamp", firmware: "1", capabilities: [],
            commands: [CommandSpecification(name: "set-level", arguments: .nothing, sort: .action)])
        try await house.withHome { home in
            channel.announce(lamp)
            let receipt = try await home.send("set-level", to: lamp.id)
            _ = try await receipt.accepted()
            let end = try await home.cancel(receipt.id)
            #expect(end.record.state == .accepted)
            #expect(!end.isUndecided)
            #expect(
                end.reason
                    == "\(receipt.id) cannot be stopped: lamp-1: the device has no command "
                    + "\"cancel-command\"; its commands are set-level")
        }
    }

    @Test func whatCannotBeStoppedSaysWhy() async throws {
        channel.onSend { send in
            guard send.command.intent.name == .cancelCommand else {
                return send.acknowledged(.accepted)
            }
            return [
                .evidence(
                    send.evidence(.failed, code: .wrongState, message: "it cannot be stopped"))
            ]
        }
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: robot.text)
            let receipt = try await home.send(.startCleaning, to: robot)
            _ = try await receipt.accepted()
            let end = try await home.cancel(receipt.id)
            #expect(end.record.state == .accepted)
            #expect(end.reason?.contains("it cannot be stopped") == true)
            var generator = SeededGenerator(seed: 1)
            let unknown = CommandID(at: end.record.intent.issuedAt, using: &generator)
            let error = await #expect(throws: HomeError.self) { try await home.cancel(unknown) }
            #expect(error?.code == .unknownCommand)
        }
    }

    @Test func whereTheDeviceDidNotAnswerNobodySaysThatItWentOn() async throws {
        channel.onSend { $0.acknowledged(.accepted) }
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: robot.text)
            let record = try await home.send(.startCleaning, to: robot).accepted().record
            for (state, isUndecided) in [(CommandState.unknown, true), (.rejected, false)] {
                let answer = CommandRecord(
                    prepared: record.prepared,
                    progress: CommandProgress(state: state, timings: record.progress.timings))
                let end = Cancellation(of: record, answer: answer)
                #expect(end.isUndecided == isUndecided)
                #expect(end.reason?.contains("did not stop") == !isUndecided)
            }
        }
    }
}
