import ArgumentParser
import Connectivity
import DeviceDomain
import DeviceMessages

/// `homeport show`.
struct ShowVerb: Verb {
    static let name = "show"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: Homeport.name,
        abstract: "Shows one device: description, state, latest telemetry, commands.",
        discussion: """
            Example: homeport show sweeper-1

            Telemetry is not retained: it is shown if a sample came while the retained messages \
            did. To wait for one, use watch.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("The device.", valueName: "device"), transform: Parsing.identifier)
    var device: DeviceID

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let station = try Station(common)
        let survey = try await station.withChannel { channel throws(Failure) in
            try await station.survey(.device(device), over: channel)
        }
        let renderer = ShowRenderer(format: common.format)
        if let found = survey.device(device), survey.devices[device]?.description != nil {
            console.write(renderer.lines(for: found, isDescribed: true))
        } else if let profile = try await remembered(in: station.home) {
            let report = survey.device(device)?.report ?? DeviceReport()
            let known = GenericDevice(profile: profile, report: report)
            console.write(renderer.lines(for: known, isDescribed: true))
        } else if let silent = survey.device(device) {
            console.write(renderer.lines(for: silent, isDescribed: false))
        } else {
            throw .unknownDevice(device, in: station.home, isSure: survey.isComplete)
        }
        return .done
    }

    /// What the ledger knows of a device that has not described itself.
    private func remembered(in home: HomeID) async throws(Failure) -> DeviceProfile? {
        let ledger = try Ledger.open(at: common.ledgerLocation())
        return try await ledger.profile(of: device, in: home)
    }
}

extension Failure {
    /// Nothing is known of a device.
    static func unknownDevice(_ device: DeviceID, in home: HomeID, isSure: Bool) -> Failure {
        let doubt = isSure ? "" : " (the broker did not say in time that it had sent all)"
        return Failure(
            .wrongInput, "no device \(device) is known in \(home)\(doubt); see 'homeport devices'")
    }
}
