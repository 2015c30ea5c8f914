import Homeport

/// The code of the page Commands and what is true.
enum CommandsSamples {
    static func send(_ home: Home, to store: EnergyStore) async throws -> [CommandReceipt] {
        // sample: send
        let typed = try await home.send(.setReserve(percent: 30), to: store)
        let named = try await home.send(
            "set-reserve", ["percent": 30], to: store.id)
        // end sample
        return [typed, named]
    }

    static func noRooms(_ home: Home, _ robot: SweepingRobot) async throws {
        // sample: no rooms
        _ = try await home.send(.startCleaning(rooms: []), to: robot)
        // end sample
    }

    static func follow(_ home: Home, _ store: EnergyStore) async throws -> [WaitResult] {
        // sample: follow
        let receipt = try await home.send(.setReserve(percent: 40), to: store)
        try await receipt.delivered(within: .seconds(5))
        try await receipt.accepted(within: .seconds(5))
        let finished = try await receipt.finished(within: .seconds(10))
        let observed = try await receipt.observed()
        // end sample
        return [finished, observed]
    }

    static func end(_ receipt: CommandReceipt) async throws -> String {
        // sample: end
        let result = try await receipt.finished(within: .seconds(10))
        switch result.record.state {
        case .succeeded: return "done"
        case .unknown: return "nobody knows yet"
        case .created, .queued, .sending, .sent, .accepted, .running: return "still under way"
        case .failed, .rejected, .cancelled, .superseded, .refused, .expired:
            return "not done: \(result.record.progress.message)"
        }
        // end sample
    }

    static func takeBack(_ home: Home, _ store: EnergyStore) async throws -> [CommandRecord] {
        // sample: undo
        let receipt = try await home.send(.setReserve(percent: 40), to: store)
        _ = try await receipt.finished()
        let undo = try await home.undo(store.id)
        print(try await undo.finished().record)
        let redo = try await home.redo(store.id)
        print(try await redo.finished().record)
        // end sample
        return [undo.record, redo.record]
    }

    static func schedule(_ home: Home, _ robot: SweepingRobot) async throws {
        // sample: schedule
        guard let morning = TimeOfDay("08:30") else { return }
        let workdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
        let schedule = try await home.addSchedule(
            .startCleaning(rooms: [1, 2]), to: robot, at: .weekly(morning, on: workdays))
        print("schedule \(schedule.id): \(schedule.rule)")
        try await home.runSchedules { notice in print(notice) }
        // end sample
    }

    static func cancel(_ home: Home) async throws {
        // sample: cancel
        for record in try await home.waitingCommands() {
            let end = try await home.cancel(record.id)
            print(end.record, end.reason ?? "")
        }
        // end sample
    }

    static func many(_ home: Home) async throws -> CommandGroup {
        // sample: many
        let robots = DeviceFilter(kind: .sweepingRobot)
        let group = try await home.send(.returnToDock, to: robots)
        for result in try await group.outcomes(.accepted) {
            print(result.record.intent.device, result)
        }
        let again = try await home.retry(group.id)
        // end sample
        return again
    }

    static func explain(_ home: Home, _ id: CommandID) async throws {
        // sample: explain
        let explanation = try await home.explain(id)
        for step in explanation.steps { print(step.at, step.text) }
        print(explanation.meaning, explanation.next)
        // end sample
    }

    static func afterwards(_ home: Home, _ store: EnergyStore) async throws {
        // sample: afterwards
        for record in try await home.history(device: store.id, limit: 10) {
            print(record)
            for event in try await home.events(of: record.id) { print(event) }
        }
        // end sample
    }
}
