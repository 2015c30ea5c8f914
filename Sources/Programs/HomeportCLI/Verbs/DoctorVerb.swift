import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport doctor`.
struct DoctorVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Finds out what is wrong with files, brokers and devices, and what to do.",
        discussion: """
            Examples: homeport doctor
                      homeport doctor --broker mqtts://broker.example --json

            It checks the server that other calls would use, the configuration file, the ledger and \
            its permissions, the broker of the last 'identity export' (whether its revocation list names \
            what was taken back, and when its certificate ends), credentials and TLS files, each broker (whether it can be reached, what \
            it supports and refuses, whether it replays retained messages, how much it keeps for a \
            slow reader, its latency) and the devices of the home (whether they answer, their \
            clocks, two devices with one id).

            It changes nothing. Up to 200 online devices are asked by a dry run of identify, which \
            has no effect, and the broker gets a burst of 1200 short messages and one of 1 MB on a topic \
            of its own below the fence of the home.

            \(VerbStatus.help(
                [.done, .notDone, .usage, .interrupted], but: [.notDone: "at least one problem was found"]))
            """)

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let console = call.console
        console.showProgressLine("asking brokers and devices …")
        let server = ServerCall.finding(for: options)
        let findings = [server].compactMap(\.self) + (await options.findings())
        console.showProgressLine(nil)
        let renderer = FindingsRenderer(format: common.format, layout: console.layout)
        console.write(renderer.lines(for: findings))
        return findings.contains { $0.status == .problem } ? .notDone : .done
    }
}
