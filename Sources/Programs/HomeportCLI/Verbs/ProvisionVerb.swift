import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport provision`.
struct ProvisionVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Brings a boxed device into the home, or a Matter device onto its server.",
        discussion: """
            Examples: homeport provision --qr label.png --ssid attic
                      homeport provision --qr '{"ver":"v1",…}' --ssid attic --password keychain:attic
                      homeport provision --matter 3497-011-2332 --channel house
                      homeport provision --matter - --channel house --ssid attic --password keychain:attic

            --qr takes the text of the QR code on the device's label, a file with that text, or a \
            picture of it, which zbarimg (zbar-tools) reads. The Wi-Fi password is asked for without echo, and again where \
            the network refuses it. It is in the keychain while it is needed and removed at the end; a \
            secret of your own, named by keychain:NAME, stays.

            The device's access point is joined by NetworkManager, with the password on the label where \
            there is one; without NetworkManager, join it by hand while the program waits. --address names an access point that is reached already, which is \
            waited for no longer than --connect-timeout.

            Ctrl-C takes the attempt back. A device that was told to join by then may come into the home \
            all the same, which ends with status 3; it leaves by itself unless the same command is run \
            again. That resumes what was left open, and changes nothing for a device that is in the home \
            and online.

            --matter has the Matter server of a channel bring a device in: one in its network, or by \
            Bluetooth where the server has a radio. --ssid and --thread name the network that new \
            devices are given; without them it is the one that the server knows. The device is asked \
            for once. Where the server's answer is lost, what it lists tells what became of the device, \
            also when the same command is run again. After Ctrl-C its answer is waited for, because a server \
            cannot be stopped, and the device is taken out again.

            \(VerbStatus.help(
                [
                    .done, .notDone, .undecided, .noConnection, .usage, .wrongInput,
                    .internalError, .damagedKeychain, .unsafeKeychain, .wrongKey,
                ],
                but: [
                    .done: "the device is in the home",
                    .notDone: "failed or cancelled; all was taken back",
                    .undecided: "not known; run the same again",
                    .noConnection: "no access point, or no broker",
                    .wrongInput: "a QR code or Wi-Fi password that cannot be used, or no such secret",
                ]))
            """)

    @Option(
        help: ArgumentHelp(
            "The text of the QR code on the device's label, or a file with it or a picture of it.",
            valueName: "text|file"),
        completion: .file())
    var qr: String?

    @Option(help: ArgumentHelp("The Wi-Fi network that the device joins.", valueName: "name"))
    var ssid: String?

    @Option(
        help: ArgumentHelp(
            "The Wi-Fi password: a secret of the keychain, or - for the first line of stdin.",
            valueName: "keychain:name|-"))
    var password: WiFiPassword?

    @Option(
        help: ArgumentHelp(
            "The device's access point, which then is not joined.",
            discussion: "Default: http://192.168.4.1.", valueName: "url"),
        transform: { text in
            guard let address = AccessPointAddress(url: text) else {
                throw ValidationError("it is http:// and a numeric address: http://192.168.4.1:80")
            }
            return address
        })
    var address: AccessPointAddress?

    @Option(
        help: ArgumentHelp(
            "The name that the device gets.", discussion: "Default: made from the label.",
            valueName: "name"),
        transform: Parsing.identifier)
    var device: DeviceID?

    @Option(
        help: ArgumentHelp(
            "The broker that the device is told to join, at which its certificate is accepted.",
            discussion: """
                Default: device-broker of the configuration file, else the listener of devices of \
                the last 'identity export' of this home, else --broker.
                """,
            valueName: "url"),
        transform: { text in
            do {
                return "\(try MQTTBrokerAddress(url: text))"
            } catch {
                throw ValidationError("\(error)")
            }
        })
    var deviceBroker: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The protection of the session: 1, 2, or 0 for none, which must be asked for.",
            discussion: """
                Default: what the label says, 2 where it names a user, else 1 or 2, as the device \
                offers.
                """,
            valueName: "0|1|2"),
        transform: { text in
            guard let security = Int(text).flatMap(ProvisioningSecurity.init(rawValue:)) else {
                throw ValidationError("it is 0, 1 or 2")
            }
            return security
        })
    var security: ProvisioningSecurity?

    @Flag(
        help: ArgumentHelp(
            "Go on with a device whose session a listener can read.",
            discussion: "Old firmware of Security 2 (sec_patch_ver 0) repeats a nonce."))
    var allowWeakSession = false

    @OptionGroup(title: "Matter device") var matter: MatterOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func validate() throws {
        if let ssid, !(1...32).contains(ssid.utf8.count) {
            throw ValidationError("--ssid has 1 to 32 bytes")
        }
        try WiFiPassword.check(password, of: "--password")
        try WiFiPassword.check(matter.thread, of: "--thread")
        try requireFittingOptions()
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        if let code = matter.matter, let channel = matter.channel {
            return try await commission(code, on: channel, in: call)
        }
        guard let qr, let ssid else {
            throw CommandLineError(.usage, "pass --qr and --ssid, or --matter and --channel")
        }
        let interrupts = Interrupts(of: call)
        let code = Handover(try await Self.code(qr))
        let session = try Session(options, call)
        let authority = try await common.tidiedAuthority(call.console)
        let keychain = try keychain()
        let first = Handover(
            request(code.take(), ssid, try await WiFiPassword.read(password, from: keychain)))
        let renderer = ProvisioningRenderer(format: common.format)
        let console = call.console
        return try await session.withHome { home in
            let report: @Sendable (ProvisioningEvent) -> Void = { event in
                switch event {
                case .transition(let transition): console.write(renderer.line(for: transition))
                case .notice(let error): console.note("\(error)")
                }
            }
            var next = first
            while true {
                let handover = next
                let outcome = await interrupts.cancellingToEnd {
                    () -> Result<ProvisioningResult, HomeError> in
                    do throws(HomeError) {
                        return .success(
                            try await home.provision(
                                handover.take(), authority: authority, keychain: keychain,
                                report: report))
                    } catch {
                        return .failure(error)
                    }
                }
                let result = try outcome.get()
                console.write(renderer.line(for: result))
                if let folder = await Self.brokerToReload(after: result, authority) {
                    console.note(folder.reloadAdvice)
                }
                guard result.refusesPassword, password == nil,
                    let another = try WiFiPassword.askAgain()
                else { return result.ending.status }
                next = Handover(request(try await Self.code(qr), ssid, another))
            }
        }
    }

    /// The folder of the exported broker whose list names a certificate that this attempt has taken back, where it
    /// is not known to have read it.
    private static func brokerToReload(
        after result: ProvisioningResult, _ authority: IdentityAuthority
    ) async -> BrokerFolder? {
        switch result.ending {
        case .provisioned, .unknown: return nil
        case .failed, .cancelled: break
        }
        do throws(IdentityError) {
            let name = IdentityName.device(result.device, home: authority.home)
            let begin = authority.now.advanced(by: .zero - result.elapsed)
            let isTakenBack = try await authority.records().contains { record in
                record.name == name && record.wasRevoked(since: begin)
            }
            guard isTakenBack, let folder = try await authority.exportedFolder() else { return nil }
            return folder.runningBroker == nil ? folder : nil
        } catch {
            // The attempt has told what is wrong with the register.
            return nil
        }
    }

    private static func code(_ qr: String) async throws(CommandLineError) -> SetupCode {
        do {
            return try await SetupCode.read(qr)
        } catch {
            throw CommandLineError(.wrongInput, "--qr: \(error.message)")
        }
    }

    func keychain() throws(CommandLineError) -> any KeychainService {
        do {
            return try StandardKeychain.open()
        } catch {
            throw CommandLineError(error)
        }
    }

    private func request(
        _ code: SetupCode, _ ssid: String, _ password: Secret
    ) -> ProvisioningRequest {
        var request = ProvisioningRequest(
            code, ssid: ssid, password: password, as: device, security: security, at: address,
            joiner: address == nil ? NetworkManagerJoiner() : JoinedAccessPoint())
        request.allowsWeakSession = allowWeakSession
        request.deviceBroker = deviceBroker
        if address != nil {
            request.timeouts.scanning = broker.connectTimeout ?? .seconds(10)
        }
        return request
    }
}
