import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

/// A schedule for a pool robot that is away, with the built programs and a real broker.
@Suite(.timeLimit(.minutes(2))) struct DesiredDocumentTests {
    private let workplace: Workplace
    private let journal: TemporaryFolder
    private let entries = #"entries=[{"weekday":1,"at":"09:30","program":"floor"}]"#

    init() throws {
        workplace = try Workplace()
        journal = try TemporaryFolder()
    }

    @Test(arguments: ["5", "3.1.1"])
    func theDeviceHasItWhenItReturns(version: String) async throws {
        try await withBroker { broker in
            try await introduce(broker, version)
            let sent = try await workplace.homeport(
                "send", "pool-1", "set-schedule", entries, "--wait-timeout", "1s", "--broker",
                broker.url, "--mqtt-version", version)
            #expect(sent.status == 3)
            #expect(sent.errors.contains("the broker keeps the setting for pool-1"))
            #expect(try await states("queue") == ["sent"])
            try await runFleet(broker, version) {
                let resolved = try await workplace.homeport(
                    "resolve", "--broker", broker.url, "--mqtt-version", version)
                #expect(resolved.status == 0)
                let shown = try await show(broker)
                #expect(shown["desiredRevision"] == 1)
                let expected = try schedule(entries)
                #expect(shown["settings"]?.object?["schedule"] == expected)
            }
            #expect(try await states("history") == ["succeeded"])
            #expect(try await states("queue") == [])
        }
    }

    @Test func whoWaitsForTheDeviceHearsOfIt() async throws {
        try await withBroker { broker in
            try await introduce(broker)
            let status = try await workplace.running(
                "send", "pool-1", "set-schedule", entries, "--broker", broker.url
            ) { controller in
                try await documentIsKept(by: broker)
                try await runFleet(broker) { try await controller.readToEnd() }
            }
            #expect(status == 0)
            #expect(try await states("history") == ["succeeded"])
        }
    }

    @Test func aKilledControllerLeavesTheTruthToTheNextOne() async throws {
        try await withBroker { broker in
            try await introduce(broker)
            let status = try await workplace.running(
                "send", "pool-1", "set-schedule", entries, "--broker", broker.url
            ) { controller in
                try await documentIsKept(by: broker)
                controller.kill()
            }
            #expect(status == -9)
            try await runFleet(broker) {
                let listed = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(listed.status == 0)
                #expect(try await states("history") == ["succeeded"])
                #expect(try await show(broker)["desiredRevision"] == 1, "it was written once")
            }
        }
    }

    @Test(arguments: [["5", "5"], ["5", "3.1.1"]])
    func twoControllersWithLedgersOfTheirOwnAgreeWithTheDevice(versions: [String]) async throws {
        let places = [workplace, try Workplace()]
        try await withBroker { broker in
            try await runFleet(broker) {
                for place in places {
                    let listed = try await place.homeport("devices", "--broker", broker.url)
                    #expect(listed.status == 0)
                }
            }
            try await withThrowingTaskGroup { group in
                for (number, place) in places.enumerated() {
                    let order = [
                        "send", "pool-1", "set-schedule", entries(number), "--wait-timeout", "1s",
                        "--broker", broker.url, "--mqtt-version", versions[number],
                        "--controller", "ctl-\(number)",
                    ]
                    group.addTask { _ = try await place.homeport(order) }
                }
                try await group.waitForAll()
            }
            try await runFleet(broker) {
                for (number, place) in places.enumerated() {
                    let resolved = try await place.homeport(
                        "resolve", "--broker", broker.url, "--mqtt-version", versions[number],
                        "--controller", "ctl-\(number)")
                    #expect(resolved.status == 0)
                }
                let state = try await show(broker)
                let document = try await document(keptBy: broker)
                #expect(state["desiredRevision"]?.integer == document.revision)
                #expect(state["settings"]?.object == document.settings)
                for (number, place) in places.enumerated() {
                    let own = try schedule(entries(number))
                    let holds = state["settings"]?.object?["schedule"] == own
                    let ends = try await states("history", in: place, of: "ctl-\(number)")
                    #expect(
                        ends == ["succeeded"] || (ends == ["superseded"] && !holds),
                        "\(ends), holds: \(holds)")
                }
            }
        }
    }

    @Test func oneThatWasAppliedHasSucceededAlsoWhereALaterCommandReplacedIt() async throws {
        try await withBroker { broker in
            try await introduce(broker)
            let kept = try await workplace.homeport(
                "send", "pool-1", "set-schedule", entries, "--wait-timeout", "1s", "--broker",
                broker.url)
            #expect(kept.status == 3)
            try await runFleet(broker) {
                let later = try await workplace.homeport(
                    "send", "pool-1", "set-schedule", "entries=[]", "--broker", broker.url)
                #expect(later.status == 0)
                let undone = try await workplace.homeport("undo", "pool-1", "--broker", broker.url)
                #expect(undone.status == 0, "\(undone)")
                let shown = try await show(broker)
                let expected = try schedule(entries)
                #expect(shown["settings"]?.object?["schedule"] == expected)
            }
            #expect(try await states("history") == ["succeeded", "succeeded", "succeeded"])
        }
    }

    @Test func aDamagedDocumentIsLeftAsItIs() async throws {
        try await withBroker { broker in
            try await introduce(broker)
            try await MQTTPeer.with(broker.url, id: "other") { peer in
                let topic = "homeport/v1/home-1/pool-1/desired"
                try await peer.publish(topic, "{", retain: true)
                let sent = try await workplace.homeport(
                    "send", "pool-1", "set-schedule", entries, "--broker", broker.url)
                #expect(sent.status == 1)
                #expect(
                    sent.output.contains("publish a correct document or an empty retained message"))
                try await peer.subscribe(topic)
                var messages = peer.messages.makeAsyncIterator()
                #expect(await messages.next()?.payload == Array("{".utf8))
            }
        }
    }

    /// Makes the robot known to the ledger and the broker; then it is away.
    private func introduce(_ broker: MosquittoBroker, _ version: String = "5") async throws {
        try await runFleet(broker, version) {
            let listed = try await workplace.homeport("devices", "--broker", broker.url)
            #expect(listed.status == 0)
        }
    }

    private func runFleet(
        _ broker: MosquittoBroker, _ version: String = "5", _ body: () async throws -> Void
    ) async throws {
        try await SimulatorProcess.run([
            "--broker", broker.url, "--pools", "1", "--journal", journal.path, "--mqtt-version",
            version,
        ]) { simulator in
            try await simulator.line(beginning: "ready")
            try await body()
        }
    }

    private func documentIsKept(by broker: MosquittoBroker) async throws {
        #expect(try await document(keptBy: broker).revision == 1)
    }

    /// The document; it is waited for.
    private func document(keptBy broker: MosquittoBroker) async throws -> DesiredMessage {
        try await MQTTPeer.with(broker.url, id: "watcher") { peer in
            try await peer.subscribe("homeport/v1/home-1/pool-1/desired")
            var messages = peer.messages.makeAsyncIterator()
            return try DesiredMessage(payload: try #require(await messages.next()).payload)
        }
    }

    /// The argument of a schedule of which every writer has its own.
    private func entries(_ number: Int) -> String {
        #"entries=[{"weekday":\#(number + 1),"at":"09:30","program":"floor"}]"#
    }

    private func schedule(_ argument: String) throws -> JSONValue {
        try JSONReader.read(Array(argument.dropFirst("entries=".count).utf8))
    }

    /// The states of the commands that a verb lists, newest first.
    private func states(
        _ verb: String, in place: Workplace? = nil, of controller: String = "homeport"
    ) async throws -> [String?] {
        let listed = try await (place ?? workplace).homeport(
            verb, "--json", "--controller", controller)
        return try listed.lines.map {
            try JSONReader.read(Array($0.utf8)).object?["state"]?.string
        }
    }

    /// The state of the robot.
    private func show(_ broker: MosquittoBroker) async throws -> JSONObject {
        let shown = try await workplace.homeport("show", "pool-1", "--json", "--broker", broker.url)
        let device = try JSONReader.read(Array(try #require(shown.lines.first).utf8))
        return device.object?["state"]?.object ?? [:]
    }
}
