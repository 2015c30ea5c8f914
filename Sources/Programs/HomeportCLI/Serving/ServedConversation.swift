import ArgumentParser
import Glibc
import Homeport
import LocalServices
import TerminalOutput

/// One call from its request to its exit status, as the server sees it.
struct ServedConversation: Sendable {
    let home: Home
    let dashboard: HomeDashboard?
    let log: ServerLog
    /// What the server works with.
    let announcement: ServerAnnouncement
    let connection: LocalConnection

    /// Carries the call out. A caller that goes away interrupts it; a command that has left goes on.
    func run(_ request: CallRequest) async {
        let output = CallerOutput()
        let (interruptions, interrupt) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await connection.interruption()
                interrupt.yield()
            }
            group.addTask {
                output.add(await reply(to: request, output, interruptions))
                output.finish()
            }
            await output.send { try await connection.write($0) }
            group.cancelAll()
        }
    }

    /// The end of a call, which writes to `output` until then.
    private func reply(
        to request: CallRequest, _ output: CallerOutput, _ interruptions: AsyncStream<Void>
    ) async -> CallReply {
        guard let verb = (try? HomeportCommand.parseAsRoot(request.words)) as? any HomeVerb,
            announcement.serves(verb, from: request.place, at: MeetingPoint())
        else { return .declined }
        let console = Console(
            program: HomeportCommand.name, isVerbose: false, screen: request.screen
        ) { bytes, stream in
            let text = String(decoding: bytes, as: UTF8.self)
            return output.add(stream == .results ? .results(text) : .remarks(text)) ? nil : EPIPE
        }
        let call = Call(
            console: console,
            server: ServedCall(
                home: home, dashboard: dashboard, log: log, interruptions: interruptions))
        return .status(await verb.status(of: call).rawValue)
    }
}
