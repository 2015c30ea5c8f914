internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The sums, charts and files of an energy report.
struct EnergyFigures: Sendable {
    let texts: Texts
    let report: EnergyReport

    func render() -> HTML {
        guard !report.powers.isEmpty else {
            let isNow = report.period.stepsBack == 0
            return element("p", .class("muted"), text: texts[isNow ? .noSamples : .noSamplesThen])
        }
        return .joined([
            sums,
            power,
            report.bars.isEmpty ? .empty : energy,
            files,
        ])
    }

    // MARK: Sums

    private var sums: HTML {
        let total = report.total
        let format = texts.format
        var pairs: [(Phrase, String)] = []
        if let percent = total.selfSufficiencyPercent {
            pairs.append((.selfSufficiency, format.number(percent, decimals: 0) + "%"))
        }
        pairs += [
            (.consumption, format.energy(total.usedKWh)), (.solar, format.energy(total.solarKWh)),
            (.fromGrid, format.energy(total.importedKWh)),
            (.intoGrid, format.energy(total.exportedKWh)),
            (.chargedEnergy, format.energy(total.chargedKWh)),
            (.dischargedEnergy, format.energy(total.dischargedKWh)),
        ]
        if let cost = total.cost, let currency = report.currency {
            pairs.append((.energyCost, format.money(cost, currency)))
        }
        return element("dl", .class("values")) {
            pairs.map { name, value in
                element("div") {
                    element("dt", text: texts[name])
                    element("dd", text: value)
                }
            }
        }
    }

    // MARK: Charts

    private var power: HTML {
        let powers = report.powers
        func amounts(_ value: (EnergyPower) -> Double?) -> [Double] {
            powers.map { max(value($0) ?? 0, 0) }
        }
        let chart = StackedChart(
            title: texts[.powerChart], moments: powers.map(\.at),
            layers: layers(
                solar: amounts(\.solarW), discharged: amounts { $0.batteryW.map { -$0 } },
                imported: amounts(\.gridW), used: amounts(\.loadW), charged: amounts(\.batteryW),
                exported: amounts { $0.gridW.map { -$0 } }),
            shape: .areas(
                longestGap: max(LineChart.longestGap, report.resolution * 5 / 2),
                width: report.resolution),
            period: report.filled, smallestSpan: SignalUnit.watts.smallestSpan)
        let (format, isHour) = (texts.format, report.period.range == .hour)
        return StackedFigure(
            texts: texts, chart: chart, axis: TimeAxis(texts: texts, period: chart.period),
            amount: { format.power($0) },
            moment: { isHour ? format.timeWithSeconds($0) : format.dayAndTime($0) }
        ).render()
    }

    private var energy: HTML {
        let bars = report.bars
        func amounts(_ value: (EnergyBalance) -> Double) -> [Double] {
            bars.map { max(value($0.balance), 0) }
        }
        let chart = StackedChart(
            title: texts[.energyChart], moments: bars.map(\.at),
            layers: layers(
                solar: amounts(\.solarKWh), discharged: amounts(\.dischargedKWh),
                imported: amounts(\.importedKWh), used: amounts(\.usedKWh),
                charged: amounts(\.chargedKWh), exported: amounts(\.exportedKWh)),
            shape: .bars(width: barWidth), period: barPeriod,
            smallestSpan: SignalUnit.kilowattHours.smallestSpan)
        let format = texts.format
        let range = report.period.range
        return StackedFigure(
            texts: texts, chart: chart, axis: TimeAxis(texts: texts, period: chart.period),
            amount: { format.energy($0) },
            moment: { moment in
                switch range {
                case .hour, .day: format.dayAndTime(moment)
                case .week, .month: format.date(moment)
                case .year: format.monthAndYear(moment)
                }
            }
        ).render()
    }

    /// Above zero where it comes from, below where it goes.
    private func layers(
        solar: [Double], discharged: [Double], imported: [Double], used: [Double],
        charged: [Double], exported: [Double]
    ) -> [StackedChart.Layer] {
        func layer(_ name: Phrase, _ tone: String, _ amounts: [Double], below: Bool = false)
            -> StackedChart.Layer
        {
            StackedChart.Layer(name: texts[name], tone: tone, isBelow: below, amounts: amounts)
        }
        return [
            layer(.solar, "sun", solar), layer(.dischargedEnergy, "battery", discharged),
            layer(.fromGrid, "grid-power", imported),
            layer(.consumption, "load", used, below: true),
            layer(.chargedEnergy, "charged", charged, below: true),
            layer(.intoGrid, "exported", exported, below: true),
        ]
    }

    /// From the first bar to the end of the last one, with room for eight.
    private var barPeriod: ClosedRange<Timestamp> {
        guard let first = report.bars.first?.at, let last = report.bars.last?.at else {
            return report.period.span
        }
        let end = last.advanced(by: .milliseconds(barWidth))
        return min(first, end.advanced(by: .milliseconds(-8 * barWidth)))...end
    }

    /// In milliseconds; a month is drawn with 30 days.
    private var barWidth: Int {
        switch report.period.range {
        case .hour, .day: 3_600_000
        case .week, .month: 86_400_000
        case .year: 30 * 86_400_000
        }
    }

    // MARK: Files

    private var files: HTML {
        let path = EnergyQuery(report.period.range, report.period.stepsBack).fileAddress
        return element("p", .class("row")) {
            element("a", .class("button little"), .href(path), .init("download")) {
                HTML("\(texts[.powerChart]) (CSV)")
            }
            if !report.bars.isEmpty {
                element("a", .class("button little"), .href("\(path)&of=energy"), .init("download"))
                {
                    HTML("\(texts[.energyChart]) (CSV)")
                }
            }
        }
    }
}

/// An energy report as CSV (RFC 4180), with times in UTC. It is the same in every language.
struct EnergyTable: Sendable {
    let report: EnergyReport

    /// The power of each column, in W.
    var power: String {
        let rows = report.powers.map { power in
            row(power.at, [power.solarW, power.gridW, power.loadW, power.batteryW])
        }
        return text(["at,solarW,gridW,loadW,batteryW"] + rows)
    }

    /// The energy of each hour, day or month, in kWh.
    var energy: String {
        let header =
            "at,solarKWh,usedKWh,importedKWh,exportedKWh,chargedKWh,dischargedKWh,selfSufficiencyPercent,cost"
        let rows = report.bars.map { bar in
            let each = bar.balance
            return row(
                bar.at,
                [
                    each.solarKWh, each.usedKWh, each.importedKWh, each.exportedKWh,
                    each.chargedKWh, each.dischargedKWh, each.selfSufficiencyPercent, each.cost,
                ])
        }
        return text([header] + rows)
    }

    private func row(_ moment: Timestamp, _ values: [Double?]) -> String {
        let numbers = values.map { value in
            value.map { "\(($0 * 1_000).rounded() / 1_000)" } ?? ""
        }
        return (["\(moment)"] + numbers).joined(separator: ",")
    }

    private func text(_ lines: [String]) -> String { lines.map { $0 + "\r\n" }.joined() }
}
