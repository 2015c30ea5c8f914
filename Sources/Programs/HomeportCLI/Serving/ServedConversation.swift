import ArgumentParser
import FlyingSocks
import FoundationEssentials
import Glibc
import Homeport
import TerminalOutput

/// One call from its request to its exit status, as the server sees it.
struct ServedConversation: Sendable {
    let home: Home
    let dashboard: HomeDashboard?
    let socket: AsyncSocket

    /// Carries the call out. A caller that goes away interrupts it; a command that has left goes on.
    func run() async {
        defer { try? socket.close() }
        guard (try? await socket.write(Data(CallFrame.ready.bytes))) != nil,
            let request = await request()
        else { return }
        let output = CallerOutput()
        let (interruptions, interrupt) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await readInterruptions()
                interrupt.yield()
            }
            group.addTask {
                output.add(await frame(for: request, output, interruptions))
                output.finish()
            }
            await output.send { try await socket.write(Data($0)) }
            group.cancelAll()
        }
    }

    /// The end of a call, which writes to `output` until then.
    private func frame(
        for request: CallRequest, _ output: CallerOutput, _ interruptions: AsyncStream<Void>
    ) async -> CallFrame {
        guard let verb = (try? HomeportCommand.parseAsRoot(request.words)) as? any HomeVerb,
            verb.serverUse != .never
        else { return .declined }
        let console = Console(
            program: HomeportCommand.name, isVerbose: false, screen: request.screen
        ) { bytes, stream in
            output.add(stream == .results ? .results(bytes) : .remarks(bytes)) ? nil : EPIPE
        }
        let call = Call(
            console: console,
            server: ServedCall(
                home: home, dashboard: dashboard, interruptions: interruptions))
        return .status(await verb.status(of: call).rawValue)
    }

    private func request() async -> CallRequest? {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n") {
            guard bytes.count < CallRequest.limit,
                let more = try? await socket.read(atMost: CallRequest.limit), !more.isEmpty
            else { return nil }
            bytes += more
        }
        return CallRequest(bytes.dropLast())
    }

    /// Returns when the caller is interrupted or goes away.
    private func readInterruptions() async {
        while let bytes = try? await socket.read(atMost: 64), !bytes.isEmpty {
            if bytes.contains(CallFrame.interruption) { return }
        }
    }
}
