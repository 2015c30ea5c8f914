import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport

/// A zigbee2mqtt 2.12 as far as a client sees it: retained topics of the bridge, optimistic
/// publishing after `/set`, the device's own report after `/get`, errors in `bridge/logging`.
actor ScriptedBridge {
    /// How a device reacts to `/set`.
    enum Behaviour: Sendable {
        /// It applies the value.
        case obeys
        /// Its radio takes the command, and it does nothing.
        case ignores
        /// It cannot be reached: the bridge logs this.
        case fails(String)
        /// It applies the value, and never answers `/get`.
        case mute
    }

    private struct Unit {
        var sample: SampleDevice
        var behaviour: Behaviour
        /// The state that the device has.
        var real: JSONObject = [:]
        /// The state as the bridge believes it to be.
        var cached: JSONObject = [:]
    }

    private let peer: MQTTPeer
    private let base: String
    private var units: [Unit]
    private var joinFailure: String?
    /// The messages on `/set`, `/get` and `bridge/request/…`: the topic below the base and the payload.
    private(set) var requests: [(topic: String, payload: String)] = []

    private init(_ peer: MQTTPeer, _ base: String, _ units: [Unit]) {
        self.peer = peer
        self.base = base
        self.units = units
    }

    /// Runs `body` with a bridge of these devices on a broker.
    static func with<Value>(
        _ url: String, base: String = "zigbee2mqtt",
        _ devices: [(SampleDevice, Behaviour)] = [(.lamp, .obeys)],
        _ body: (ScriptedBridge) async throws -> Value
    ) async throws -> Value {
        let id = base.replacing("/", with: "-")
        return try await MQTTPeer.with(url, id: id) { peer in
            let units = devices.map { Unit(sample: $0.0, behaviour: $0.1) }
            let bridge = ScriptedBridge(peer, base, units)
            try await bridge.begin()
            // Ended with the scope.
            async let _ = bridge.serve()
            return try await body(bridge)
        }
    }

    /// Publishes the retained messages of a bridge, and subscribes.
    func begin() async throws {
        try await peer.subscribe("\(base)/#")
        try await announce("online")
        try await publish(
            "bridge/info",
            #"{"version":"2.12.1","coordinator":{"type":"EmberZNet"},"permit_join":false}"#,
            retain: true)
        try await list()
    }

    /// As after the broker's return.
    func beginAgain() async throws {
        try await peer.reconnected()
        try await begin()
    }

    /// Says whether the bridge runs.
    func announce(_ status: String) async throws {
        try await publish("bridge/state", #"{"state":"\#(status)"}"#, retain: true)
    }

    /// Says whether a device is there.
    func announce(_ name: String, _ status: String) async throws {
        try await publish("\(name)/availability", #"{"state":"\#(status)"}"#, retain: true)
    }

    /// Gives a device another name, as the bridge does it.
    func rename(_ name: String, to other: String) async throws {
        guard let place = units.firstIndex(where: { $0.sample.name == name }) else { return }
        units[place].sample.name = other
        try await publish(name, "", retain: true)
        try await list()
        try await publishState(of: place)
    }

    /// Takes a device out of the network.
    func remove(_ name: String) async throws {
        units.removeAll { $0.sample.name == name }
        try await list()
    }

    /// Requests to open the network fail from now on.
    func refuseJoining(_ reason: String) { joinFailure = reason }

    /// Lets a device change by itself.
    func change(_ name: String, _ members: JSONObject) async throws {
        guard let place = units.firstIndex(where: { $0.sample.name == name }) else { return }
        units[place].real.merge(members) { _, new in new }
        units[place].cached.merge(members) { _, new in new }
        try await publishState(of: place)
    }

    /// Publishes below the base.
    func publish(_ topic: String, _ text: String, retain: Bool = false) async throws {
        try await peer.publish("\(base)/\(topic)", text, retain: retain)
    }

    // MARK: Serving

    private func serve() async {
        for await message in peer.messages {
            let topic = String(message.topic.rawValue.dropFirst(base.count + 1))
            let members = (try? JSONReader.read(message.payload))?.object ?? [:]
            do {
                try await serve(topic, members, String(decoding: message.payload, as: UTF8.self))
            } catch {
                // The broker went away in the midst of it.
                continue
            }
        }
    }

    private func serve(_ topic: String, _ members: JSONObject, _ text: String) async throws {
        let isRequest = topic.hasSuffix("/set") || topic.hasSuffix("/get")
        guard isRequest || topic.hasPrefix("bridge/request/") else { return }
        requests.append((topic, text))
        if topic == "bridge/request/permit_join" { return try await permitJoin(members) }
        let name = String(topic.dropLast(4))
        guard let place = units.firstIndex(where: { $0.sample.name == name }) else {
            return try await log("Entity '\(name)' is unknown")
        }
        if topic.hasSuffix("/set") {
            try await set(members, place)
        } else {
            try await get(members, place)
        }
    }

    private func set(_ members: JSONObject, _ place: Int) async throws {
        switch units[place].behaviour {
        case .obeys, .mute: units[place].real.merge(members) { _, new in new }
        case .ignores: break
        case .fails(let reason):
            for key in members.keys {
                try await log(
                    "Publish 'set' '\(key)' to '\(units[place].sample.name)' failed: '\(reason)'")
            }
            return
        }
        units[place].cached.merge(members) { _, new in new }
        try await publishState(of: place)
    }

    private func get(_ members: JSONObject, _ place: Int) async throws {
        if case .mute = units[place].behaviour { return }
        for key in members.keys { units[place].cached[key] = units[place].real[key] }
        try await publishState(of: place)
    }

    private func permitJoin(_ members: JSONObject) async throws {
        var response: JSONObject = ["transaction": members["transaction"] ?? nil]
        if let joinFailure {
            response.merge(["status": "error", "error": .string(joinFailure), "data": [:]]) { $1 }
        } else {
            response.merge(["status": "ok", "data": ["time": members["time"] ?? 0]]) { $1 }
        }
        try await publish(
            "bridge/response/permit_join",
            String(decoding: JSONWriter.write(.object(response)), as: UTF8.self))
    }

    private func log(_ message: String) async throws {
        let line: JSONValue = ["level": "error", "message": .string("z2m: " + message)]
        try await publish("bridge/logging", String(decoding: JSONWriter.write(line), as: UTF8.self))
    }

    private func list() async throws {
        try await publish("bridge/devices", SampleDevice.list(units.map(\.sample)), retain: true)
    }

    private func publishState(of place: Int) async throws {
        let state = JSONWriter.write(.object(units[place].cached))
        try await publish(units[place].sample.name, String(decoding: state, as: UTF8.self))
    }
}
