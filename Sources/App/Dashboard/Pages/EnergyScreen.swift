internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// Where the power of the home comes from and goes to.
@MainActor
struct EnergyScreen: Screen {
    let model: EnergyViewModel
    let texts: Texts

    var title: String { texts[.energy] }

    func live() -> LiveContent {
        guard let energy = model.state.content else {
            return LiveContent(parts: [LivePart("standing") { standing }], shape: "standing")
        }
        return LiveContent(
            parts: [
                LivePart("flow") { flow(energy) },
                LivePart("day") { charts(energy.day, isAged: energy.heardLast != nil) },
                LivePart("stores") { list(energy.stores) },
            ])
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
                : element("div", .class("columns")) {
                    parts("flow", "section", .class("card"), .label(texts[.energyNow]))
                    parts("stores", "section", .class("card"), .label(texts[.battery]))
                },
            parts("day", "section", .class("card"), .label(texts[.energyToday])),
        ])
    }

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

    // MARK: Over the day

    private func charts(_ day: EnergyDay, isAged: Bool) -> HTML {
        guard let end = day.end else { return .empty }
        let signals = [
            (Signal.pvPowerW.rawValue, day.solar), (Signal.loadPowerW.rawValue, day.load),
            (Signal.gridPowerW.rawValue, day.grid), (Signal.batteryPowerW.rawValue, day.battery),
        ]
        let period = ChartPeriod.day.range(to: end, of: signals.map(\.1))
        return .joined([
            element("h2", text: texts[.energyToday]),
            element("div", .class(isAged ? "charts aged" : "charts")) {
                signals.map { name, points in
                    ChartFigure(
                        texts: texts,
                        chart: LineChart(
                            title: texts.terms.member(name), points: points, period: period,
                            isAmount: true, smallestSpan: SignalUnit.watts.smallestSpan,
                            tone: DeviceCharts.tone(name)),
                        unit: .watts
                    ).render()
                }
            },
        ])
    }
}
