import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import HomeportTesting
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
            let robot = doomed.announce(.online)
            try await doomed.invoker.whileRunning {
                _ = try await doomed.invoker.submit(CommandOrder(.locate, for: robot))
                // The ledger says `sending`, and the message has not left.
                _ = await doomed.nextSend()
                kill(getpid(), SIGKILL)
            }
        }

        let next = try Workbench(ledger: path)
        let robot = next.announce(.online)
        next.channel.holdQuestions()
        try await next.invoker.whileRunning {
            let id = try #require(try await next.resume(robot).first)
            for await question in next.channel.questions {
                #expect(question == [id])
                break
            }
            next.channel.answerHeldQuestions(.success([id: .never]))
            let end = try await next.invoker.outcome(of: id)
            // The device never had it, and will not take it any more: known not to have run.
            #expect(end.record.state == .refused)
        }
        await next.channel.close()
        #expect(await next.nextSend() == nil)
    }

    @Test func whatNeverLeftIsSentByTheNextProcess() async throws {
        let path = folder.path + "/ledger.sqlite"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let doomed = try Workbench(ledger: path)
            let robot = doomed.announce(.offline)
            try await doomed.invoker.whileRunning {
                _ = try await doomed.invoker.submit(CommandOrder(.returnToDock, for: robot))
                kill(getpid(), SIGKILL)
            }
        }

        let next = try Workbench(ledger: path)
        let robot = next.announce(.online)
        try await next.invoker.whileRunning {
            let resumed = try await next.resume(robot)
            let sent = try #require(await next.nextSend())
            #expect(resumed == [sent.id])
            #expect(try CommandMessage(payload: sent.payload).name == .returnToDock)
        }
    }
}
