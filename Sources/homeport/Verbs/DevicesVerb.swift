import ArgumentParser
import Connectivity
import DeviceDomain

/// `homeport devices`.
struct DevicesVerb: Verb {
    static let name = "devices"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: Homeport.name,
        abstract: "Lists every device of the home.",
        discussion: """
            Example: homeport devices --home villa --json | jq -r .device

            \(VerbStatus.help(VerbStatus.ofReading.filter { $0 != .wrongInput }))
            """)

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let station = try Station(common)
        let survey = try await station.withChannel { channel throws(Failure) in
            try await station.survey(.everyDevice, over: channel)
        }
        report(survey, from: station, on: console)
        console.write(DevicesRenderer(format: common.format).lines(for: survey.allDevices()))
        return .done
    }

    private func report(_ survey: HomeSurvey, from station: Station, on console: Console) {
        if !survey.isComplete {
            console.note(
                "the list may be incomplete: the broker did not say in time that it had sent all")
        } else if survey.devices.isEmpty {
            console.note("no device is known in \(station.home)\(hint(from: station))")
        }
    }

    private func hint(from station: Station) -> String {
        guard case .privateBroker(let lived) = station.choice.source, lived != station.home.text
        else { return "" }
        return "; the running homeport-sim has home \(lived): pass --home \(lived)"
    }
}
