import ArgumentParser

/// `homeport devices`.
struct DevicesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists every device of the home.",
        discussion: """
            Example: homeport devices --home villa --json | jq -r .device

            \(VerbStatus.help(VerbStatus.ofReading.filter { $0 != .wrongInput }))
            """)

    @OptionGroup(title: "Home") var home: HomeOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        .done
    }
}
