import Basics
import Homeport
import Notifications
import TerminalOutput

/// What `homeport serve --homes` does until it is cancelled.
struct InstanceServer: Sendable {
    let session: Session
    let console: Console
    /// Which homes it drives.
    let plan: InstancePlan
    /// How the user is told what rules have to say.
    let notifications: ConfiguredNotifications

    /// Drives homes until the user interrupts.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/noConnection`` where the broker refuses the credentials.
    func run(_ interrupts: Interrupts) async throws(CommandLineError) -> VerbStatus {
        let notifiers = HomeNotifiers(notifications) { [console] in console.note($0) }
        let (refusals, refuse) = AsyncStream<HomeError>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let hooks = InstanceHooks { [console] notice in
            switch notice {
            case .ready:
                console.note("\(notice)")
                console.announce("ready")
            case .unconnected(let count, of: let homes, let error?)
            where count == homes && error.communication?.code == .credentialsRefused:
                refuse.yield(error)
            case .schedule(_, .failure(let error)) where error.isLostDatabase: break
            case .rule(_, .failed(let error)) where error.isLostDatabase: break
            case .share, .unconnected, .schedule, .rule, .history, .failed, .recovered:
                console.note("\(notice)")
            }
        } notify: { [console] notification in
            console.note(
                "\(notification.home): notification: \(notification.name): \(notification.text)")
            await notifiers.notify(notification)
        }
        let refusal = try await session.withInstance(plan, hooks) { () -> HomeError? in
            await interrupts.cancelling {
                await withTaskGroup(of: HomeError?.self) { group in
                    group.addTask { await notifiers.run() }
                    group.addTask { await refusals.first { _ in true } }
                    defer { group.cancelAll() }
                    for await refusal in group where refusal != nil { return refusal }
                    return nil
                }
            } ?? nil
        }
        if let refusal { throw session.failure(for: refusal) }
        return .done
    }
}

/// Tells the user what the rules of several homes have to say. Each home has a limit of its own.
private final class HomeNotifiers: Sendable {
    private let configured: ConfiguredNotifications
    private let report: @Sendable (String) -> Void
    private let notifiers = Guarded<[HomeID: Notifier]>([:])
    private let added: BoundedStream<Notifier>
    private let source: StreamSource<Notifier>

    init(_ configured: ConfiguredNotifications, _ report: @escaping @Sendable (String) -> Void) {
        self.configured = configured
        self.report = report
        // Of one that finds no room only the count of what was dropped is not told.
        (added, source) = BoundedStream.make(.dropNewest(limit: 1_000))
    }

    func notify(_ notification: RuleNotification) async {
        let home = notification.home
        let notifier = notifiers.withLock { notifiers in
            if let known = notifiers[home] { return known }
            let new = Notifier(configured, for: home, clock: MachineClock()) { [report] in
                report("\(home): notifications: \($0)")
            }
            notifiers[home] = new
            source.send(new)
            return new
        }
        await notifier.notify(notification)
    }

    /// Tells what was dropped, until the task is cancelled.
    func run() async -> HomeError? {
        await withDiscardingTaskGroup { group in
            for await notifier in added { group.addTask { await notifier.run() } }
        }
        return nil
    }
}

extension InstanceNotice: CustomStringConvertible {
    /// What is said of it on stderr.
    public var description: String {
        switch self {
        case .ready(let homes): return "driving \(Self.text(homes))"
        case .share(let taken, let givenUp, let lost, let homes):
            let parts = [
                taken > 0 ? "took \(Self.text(taken))" : nil,
                givenUp > 0 ? "gave up \(Self.text(givenUp))" : nil,
                lost > 0
                    ? "lost \(Self.text(lost)), because this instance was not heard for the time of its lease"
                    : nil,
            ]
            return parts.compactMap(\.self).joined(separator: ", ")
                + "; driving \(Self.text(homes))"
        case .unconnected(0, of: _, _): return "every home is connected again"
        case .unconnected(let count, of: let homes, let error):
            let reason = error.map { ": \($0.message)" } ?? ""
            return "\(count) of \(Self.text(homes)) have no connection\(reason); trying again"
        case .schedule(let home, .success(let notice)): return "\(home): \(notice.sentence)"
        case .schedule(let home, .failure(let error)):
            return "\(home): the schedules were not read: \(error)"
        case .rule(let home, let notice): return "\(home): \(notice)"
        case .history(let notice): return "\(notice)"
        case .failed(let error): return "\(error.message): nothing is sent until it is back"
        case .recovered: return "the database of the ledger is back: commands are sent again"
        }
    }

    private static func text(_ homes: Int) -> String { homes == 1 ? "1 home" : "\(homes) homes" }
}
