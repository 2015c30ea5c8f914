internal import Automation
internal import DeviceControl
internal import DeviceDomain
internal import KillPoints

/// Does what a run of a rule is to do.
struct RuleCarrying: Sendable {
    /// How long a device may take to say whether it has a command.
    private static let longestQuestion = Duration.seconds(10)
    /// How long it is waited until a command that is taken over is looked at again.
    private static let adoptionPause = Duration.milliseconds(50)

    let commands: CommandSending
    let notify: @Sendable (RuleNotification) async -> Void

    /// Sends the commands of a run, and tells the user.
    /// - Parameter isResumed: whether another process may have begun to.
    /// - Returns: what came of it, for people; `nil` where the caller was cancelled meanwhile.
    func carryOut(_ run: RecordedRun, of rule: Rule, isResumed: Bool) async -> String? {
        let cause = RecordedRun.cause(rule: rule.id, run: run.id)
        var outcomes: [String] = []
        do throws(HomeError) {
            let sent = isResumed ? try await records(of: cause) : []
            for command in run.run.commands(of: rule.plan) {
                guard let receiver = command.receiver else { continue }
                let former = sent.first {
                    $0.intent.device == receiver && $0.intent.name == command.name
                }
                if let former, try await hasArrived(former) {
                    outcomes.append(Self.outcome(of: former))
                } else if let outcome = try await send(
                    command, to: receiver, amongOthers: run.run.targets.count > 1, cause)
                {
                    outcomes.append(outcome)
                }
            }
        } catch {
            return nil
        }
        if rule.plan.actions.contains(.notify) {
            await notify(
                RuleNotification(
                    home: commands.observation.home, rule: rule.id, name: rule.plan.name,
                    device: run.run.device, at: run.run.at, text: run.run.cause))
            // Not whether it has reached the user: it may be dropped, or every way to them may fail.
            outcomes.append("notification issued")
        }
        KillPoint.ruleCarriedOut.pass()
        return outcomes.isEmpty ? "nothing to do" : outcomes.joined(separator: ", ")
    }

    /// - Returns: `nil` for one of several devices that has no such command.
    /// - Throws: where the home ends.
    private func send(
        _ command: RuleCommand, to receiver: DeviceID, amongOthers: Bool, _ cause: String
    ) async throws(HomeError) -> String? {
        let known = commands.observation.live.device(receiver)?.profile
        if amongOthers, let known, known.specification(of: command.name) == nil { return nil }
        do throws(HomeError) {
            let receipt = try await commands.send(
                command.name, .values(command.arguments), to: receiver,
                CommandOptions(cause: cause))
            return Self.outcome(of: receipt.record)
        } catch {
            guard error.code != .cancelled, error.code != .notRunning else { throw error }
            return "\(command.name.rawValue) not sent to \(receiver): \(error)"
        }
    }

    /// Whether a command of a process that has died may have reached its device: it is asked, as soon as it is heard.
    private func hasArrived(_ former: CommandRecord) async throws(HomeError) -> Bool {
        let clock = commands.observation.clock
        let end = clock.now.elapsed + Self.longestQuestion
        while true {
            try await commands.adoption.adoptOrphanedCommands()
            let rest = max(.zero, end - clock.now.elapsed)
            let found = try await commands.lifetime.withStorage {
                try await $0.invoker.outcome(of: former.id, goal: .accepted, within: rest)
            }
            guard !found.isReached, clock.now.elapsed < end else {
                return found.record.state != .refused
            }
            // Another task of this process is about to follow it.
            await clock.sleep(for: Self.adoptionPause)
        }
    }

    private static func outcome(of record: CommandRecord) -> String {
        "\(record.intent.name.rawValue) for \(record.intent.device), id \(record.id)"
    }

    private func records(of cause: String) async throws(HomeError) -> [CommandRecord] {
        try await commands.history(
            HistoryQuery(
                controller: commands.controller, home: commands.observation.home, cause: cause,
                limit: .max))
    }
}
