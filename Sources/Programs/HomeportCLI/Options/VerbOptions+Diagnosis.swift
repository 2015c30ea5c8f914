package import Homeport
import LocalServices

/// What a diagnosis is about, and what is wrong with the options and files that say so.
struct DiagnosisOptions: Sendable {
    /// The home with those channels whose options can be used.
    let configuration: HomeConfiguration
    /// What was found so far.
    let findings: [Finding]
}

extension VerbOptions {
    /// What is wrong with the set-up that the options describe.
    package func findings() async -> [Finding] {
        let options = diagnosis()
        return [.ok(.versions, "\(HomeportCommand.name) \(HomeportCommand.version)")]
            + options.findings + (await diagnose(options.configuration))
    }

    /// Reads the options of a diagnosis. What is wrong with one is a finding, and the others still count.
    func diagnosis() -> DiagnosisOptions {
        var findings: [Finding] = []
        let file = diagnosedFile(&findings)
        let isMissing = file == nil && common.configurationPath != nil
        let meant =
            isMissing
            ? nil
            : diagnosed(
                .options, &findings, remedy: "name one of its contexts, or leave out --context"
            ) { () throws(CommandLineError) in try inContext(of: file) }
        return (meant ?? self).diagnosis(file, &findings)
    }

    private func diagnosis(
        _ file: ConfigurationFile?, _ findings: inout [Finding]
    ) -> DiagnosisOptions {
        let home = diagnosedHome(file, &findings)
        let channels = diagnosedChannels(file, &findings)
        var configuration = HomeConfiguration(
            home: home, channels: channels, rules: file?.channelRules(in: home) ?? [],
            ledger: ledgerLocation(file), logger: common.logger)
        configuration.aliases = file?.aliases ?? [:]
        if let named = ledger.controller ?? file?.controller { configuration.controller = named }
        return DiagnosisOptions(configuration: configuration, findings: findings)
    }

    /// Channels that are wrong are left out.
    private func diagnosedFile(_ findings: inout [Finding]) -> ConfigurationFile? {
        guard let path = common.configurationPath else {
            findings.append(.ok(.configurationFile, "there is none, and none is needed"))
            return nil
        }
        var refused: [HomeError] = []
        var file: ConfigurationFile?
        do {
            file = try ConfigurationFile(path: path) { refused.append($0) }
        } catch {
            refused.append(error)
        }
        findings += refused.map { error in
            .problem(
                .configurationFile, error.message,
                remedy: "correct the file, or what it names, at the place in the message")
        }
        if let permissions = FilePermissions(path, isSecret: false) {
            findings.append(
                .problem(.configurationFile, permissions.message, remedy: permissions.remedy))
        } else if refused.isEmpty {
            findings.append(.ok(.configurationFile, "\(path) can be used"))
        }
        return file
    }

    private func diagnosedHome(
        _ file: ConfigurationFile?, _ findings: inout [Finding]
    ) -> HomeID {
        do {
            return try resolvedHome(file)
        } catch {
            findings.append(
                .problem(
                    .options, error.message,
                    remedy: "correct HOMEPORT_HOME, or name the home with --home"))
            return HomeConfiguration.standardHome
        }
    }

    // MARK: Channels

    private func diagnosedChannels(
        _ file: ConfigurationFile?, _ findings: inout [Finding]
    ) -> [ChannelSetup] {
        findings.append(meetingPoint)
        if let file, !file.channels.isEmpty { return configured(file, &findings) }
        // Without what the file says the broker is not known, unless it is named.
        let isFileWrong = findings.contains {
            $0.check == .configurationFile && $0.status == .problem
        }
        return isFileWrong && namedBroker == nil ? [] : single(&findings)
    }

    private func configured(
        _ file: ConfigurationFile, _ findings: inout [Finding]
    ) -> [ChannelSetup] {
        do {
            return try channels(file).channels
        } catch {
            findings.append(
                .problem(
                    .options, error.message,
                    remedy: "leave the option out, or correct it"))
            return file.channels.filter { !($0.isHomeportMQTT && namedBroker != nil) }.map(\.setup)
        }
    }

    /// The broker without a configuration file.
    private func single(_ findings: inout [Finding]) -> [ChannelSetup] {
        let choice = diagnosed(.broker, &findings, remedy: Remedy.url) {
            () throws(CommandLineError) in
            try self.choice()
        }
        guard let choice else { return [] }
        let credentials = diagnosed(.credentials, &findings, remedy: Remedy.credentials) {
            () throws(CommandLineError) in try self.namedCredentials()
        }
        let security = diagnosed(.tlsFiles, &findings, remedy: Remedy.tlsFiles) {
            () throws(CommandLineError) in try self.security(for: choice.address)
        }
        guard let credentials, let security else {
            findings.append(
                .warning(
                    .broker, "\(choice.address) was not tried, because its options cannot be used",
                    remedy: "correct the files first"))
            return []
        }
        let connection = diagnosed(.broker, &findings, remedy: Remedy.url) {
            () throws(CommandLineError) in
            try self.connection(to: choice, credentials, security)
        }
        return connection.map { [.homeportMQTT($0)] } ?? []
    }

    /// The value of an option, or a finding.
    private func diagnosed<Value>(
        _ check: Finding.Check, _ findings: inout [Finding], remedy: String,
        _ read: () throws(CommandLineError) -> Value
    ) -> Value? {
        do {
            return try read()
        } catch {
            findings.append(.problem(check, error.message, remedy: remedy))
            return nil
        }
    }

    /// Where `homeport-sim` announces its private broker.
    private var meetingPoint: Finding {
        let place = MeetingPoint()
        if let warning = place.warning {
            return .warning(
                .meetingPoint, warning,
                remedy:
                    "set XDG_RUNTIME_DIR to a folder of yours with mode 0700, the same for all programs"
            )
        }
        do throws(LocalServicesError) {
            switch try place.live() {
            case .none: return .ok(.meetingPoint, "no homeport-sim with a private broker runs")
            case .one(let broker):
                return .ok(
                    .meetingPoint,
                    "homeport-sim runs a private broker at \(broker.url) with home \(broker.home)")
            case .several(let brokers):
                return .warning(
                    .meetingPoint,
                    "\(brokers.count) private brokers run: "
                        + brokers.map(\.url).joined(separator: ", "),
                    remedy: "choose one with --broker")
            }
        } catch {
            return .problem(
                .meetingPoint, "\(error)",
                remedy: "chmod 700 \(place.root), or remove it if it is not yours")
        }
    }
}

/// What to do about an option that cannot be used.
private enum Remedy {
    static let url =
        "name the broker with --broker, as mqtt://HOST[:PORT] or mqtts://HOST[:PORT]"
    static let credentials =
        "a file must be yours and have mode 0600 (chmod 600 FILE) and two lines, username=… and "
        + "password=…; 'homeport keychain set NAME' stores such lines for keychain:NAME"
    static let tlsFiles =
        "name readable PEM files with --ca-file, --cert-file and --key-file, the key closed to "
        + "others, and a broker with mqtts://"
}
