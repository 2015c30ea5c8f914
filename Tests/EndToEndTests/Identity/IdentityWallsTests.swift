import DeviceDomain
import DeviceIdentity
import MQTTClient
import TestSupport
import Testing

/// What an identity may not do at a broker that `homeport identity export` has set up.
@Suite(.timeLimit(.minutes(2))) struct IdentityWallsTests {
    private let house: IdentityHouse

    init() throws { house = try IdentityHouse() }

    private let topics = "homeport/v1/home-1"

    @Test func aDeviceSpeaksAndHearsForItselfOnly() async throws {
        try await house.issue(devices: ["robot-1", "robot-2"], controllers: ["ctl", "other"])
        try await house.withBroker { _ in
            try await house.device("robot-1") { robot in
                for part in [
                    "state", "presence", "telemetry", "description", "ack/ctl", "event/stuck",
                ] {
                    #expect(try await !robot.publish("\(topics)/robot-1/\(part)", "1").isError)
                    #expect(
                        try await robot.publish("\(topics)/robot-2/\(part)", "1") == .notAuthorized)
                }
                for part in ["command", "command/urgent", "desired"] {
                    #expect(
                        try await robot.publish("\(topics)/robot-1/\(part)", "1") == .notAuthorized)
                }
                try await robot.subscribe("#", "homeport/#", "\(topics)/robot-2/command")
                try await house.controller("ctl") { controller in
                    for part in ["robot-2/command", "robot-2/command/urgent", "robot-2/desired"] {
                        #expect(
                            try await !controller.publish("\(topics)/\(part)", "not yours").isError)
                    }
                    try await house.device("robot-2") { other in
                        try await other.publish("\(topics)/robot-2/ack/ctl", "not yours")
                        try await other.publish("\(topics)/robot-2/state", "not yours")
                    }
                    try await controller.publish("\(topics)/robot-1/command", "yours")
                }
                #expect(await heard(by: robot, upTo: "yours").isEmpty)
            }
        }
    }

    @Test func aControllerReadsItsOwnAcksOnly() async throws {
        try await house.issue(devices: ["robot-1"], controllers: ["ctl", "other"])
        try await house.withBroker { _ in
            try await house.controller("other") { other in
                try await other.subscribe("#", "\(topics)/+/ack/#", "\(topics)/robot-1/state")
                #expect(
                    try await other.publish("\(topics)/robot-1/state", "1") == .notAuthorized)
                #expect(
                    try await other.publish("\(topics)/robot-1/ack/ctl", "1") == .notAuthorized)
                try await house.device("robot-1") { robot in
                    try await robot.publish("\(topics)/robot-1/ack/ctl", "not yours")
                    try await robot.publish("\(topics)/robot-1/ack/other", "yours")
                }
                #expect(await heard(by: other, upTo: "yours").isEmpty)
            }
        }
    }

    /// What a peer hears before a message.
    private func heard(by peer: MQTTPeer, upTo last: String) async -> [String] {
        var texts: [String] = []
        for await message in peer.messages {
            let text = String(decoding: message.payload, as: UTF8.self)
            if text == last { return texts }
            texts.append(text)
        }
        return texts + ["end"]
    }

    @Test func aDeviceCannotTakeTheClientIDOfAnother() async throws {
        try await house.issue(devices: ["robot-1", "robot-2"], controllers: ["ctl"])
        try await house.withBroker { _ in
            try await house.device("robot-1") { robot in
                try await robot.subscribe("\(topics)/robot-1/command")
                for id in ["homeport-home-1-robot-1", "home-1/robot-1"] {
                    try await house.device("robot-2", id: id) { other in
                        try await other.subscribe("\(topics)/robot-1/command")
                        #expect(
                            try await other.publish("\(topics)/robot-1/state", "1")
                                == .notAuthorized)
                    }
                }
                try await house.controller("ctl") { controller in
                    try await controller.publish("\(topics)/robot-1/command", "yours")
                }
                // A connection that was taken over would have missed it: it has no session.
                #expect(await heard(by: robot, upTo: "yours").isEmpty)
            }
        }
    }

    @Test func aCertificateThatIsNotValidIsRefused() async throws {
        try await house.issue(devices: ["robot-1", "robot-2"], controllers: ["ctl"])
        try await house.withBroker { broker in
            let (devices, controllers) = (house.devices, house.controllers)
            let server = "\(house.folder)/broker/server"
            let foreign = IdentityFiles(folder: "\(house.folder)/foreign")
            let expired = IdentityFiles(folder: "\(house.folder)/expired")
            let name = IdentityName.device(try DeviceID("robot-3"), home: try HomeID("home-1"))
            _ = try await house.authority("elsewhere").issue(to: [name], into: foreign)
            _ = try await house.authority(yearsAgo: 2).issue(to: [name], into: expired)
            #expect(
                await house.refuses(house.security("home-1/robot-3", in: "foreign"), at: devices))
            #expect(
                await house.refuses(house.security("home-1/robot-3", in: "expired"), at: devices))
            #expect(
                await house.refuses(house.presenting("\(server).crt", "\(server).key"), at: devices)
            )
            #expect(
                await house.refuses(
                    house.presenting("\(server).crt", "\(server).key"), at: controllers))
            #expect(await house.refuses(house.presenting(nil, nil), at: devices))
            #expect(await house.refuses(house.security("home-1/robot-1"), at: controllers))
            #expect(await house.refuses(house.security("ctl"), at: devices))
            let revoked = try await house.workplace.homeport(
                ["identity", "revoke", "robot-1"] + house.revoking(broker))
            #expect(revoked.status == 0, "\(revoked.errors)")
            #expect(await house.refuses(house.security("home-1/robot-1"), at: devices))
            #expect(await !house.refuses(house.security("home-1/robot-2"), at: devices))
            #expect(await !house.refuses(house.security("ctl"), at: controllers))
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func revocationEndsALiveConnection(version: MQTTProtocolVersion) async throws {
        try await house.issue(devices: ["robot-1", "robot-2"], controllers: ["ctl"])
        try await house.withBroker { broker in
            for (name, url, word) in [
                ("home-1/robot-1", house.devices, "robot-1"), ("ctl", house.controllers, "ctl"),
            ] {
                try await MQTTPeer.with(
                    url, id: "any", version: version, security: house.security(name)
                ) { client in
                    let run = try await house.workplace.homeport(
                        ["identity", "revoke", word] + house.revoking(broker))
                    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                    var loss: MQTTError?
                    for await error in client.losses {
                        loss = error
                        break
                    }
                    #expect(loss != nil)
                }
            }
        }
    }

    /// A provisioning that was killed two hours ago: the first program that opens the register ends what it left.
    @Test(arguments: [["identity", "list"], ["serve"]])
    func whatNobodyConfirmedEndsByItself(verb: [String]) async throws {
        try await house.issue(devices: [], controllers: ["ctl"])
        try await house.withBroker { _ in
            try await claim("robot-1", hoursAgo: 2)
            try await house.device("robot-1") { robot in
                _ = try await house.workplace.runningForRemarks(
                    verb + (verb == ["serve"] ? connection : [])
                ) { program in
                    try await program.line(
                        beginning: "homeport: took back the certificate ")
                    for await _ in robot.losses { break }
                    program.interrupt()
                    try await program.readToEnd()
                    #expect(program.lines.contains { $0.contains(" of home-1/robot-1, which ") })
                    #expect(!program.lines.contains { $0.contains("SIGHUP") })
                }
            }
            #expect(await house.refuses(house.security("home-1/robot-1"), at: house.devices))
            let again = try await house.identity("list")
            #expect(again.errors.isEmpty && again.output.contains("revoked"), "\(again.errors)")
        }
    }

    /// How a controller connects.
    private var connection: [String] {
        let files = ["broker/ca.crt", "ids/ctl.crt", "ids/ctl.key"].map { "\(house.folder)/\($0)" }
        return [
            "--broker", house.controllers, "--ca-file", files[0], "--cert-file", files[1],
            "--key-file", files[2],
        ]
    }

    /// Issues a certificate as a claim does, and leaves it unconfirmed.
    private func claim(_ device: String, hoursAgo: Int) async throws {
        let run = try await house.workplace.shell(
            """
            mkdir -p -m 700 "$HOME/ids/home-1" && cd "$HOME/ids/home-1" && umask 077 &&
            openssl ecparam -genkey -name prime256v1 -noout -out \(device).key &&
            openssl req -new -key \(device).key -subj /CN=device -out \(device).csr && cat \(device).csr
            """)
        let name = IdentityName.device(try DeviceID(device), home: try HomeID("home-1"))
        let authority = try house.authority(hoursAgo: hoursAgo)
        let issued = try await authority.claim(
            name, with: try await authority.makeToken(for: name),
            try CertificateRequest(pem: run.output))
        try house.workplace.folder.file("ids/home-1/\(device).crt", issued.certificate)
    }

    @Test func onlyAMosquittoIsToldToReadItsFiles() async throws {
        try await house.issue(devices: ["robot-1"], controllers: [])
        try await house.identity("export", "\(house.folder)/broker", "--listen", "127.0.0.1:8883")
        let run = try await house.workplace.shell(
            """
            sleep 60 & other=$!
            "$homeport" identity revoke robot-1 --export "$HOME/broker" --reload-pid $other
            status=$?
            kill $other || exit 1
            exit $status
            """)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains("is no running mosquitto"))
        let list = try await house.identity("list", "--json")
        #expect(list.output.contains(#""state":"active""#))
    }
}
