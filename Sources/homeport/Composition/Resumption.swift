import DeviceControl
import DeviceDomain
import DeviceMessages

/// Takes over the commands that dead processes of this controller left open: what was queued goes
/// out, what may have left is asked for.
struct Resumption: Sendable {
    let invoker: CommandInvoker
    let home: HomeID
    let console: Console

    /// How long the process stays for the answers to what it has sent and asked.
    private static let patience = Duration.seconds(2)

    /// Returns when what was sent or asked is answered, so that the process may end. It does not
    /// wait for devices that are away, nor for actions that run.
    func run() async {
        do {
            let resumed = try await invoker.resume(in: home)
            guard !resumed.isEmpty else { return }
            console.progress("took over \(resumed.count) earlier commands")
            await settle(resumed)
        } catch {
            console.note("earlier commands could not be taken over: \(error)")
        }
    }

    private func settle(_ commands: [CommandID]) async {
        await withDiscardingTaskGroup { group in
            for id in commands {
                group.addTask { await settle(id) }
            }
        }
    }

    private func settle(_ id: CommandID) async {
        do throws(ControlError) {
            _ = try await invoker.outcome(of: id, goal: .noAnswerDue, within: Self.patience)
        } catch {
            console.progress("\(error)")
        }
    }
}
