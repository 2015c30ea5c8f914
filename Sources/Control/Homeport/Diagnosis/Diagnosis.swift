internal import Connectivity
internal import DeviceDomain
internal import MQTTClient
internal import MQTTLink
internal import MosquittoAdapter
internal import Persistence

/// Finds out what is wrong with the set-up of a home: its ledger, the brokers of its channels, its
/// devices and this machine.
///
/// It changes nothing: no file, no device, no retained message. Online devices get one dry run of
/// `identify` each, at most 200 of them. It takes about four seconds where there are devices, and up to twelve
/// where two may use one id. Whatever is wrong is a finding, never an error.
/// - Returns: a finding for every check, also where nothing is wrong.
public func diagnose(_ configuration: HomeConfiguration) async -> [Finding] {
    await Diagnosis(configuration: configuration).findings()
}

/// A diagnosis of a home.
struct Diagnosis: Sendable {
    let configuration: HomeConfiguration
    /// How long live messages of devices are watched.
    var watch = HomeProbeTimes().watch

    private var times: HomeProbeTimes {
        var times = HomeProbeTimes()
        times.watch = watch
        return times
    }

    func findings() async -> [Finding] {
        let (ledger, known) = await ledger()
        let keychain = await KeychainCheck.finding()
        let identity = await IdentityCheck(
            home: configuration.home, now: MachineClock.wallTime
        ).findings()
        let told = Set(identity.map(\.message))
        let rules = RuleCheck(
            channels: configuration.channels.map(\.id), aliases: configuration.aliases, known: known
        )
        return MachineCheck().findings + [keychain] + rules.findings + identity + ledger
            + files.filter { !told.contains($0.message) } + (await channels(known))
    }

    /// Files of channels that others can change or read.
    private var files: [Finding] {
        let configurations = configuration.channels.compactMap { channel in
            if case .tls(let files)? = channel.connection?.security {
                files
            } else {
                MQTTTLSConfiguration?.none
            }
        }
        let paths = configurations.flatMap { files in
            [(files.authorityFile, false), (files.certificateFile, false), (files.keyFile, true)]
        }
        return paths.compactMap { path, isSecret in
            path.flatMap { FilePermissions($0, isSecret: isSecret) }
        }.map { .problem(.tlsFiles, $0.message, remedy: $0.remedy) }
    }

    // MARK: Ledger

    /// What was found in the ledger, and the devices that it knows.
    private func ledger() async -> ([Finding], [RememberedDevice]) {
        let path: String
        do {
            if let url = try configuration.ledger.url() {
                return ([await ServerCheck(url).finding], [])
            }
            guard let named = try configuration.ledger.path() else { return ([], []) }
            path = named
        } catch {
            let finding = Finding.problem(
                .ledgerFile, error.message, remedy: "name a file with --database")
            return ([finding], [])
        }
        let inspection = await LedgerInspection(
            of: path, controller: configuration.controller, home: configuration.home)
        let devices =
            if case .success(let contents) = inspection.contents { contents.devices } else {
                [RememberedDevice]()
            }
        let history = HistoryCheck(inspection: HistoryInspection(besideLedger: path))
        return (LedgerCheck(inspection: inspection).findings + [history.finding], devices)
    }

    // MARK: Channels

    private func channels(_ known: [RememberedDevice]) async -> [Finding] {
        let eventLoop: MQTTEventLoop
        do {
            eventLoop = try MQTTEventLoop(label: "doctor", logger: configuration.logger)
        } catch {
            return [
                .problem(.limits, error.message, remedy: "raise the limit of threads and files")
            ]
        }
        var findings: [Finding] = []
        for channel in configuration.channels {
            let devices = known.filter { $0.channel == channel.id }.map(\.profile.id)
            findings += await check(channel, Set(devices), on: eventLoop)
        }
        await eventLoop.shutdown()
        return findings
    }

    private func check(
        _ channel: ChannelSetup, _ known: Set<DeviceID>, on eventLoop: MQTTEventLoop
    ) async -> [Finding] {
        guard let connection = channel.connection else {
            if let diagnose = channel.diagnose {
                return await diagnose(context(on: eventLoop))
            }
            return [
                .warning(
                    .broker,
                    "the channel \(channel.id) of kind \(channel.kind.rawValue) was not tried",
                    remedy: "see 'homeport channels'")
            ]
        }
        let own = await channel.diagnose?(context(on: eventLoop)) ?? []
        guard !connection.otherBrokers.isEmpty else {
            let link = connection.link(as: configuration.controller)
            return await check(channel, link, channel.address, known, on: eventLoop) + own
        }
        return await checkCluster(channel, connection, known, on: eventLoop) + own
    }

