internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import SharedPresentation

/// All words of a page in one language.
struct Texts: Sendable {
    let language: Language
    /// The units of what devices report.
    let units: UnitSystem
    /// Numbers, dates and times.
    let format: LocaleFormat
    /// What devices call things.
    let terms: DeviceTerms
    /// What the faults of devices mean.
    let faults: FaultCodes

    init(_ language: Language, units: UnitSystem = .metric, calendar: LocalCalendar) {
        self.language = language
        self.units = units
        format = LocaleFormat(language: language, calendar: calendar)
        terms = DeviceTerms(language: language)
        faults = FaultCodes(language: language)
    }

    /// A text that has no gaps.
    subscript(_ phrase: Phrase) -> String { phrase.text(in: language) }

    /// What a command is called. A dry run is marked: it was not carried out.
    func name(of command: CommandSummary) -> String {
        terms.command(command.name) + (command.isDryRun ? self[.dryRun] : "")
    }

    /// A sentence in the language of the page.
    func choose(english: String, chinese: String) -> String {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}
