internal import Connectivity
internal import DeviceDomain
internal import HomeModel

/// Where the power of the home comes from and goes to.
@MainActor
struct EnergyScreen: Screen {
    let state: HomeState
    let texts: Texts

    var title: String { texts[.energy] }

    /// The devices that measure the power of the home. Stores of one home share one meter (PROTOCOL
    /// section 2), so grid, solar and consumption are those of any of them.
    private var stores: [DeviceState] {
        state.allDevices.filter {
            $0.known.profile?.capabilities.contains(.energyStorage) == true
        }
    }

    func live() -> LiveContent {
        let stores = stores.filter { $0.known.telemetry != nil }
        guard !stores.isEmpty else { return LiveContent(shape: "empty") }
        return LiveContent(
            parts: [
                LivePart("flow") { flow(stores) }, LivePart("day") { charts(stores) },
                LivePart("stores") { list(stores) },
            ])
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        let heading = element("h1", text: texts[.energy])
        guard stores.contains(where: { $0.known.telemetry != nil }) else {
            return .joined([
                heading,
                EmptyState(
                    icon: .energy, title: texts[.noEnergyTitle], text: texts[.noEnergyText]
                ).html,
            ])
        }
        return .joined([
            heading,
            element("div", .class("columns")) {
                parts("flow", "section", .class("card"), .label(texts[.energyNow]))
                parts("stores", "section", .class("card"), .label(texts[.battery]))
            },
            parts("day", "section", .class("card"), .label(texts[.energyToday])),
        ])
    }

    private func flow(_ stores: [DeviceState]) -> HTML {
        let meter = stores[0].known.telemetry?.values ?? [:]
        let batteries = stores.compactMap { $0.known.telemetry?.values["batteryPowerW"]?.number }
        let charges = stores.compactMap(\.known.chargePercent)
        return .joined([
            element("h2", text: texts[.energyNow]),
            EnergyFlow(
                texts: texts, solarW: meter["pvPowerW"]?.number, gridW: meter["gridPowerW"]?.number,
                loadW: meter["loadPowerW"]?.number,
                batteryW: batteries.isEmpty ? nil : batteries.reduce(0, +),
                chargePercent: charges.isEmpty
                    ? nil : charges.reduce(0, +) / Double(charges.count)
            ).svg(),
        ])
    }

    private func list(_ stores: [DeviceState]) -> HTML {
        let words = DeviceWords(texts: texts)
        return .joined([
            element("h2", text: texts[.battery]),
            element("ul", .class("attention")) {
                stores.map { store in
                    element("li") {
                        element("a", .href(Route.device(store.id).path), text: store.name)
                        words.charge(store.known)
                        words.activity(store.known)
                    }
                }
            },
        ])
    }

    // MARK: Over the day

    private func charts(_ stores: [DeviceState]) -> HTML {
        guard let end = stores.compactMap(\.sampledAt).max() else { return .empty }
        let start = Timestamp(milliseconds: end.milliseconds - 86_400_000)
        let signals = ["pvPowerW", "loadPowerW", "gridPowerW", "batteryPowerW"]
        return .joined([
            element("h2", text: texts[.energyToday]),
            element("div", .class("charts")) {
                signals.map { name in
                    ChartFigure(
                        texts: texts,
                        chart: LineChart(
                            title: texts.terms.member(name), points: points(name, stores),
                            period: start...end, isAmount: true, tone: DeviceCharts.tone(name)),
                        unit: "W"
                    ).render()
                }
            },
        ])
    }

    /// A signal of the meter, or the sum of all batteries.
    private func points(_ name: String, _ stores: [DeviceState]) -> [LineChart.Point] {
        let series = stores.map { $0.samples[name]?.lastDay ?? [] }
        guard name == "batteryPowerW" else { return series.first ?? [] }
        var sums: [Timestamp: Double] = [:]
        for point in series.joined() { sums[point.at, default: 0] += point.value }
        return sums.map { LineChart.Point(at: $0.key, value: $0.value) }.sorted { $0.at < $1.at }
    }
}
