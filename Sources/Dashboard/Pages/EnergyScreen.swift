internal import DeviceControlPresentation
internal import DeviceDomain
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
                LivePart("flow") { flow(energy) }, LivePart("day") { charts(energy.day) },
                LivePart("stores") { list(energy.stores) },
            ])
    }

    private var standing: HTML? {
        let empty = EmptyState(
            icon: .energy, title: texts[.noEnergyTitle], text: texts[.noEnergyText])
        return Placeholder(texts: texts, empty: empty.html).html(model.state)
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
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
        .joined([
            element("h2", text: texts[.energyNow]),
            EnergyDrawing(texts: texts, flow: energy.flow).svg(),
        ])
    }

    private func list(_ stores: [DeviceSummary]) -> HTML {
        let words = DeviceWords(texts: texts)
        return .joined([
            element("h2", text: texts[.battery]),
            element("ul", .class("attention")) {
                stores.map { store in
                    element("li") {
                        element("a", .href(Route.device(store.id).path), text: store.name)
                        words.charge(store.battery)
                        words.activity(store.activity)
                    }
                }
            },
        ])
    }

    // MARK: Over the day

    private func charts(_ day: EnergyDay) -> HTML {
        guard let end = day.end else { return .empty }
        let start = Timestamp(milliseconds: end.milliseconds - 86_400_000)
        let signals = [
            ("pvPowerW", day.solar), ("loadPowerW", day.load), ("gridPowerW", day.grid),
            ("batteryPowerW", day.battery),
        ]
        return .joined([
            element("h2", text: texts[.energyToday]),
            element("div", .class("charts")) {
                signals.map { name, points in
                    ChartFigure(
                        texts: texts,
                        chart: LineChart(
                            title: texts.terms.member(name), points: points,
                            period: start...end, isAmount: true, tone: DeviceCharts.tone(name)),
                        unit: SignalUnit.watts.symbol
                    ).render()
                }
            },
        ])
    }
}
