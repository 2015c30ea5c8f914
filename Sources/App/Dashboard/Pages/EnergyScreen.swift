internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// Where the power of the home comes from and goes to, and its energy from an hour to a year.
@MainActor
struct EnergyScreen: Screen {
    /// How long an open page shows the same charts, in milliseconds: then it is read again.
    private static let rereading = 300_000

    let model: EnergyViewModel
    let texts: Texts
    let range: EnergyRange
    /// What was read when the page was asked for; `nil` where nothing was measured.
    let report: Result<EnergyReport?, Failure>

    var title: String { texts[.energy] }

    func live() -> LiveContent {
        guard let energy = model.state.content else {
            return LiveContent(parts: [LivePart("standing") { standing }], shape: "standing")
        }
        let time = MachineClock.wallTime.milliseconds / Self.rereading
        return LiveContent(
            parts: [
                LivePart("flow") { flow(energy) }, LivePart("stores") { list(energy.stores) },
            ], shape: "\(time)")
    }

    private var standing: HTML? {
        let empty = EmptyState(
            icon: .energy, title: texts[.noEnergyTitle], text: texts[.noEnergyText])
        return Placeholder(texts: texts, empty: empty.html).html(model.state)
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.energy]),
            parts("standing"),
            model.state.content == nil
                ? .empty
                : .joined([
                    element("div", .class("columns")) {
                        parts("flow", "section", .class("card"), .label(texts[.energyNow]))
                        parts("stores", "section", .class("card"), .label(texts[.battery]))
                    },
                    history,
                ]),
        ])
    }

    // MARK: Now

    private func flow(_ energy: EnergyViewModel.Content) -> HTML {
        let drawing = EnergyDrawing(texts: texts, flow: energy.flow).svg()
        guard let moment = energy.heardLast else {
            return .joined([element("h2", text: texts[.energyNow]), drawing])
        }
        return .joined([
            element("div", .class("row spread")) {
                element("h2", text: texts[.energyThen])
                element(
                    "span", .class("muted small"),
                    text: DeviceText(texts: texts).asItWas(at: moment))
            },
            element("div", .class("aged")) { drawing },
        ])
    }

    private func list(_ stores: [DeviceSummary]) -> HTML {
        let deviceText = DeviceText(texts: texts)
        return .joined([
            element("h2", text: texts[.battery]),
            element("ul", .class("attention")) {
                stores.map { store in
                    element("li") {
                        element("a", .href(Route.device(store.id).path), .name, text: store.name)
                        let age = deviceText.age(store)
                        element("span", .class(age == nil ? "facts" : "facts aged")) {
                            deviceText.charge(store.battery)
                            deviceText.activity(of: store)
                        }
                        age.map { element("span", .class("muted small"), text: $0) }
                    }
                }
            },
        ])
    }

    // MARK: Over a time

    private var history: HTML {
        element("section", .class("card stack"), .id("over-time"), .label(texts[.energyOverTime])) {
            element("nav", .class("tabs"), .label(texts[.energyOverTime])) {
                EnergyRange.allCases.map { each in
                    element(
                        "a",
                        [.href(EnergyQuery(each).address)]
                            + (each == range ? [.init("aria-current", "page")] : []),
                        content: { HTML(texts[each.phrase]) })
                }
            }
            switch report {
            case .success(let report?):
                HTML.joined([
                    steps(report), EnergyFigures(texts: texts, report: report).render(),
                ])
            case .success(nil): element("p", .class("muted"), text: texts[.noSamples])
            case .failure(let failure): Notice(failure, texts).html
            }
        }
    }

    /// What the charts are about, with links to the time before it and after it.
    private func steps(_ report: EnergyReport) -> HTML {
        let (period, format) = (report.period, texts.format)
        func link(_ name: Phrase, _ steps: Int) -> HTML {
            element(
                "a", .class("button little"), .href(EnergyQuery(range, steps).address),
                text: texts[name])
        }
        func moment(_ moment: Timestamp) -> String {
            switch range {
            case .hour, .day: format.dayAndTime(moment)
            case .week, .month: format.date(moment)
            case .year: format.monthAndYear(moment)
            }
        }
        return element("nav", .class("row"), .label(texts[.pages])) {
            if report.hasEarlier { link(.older, period.stepsBack + 1) }
            element(
                "span", .class("number"),
                text: "\(moment(period.span.lowerBound)) – \(moment(period.span.upperBound))")
            if period.stepsBack > 0 { link(.newer, period.stepsBack - 1) }
        }
    }
}

extension EnergyRange {
    fileprivate var phrase: Phrase {
        switch self {
        case .hour: .rangeHour
        case .day: .rangeDay
        case .week: .rangeWeek
        case .month: .rangeMonth
        case .year: .rangeYear
        }
    }
}
