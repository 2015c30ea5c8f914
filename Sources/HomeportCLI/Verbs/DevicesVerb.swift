import ArgumentParser
import Homeport

/// `homeport devices`.
struct DevicesVerb: Verb {
    static let name = "devices"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Lists every device of the home.",
        discussion: """
            Example: homeport devices --home villa --json | jq -r .device

            Where one of several channels is down, its devices are listed as they were last known.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(common)
        let renderer = DevicesRenderer(format: common.format)
        return try await session.withHome { home throws(Failure) in
            let survey: HomeSurvey
            do throws(HomeError) {
                survey = try await home.survey()
            } catch {
                throw session.failure(for: error)
            }
            report(survey, of: home, session, console)
            console.write(renderer.lines(for: survey.devices))
            await remember(home, console)
            await OpenCommands.takeOver(home, console)
            return .done
        }
    }

    private func report(
        _ survey: HomeSurvey, of home: Home, _ session: Session, _ console: Console
    ) {
        for (channel, failure) in survey.failures.sorted(by: { $0.key < $1.key }) {
            console.note(
                "the channel \(channel) is down: \(failure); "
                    + "its devices are listed as they were last known")
        }
        for (channel, reason) in survey.doubts.sorted(by: { $0.key < $1.key }) {
            console.note("the list of the channel \(channel) may be incomplete: \(reason)")
        }
        for device in survey.devices {
            if let problem = device.problem { console.note("\(device.id): \(problem)") }
        }
        if survey.isComplete, survey.devices.isEmpty {
            console.note("no device is known in \(home.id)\(session.emptyHomeHint)")
        }
    }

    /// The devices are known from now on, also while they are silent.
    private func remember(_ home: Home, _ console: Console) async {
        do throws(HomeError) {
            try await home.rememberDevices()
        } catch {
            console.progress("the devices were not remembered: \(error)")
        }
    }
}
