import Homeport
import TestSupport
import Testing

/// What `homeport send` checks before it sends, and the arguments that the device gets.
@Suite(.timeLimit(.minutes(1))) struct SendArgumentsTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(arguments: [
        (["set-level", "--set", "percent=140"], "percent must be at most 100, not 140"),
        (["set-level", "--set", "percent=bright"], "percent must be a whole number from 0 to 100"),
        (["set-level"], "percent is missing: give a whole number from 0 to 100"),
        (["set-level", "percnt=1"], "percnt is unknown; did you mean percent?"),
        (["set-level", "percent=[1,2"], "percent must be a whole number"),
        (["locat"], "did you mean locate?"),
        (["set-level", "--set", "percent=1", "--set", "speed=2"], "speed is unknown"),
        (["explode"], "explode"),
    ])
    func whatTheDescriptionForbidsIsNeitherRecordedNorSent(
        arguments: [String], reason: String
    ) async throws {
        let encounter = try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let words = (["send", "lamp-1"] + arguments).map { "'\($0)'" }
                let run = try await workplace.shell(
                    "exec \"$homeport\" \(words.joined(separator: " ")) --broker \(broker.url)")
                // What had been sent would come before this.
                try await device.peer.publish("homeport/v1/home-1/lamp-1/command", "end")
                var messages = device.peer.messages.makeAsyncIterator()
                #expect(await messages.next()?.payload == Array("end".utf8))
                return run
            }
        }
        #expect(encounter.status == 65)
        #expect(encounter.output.isEmpty)
        #expect(encounter.remarks.count == 1)
        #expect(encounter.errors.contains(reason))
        #expect(try await workplace.history().isEmpty)
    }

    @Test func anUnknownDeviceIsNotSentTo() async throws {
        let run = try await withBroker { broker in
            try await workplace.homeport("send", "mower-1", "locate", "--broker", broker.url)
        }
        #expect(run.status == 65)
        #expect(try await workplace.history().isEmpty)
    }

    @Test func bareCommandNamesAreSentUnchecked() async throws {
        let encounter = try await workplace.send(
            "blink", "--set", "times=3", "--wait", "final", commands: #"["blink"]"#
        ) { device, command, _ in try await device.carryOut(command) }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.first?.arguments == #"{"times":3}"#)
    }

    @Test func argumentsAreGivenWithAndWithoutSet() async throws {
        let encounter = try await workplace.send(
            "mix", "level=high", "--set", "times=3", "rooms=[1,2]", "note=a=b",
            "--wait", "final", commands: #"["mix"]"#
        ) { device, command, _ in try await device.carryOut(command) }
        #expect(encounter.run.status == 0)
        #expect(
            encounter.commands.first?.arguments
                == #"{"level":"high","note":"a=b","rooms":[1,2],"times":3}"#)
    }

    @Test(arguments: ["percent=1 percent=2", "percent=1 --set percent=1"])
    func anArgumentThatIsGivenTwiceIsNotSent(arguments: String) async throws {
        let run = try await workplace.shell(
            "exec \"$homeport\" send lamp-1 set-level \(arguments)")
        #expect(run.status == 64)
        #expect(run.errors.contains("percent is given twice"))
        #expect(try await workplace.history().isEmpty)
    }
}
