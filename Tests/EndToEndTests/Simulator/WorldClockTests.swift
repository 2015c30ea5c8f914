import DeviceDomain
import DeviceMessages
import DeviceTopics
import TestSupport
import Testing

/// `homeport-sim pause`, `step` and `resume`.
@Suite(.timeLimit(.minutes(2))) struct WorldClockTests {
    @Test func aPausedWorldStandsStillWhileCommandsAreAcknowledged() async throws {
        try await FaultHouse.with { house in
            let paused = try await world(house, "pause")
            #expect(paused["paused"]?.boolean == true)
            #expect(paused["speed"]?.integer == 1)
            let command = try TestCommand("set-suction-level", ["level": "max"])
            try await house.listener.send(command.payload, to: "sweeper-1")
            let state = try await house.listener.hear { message -> StateMessage? in
                guard case .state(let state) = message.content, state.by == command.id else {
                    return nil
                }
                return state
            }
            let ack = try await house.listener.hearAck(of: command.id, where: \.isFinal)
            #expect(ack.stage == .succeeded)
            // It took effect at the last instant that had passed.
            let now = try #require(paused["world"]?.integer)
            #expect((now - 1000...now).contains(state.at.milliseconds))
            let status = try await world(house, "status")
            #expect(status["world"]?.integer == now)
        }
    }

    @Test func aStepGoesSoFarAndOneToTheNextInstantToAWholeSecondAtMost() async throws {
        try await FaultHouse.with { house in
            let start = try #require(try await world(house, "pause")["world"]?.integer)
            let next = try #require(try await world(house, "step", "next")["world"]?.integer)
            #expect(next > start && next <= start - start % 1000 + 1000)
            let far = try await world(house, "step", "1h")
            #expect(far["world"]?.integer == next + 3_600_000)
            #expect(far["paused"]?.boolean == true)
            // Every sample of the hour was made.
            _ = try await house.listener.hear { message -> Bool? in
                guard case .telemetry(let sample) = message.content else { return nil }
                return sample.at.milliseconds > next + 3_590_000 && sample.n >= 719 ? true : nil
            }
            let on = try await world(house, "resume")
            #expect(on["paused"]?.boolean == false)
            let later = try await world(house, "status")["world"]?.integer ?? 0
            #expect(later > next + 3_600_000)
        }
    }

    @Test func aStepOfAWorldThatRunsIsRefused() async throws {
        try await FaultHouse.with { house in
            let run = try await house.sim("step", "5s")
            #expect(run.status == 64 && run.errors.contains("'homeport-sim pause' first"))
            let wrong = try await house.sim("step", "soon")
            #expect(wrong.status == 64 && wrong.errors.contains("500ms, 30s, 10m or 24h"))
        }
    }

    @Test func statusShowsTheClockInWords() async throws {
        try await FaultHouse.with { house in
            _ = try await world(house, "pause")
            let run = try await house.sim("status")
            let line = try #require(run.lines.first)
            #expect(line.hasPrefix("world 20") && line.hasSuffix(" paused, speed 1"), "\(line)")
            #expect(run.lines.count == 4)
        }
    }

    /// The world clock that a call prints.
    private func world(_ house: FaultHouse, _ words: String...) async throws -> JSONObject {
        let run = try await FaultHouse.sim(words + ["--json"], in: house.workplace)
        #expect(run.status == 0, "\(words): \(run.errors)")
        let line = try #require(run.lines.first)
        return try #require(try JSONReader.read(Array(line.utf8)).object)
    }
}
