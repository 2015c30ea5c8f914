import TestSupport
import Testing

/// A fleet on its private broker, with boxed devices and a Wi-Fi network, and a user who has its password in
/// the keychain.
struct BoxedHouse {
    static let network = "attic"
    static let password = "its-passphrase"

    let workplace: Workplace
    /// The labels of the boxed devices.
    let labels: [Label]
    /// The broker; `nil` for the private one of the fleet.
    var broker: String?

    /// What is known of a boxed device.
    struct Label: Sendable {
        let name: String
        let address: String
        let code: String
    }

    /// Runs `body` beside a fleet with so many boxed devices.
    static func with(
        _ count: Int, _ body: (BoxedHouse) async throws -> Void
    ) async throws {
        let workplace = try Workplace()
        try await SimulatorProcess.run(options(count), meetingIn: workplace.folder) { fleet in
            let labels = try await labels(count, from: fleet)
            try await storePassword(in: workplace)
            try await body(BoxedHouse(workplace: workplace, labels: labels))
        }
    }

    /// The options of such a fleet.
    static func options(_ count: Int) -> [String] {
        ["--sweepers", "1", "--unprovisioned", "\(count)", "--wifi", "\(network)=\(password)"]
    }

    /// Puts the password of the network into the user's keychain.
    static func storePassword(in workplace: Workplace) async throws {
        let stored = try await workplace.shell("echo \(password) | $homeport keychain set attic")
        try #require(stored.status == 0, "\(stored)")
    }

    /// Waits until the fleet is ready and has named its boxed devices, in whatever order.
    static func labels(_ count: Int, from fleet: ChildProcess) async throws -> [Label] {
        var labels: [Label] = []
        var isReady = false
        while !isReady || labels.count < count {
            let line = try #require(try await fleet.line())
            isReady = isReady || line.hasPrefix("ready ")
            if line.hasPrefix("boxed ") { labels.append(try Label(line)) }
        }
        return labels.sorted { $0.name < $1.name }
    }

    /// The words of `homeport provision` for a device.
    func words(
        _ index: Int, code: String? = nil, network: String = network,
        password: String = "keychain:attic"
    ) -> [String] {
        [
            "provision", "--qr", code ?? labels[index].code, "--ssid", network, "--password",
            password, "--address", labels[index].address, "--device", name(index),
        ] + connection
    }

    private var connection: [String] { broker.map { ["--broker", $0] } ?? [] }

    /// The name that a device gets.
    func name(_ index: Int) -> String { "robo-\(index + 1)" }

    /// How many certificates of a device a broker would accept.
    func certificates(_ index: Int) async throws -> Int {
        let list = try await workplace.homeport("identity", "list", "--json")
        return list.lines.filter {
            $0.contains("\"home-1/\(name(index))\"")
                && ($0.contains("\"active\"") || $0.contains("\"staged\""))
        }.count
    }

    /// What the home knows of a device.
    func presence(_ index: Int) async throws -> [String] {
        let devices = try await workplace.homeport(["devices", "--json"] + connection)
        return devices.lines.filter { $0.contains("\"\(name(index))\"") }
    }
}

extension BoxedHouse.Label {
    /// Reads `boxed HOME/NAME URL CODE`.
    init(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        try #require(words.count == 4, "\(line)")
        self.init(name: words[1], address: words[2], code: words[3])
    }
}
