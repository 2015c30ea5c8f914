import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import TestSupport
import Testing

/// A controller that is killed between the ledger and the wire, and the next one of its ledger.
@Suite(.timeLimit(.minutes(1))) struct ControllerCrashTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func whatMayHaveLeftIsAskedForAndNeverSentAgain() async throws {
        let path = folder.path + "/ledger.sqlite"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let doomed = try Workbench(ledger: path)
            doomed.channel.answer(.hold)
            doomed.presence(.online)
            try await doomed.invoker.whileRunning {
                let robot = try doomed.robot(.online)
                try await doomed.invoker.submit(robot.locate(), to: robot)
                // The ledger says `sending`, and the message has not left.
                _ = await doomed.nextSend()
                kill(getpid(), SIGKILL)
            }
        }

        let next = try Workbench(ledger: path)
        next.presence(.online)
        try await next.invoker.whileRunning {
            let resumed = try await next.invoker.resume(in: next.home)
            let id = try #require(resumed.first)
            let question = try #require(await next.nextSend())
            #expect(question.id != id)
            let message = try CommandMessage(payload: question.payload)
            #expect(message.name == .queryCommands)
            #expect(message.arguments == ["ids": [.string(id.text)]])
            next.answerNever(question, about: id)
            let end = try await next.invoker.outcome(of: id)
            // The device never had it, and will not take it any more: known not to have run.
            #expect(end.record.state == .refused)
        }
    }

    @Test func whatNeverLeftIsSentByTheNextProcess() async throws {
        let path = folder.path + "/ledger.sqlite"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let doomed = try Workbench(ledger: path)
            doomed.presence(.offline)
            try await doomed.invoker.whileRunning {
                let robot = try doomed.robot(.offline)
                try await doomed.invoker.submit(robot.returnToDock(), to: robot)
                kill(getpid(), SIGKILL)
            }
        }

        let next = try Workbench(ledger: path)
        next.presence(.online)
        try await next.invoker.whileRunning {
            let resumed = try await next.invoker.resume(in: next.home)
            let sent = try #require(await next.nextSend())
            #expect(resumed == [sent.id])
            #expect(try CommandMessage(payload: sent.payload).name == .returnToDock)
        }
    }
}