    /// A broker at one address.
    private func check(
        _ channel: ChannelSetup, _ link: MQTTLinkConfiguration, _ address: String,
        _ known: Set<DeviceID>, on eventLoop: MQTTEventLoop
    ) async -> [Finding] {
        do throws(MQTTError) {
            guard channel.kind == .homeportMQTT else {
                return try await checkLink(link, address, on: eventLoop)
            }
            return try await checkHome(link, address, known, on: eventLoop)
        } catch {
            let other = await otherVersion(for: link, after: error, on: eventLoop)
            return [ConnectionCheck(address: address, error: error, otherVersion: other).finding]
        }
    }

    /// Each address by itself, then the ways between those that can be reached. What devices say is looked at over one.
    private func checkCluster(
        _ channel: ChannelSetup, _ connection: BrokerConnection, _ known: Set<DeviceID>,
        on eventLoop: MQTTEventLoop
    ) async -> [Finding] {
        var findings: [Finding] = []
        var reached: [MQTTLinkConfiguration] = []
        for node in connection.nodes(as: configuration.controller) {
            do throws(MQTTError) {
                let found = try await checkLink(node, "\(node.broker)", on: eventLoop)
                if !reached.isEmpty || channel.kind != .homeportMQTT { findings += found }
                reached.append(node)
            } catch {
                let other = await otherVersion(for: node, after: error, on: eventLoop)
                findings.append(
                    ConnectionCheck(
                        address: "\(node.broker)", error: error, otherVersion: other
                    ).finding)
            }
        }
        if channel.kind == .homeportMQTT, let node = reached.first {
            findings =
                await check(channel, node, "\(node.broker)", known, on: eventLoop) + findings
        }
        return findings + (await checkWays(between: reached, on: eventLoop))
    }

    private func checkWays(
        between nodes: [MQTTLinkConfiguration], on eventLoop: MQTTEventLoop
    ) async -> [Finding] {
        guard nodes.count > 1 else { return [] }
        do throws(MQTTError) {
            let probe = ClusterProbe(
                nodes, in: configuration.home, limit: times.answer, on: eventLoop)
            return ClusterCheck(paths: try await probe.run()).findings
        } catch {
            return [
                .warning(
                    .cluster,
                    "whether messages pass from one address to the other is not known: \(error.message)",
                    remedy: "run doctor again")
            ]
        }
    }

    /// What a channel is diagnosed with.
    private func context(on eventLoop: MQTTEventLoop) -> ChannelContext {
        ChannelContext(
            home: configuration.home, controller: configuration.controller, eventLoop: eventLoop,
            logger: configuration.logger)
    }

    private func checkHome(
        _ link: MQTTLinkConfiguration, _ address: String, _ known: Set<DeviceID>,
        on eventLoop: MQTTEventLoop
    ) async throws(MQTTError) -> [Finding] {
        let probe = HomeProbe(
            link, for: configuration.controller, home: configuration.home, known: known,
            times: times, on: eventLoop)
        let report = try await probe.run()
        let devices = DeviceCheck(
            home: configuration.home, asker: report.asker, devices: report.devices, known: known)
        return BrokerCheck(address: address, report: report).findings + devices.findings
    }

    /// A broker whose devices speak another dialect.
    private func checkLink(
        _ link: MQTTLinkConfiguration, _ address: String, on eventLoop: MQTTEventLoop
    ) async throws(MQTTError) -> [Finding] {
        let connection = try ProbeConnection(link, on: eventLoop)
        return try await ProbeConnection.with(connection) { info in
            BrokerCheck.findings(of: info, address)
        }
    }

    /// The other version of MQTT, where the broker accepts that one alone.
    private func otherVersion(
        for link: MQTTLinkConfiguration, after error: MQTTError, on eventLoop: MQTTEventLoop
    ) async -> MQTTProtocolVersion? {
        guard ConnectionCheck.mayBeVersion(error) else { return nil }
        var other = link
        other.version = link.version == .v5 ? .v3_1_1 : .v5
        do throws(MQTTError) {
            _ = try await checkLink(other, "", on: eventLoop)
            return other.version
        } catch {
            return nil
        }
    }
}
