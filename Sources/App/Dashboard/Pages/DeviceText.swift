internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// What pages say of devices, in the language of the page.
struct DeviceText: Sendable {
    let texts: Texts
    /// The units of numbers: those of the reader, or of the protocol for what commands say.
    let units: UnitSystem

    /// - Parameter units: `nil` for those of the reader.
    init(texts: Texts, units: UnitSystem? = nil) {
        self.texts = texts
        self.units = units ?? texts.units
    }

    /// Whether a device can be reached.
    func presence(_ presence: DevicePresence) -> HTML {
        switch presence {
        case .online: Badge(tone: .good, text: texts[.online], icon: .done).html
        case .offline: Badge(tone: .plain, text: texts[.offline], icon: .problem).html
        case .doubtful, .unknown:
            Badge(tone: .warn, text: texts[.presenceUnknown], icon: .doubt).html
        }
    }

    /// That a device is known from an earlier run only, and how old that is.
    func remembered(since moment: Timestamp?) -> String {
        let known = texts[.remembered]
        guard let moment else { return known }
        let age = texts.format.age(of: moment, now: MachineClock.wallTime)
        return texts.choose(english: "\(known), \(age)", chinese: "\(known)（\(age)）")
    }

    /// How old what is shown of a device is; `nil` for one that is online.
    func age(_ device: DeviceSummary) -> String? {
        if device.isRemembered { return remembered(since: device.rememberedSince) }
        return device.heardLast.map(asItWas)
    }

    /// That something is as old as a moment.
    func asItWas(at moment: Timestamp) -> String {
        let age = texts.format.age(of: moment, now: MachineClock.wallTime)
        return texts.choose(english: "as it was \(age)", chinese: "为\(age)的情况")
    }

    /// The drawing of a kind.
    static func icon(_ kind: DeviceKind?) -> Icon {
        switch kind?.rawValue {
        case "sweeping-robot": .sweepingRobot
        case "pool-robot": .poolRobot
        case "energy-store": .energyStore
        case "zigbee-bridge": .bridge
        case "light": .light
        default: .device
        }
    }

    /// Whether a device can be reached, what it does, and its charge.
    func facts(_ device: DeviceSummary) -> HTML {
        let values = [activity(of: device), charge(device.battery)].compactMap(\.self)
        guard let age = age(device) else {
            return .joined([presence(device.presence)] + values)
        }
        return .joined([
            presence(device.presence),
            values.isEmpty ? .empty : element("span", .class("facts aged")) { values },
            element("span", .class("muted small"), text: age),
        ])
    }

    /// What a device does, as a badge; a fault by its name.
    func activity(of device: DeviceSummary) -> HTML? {
        for case .error(let code) in device.attention where device.activity == "error" {
            return Badge(tone: .bad, text: texts.faults.name(code), icon: .problem).html
        }
        return activity(device.activity)
    }

    /// A battery with its charge, and whether it charges.
    func charge(_ battery: BatteryContent?) -> HTML? {
        guard let battery, let percent = battery.chargePercent else { return nil }
        let text = texts.format.number(percent, decimals: 0) + "%"
        let level = percent < 15 ? "low" : percent < 40 ? "middle" : "high"
        return element("span", .class("charge \(level)")) {
            element(
                "svg", .init("viewBox", "0 0 34 14"), .decorative, .init("focusable", "false")
            ) {
                void(
                    "rect", .class("shell"), .init("x", "1"), .init("y", "1"),
                    .init("width", "29"), .init("height", "12"), .init("rx", "3"))
                void(
                    "rect", .class("level"), .init("x", "3"), .init("y", "3"),
                    .init("width", LineChart.text(25 * min(max(percent, 0), 100) / 100)),
                    .init("height", "8"), .init("rx", "1.5"))
                void(
                    "rect", .class("shell"), .init("x", "31"), .init("y", "5"),
                    .init("width", "2"), .init("height", "4"))
            }
            element("span", .class("unseen"), text: texts[.charge])
            element("span", text: text)
            charging(battery).map { element("span", .class("muted small"), text: $0) }
        }
    }

    private func charging(_ battery: BatteryContent) -> String? {
        if battery.isCharging { return texts[.charging] }
        guard let watts = battery.powerW, watts.magnitude > 5 else { return nil }
        return
            "\(texts[watts > 0 ? .charging : .discharging]) \(texts.format.power(watts.magnitude))"
    }

    /// What a device does, as a badge.
    func activity(_ activity: String?) -> HTML? {
        guard let activity else { return nil }
        let tone: BadgeTone =
            switch activity {
            case "cleaning", "moving", "returning", "surfacing": .info
            case "error": .bad
            case "paused": .warn
            default: .plain
            }
        let icon: Icon =
            switch tone {
            case .info: .running
            case .bad: .problem
            case .warn: .waiting
            case .plain, .good: .done
            }
        return Badge(tone: tone, text: texts.terms.value(activity), icon: icon).html
    }

    /// A value as people read it, with its unit.
    func value(_ value: JSONValue, of name: String) -> String {
        switch value {
        case .null: return texts[.none]
        case .boolean(let isSo): return texts[isSo ? .yes : .no]
        case .number(let number): return amount(number, of: name)
        case .string(let text) where [.error, .alarms].contains(Signal(rawValue: name)):
            return texts.faults.sentence(text)
        case .string(let text): return texts.terms.value(text)
        case .array(let values):
            return values.isEmpty
                ? texts[.none] : values.map { self.value($0, of: name) }.joined(separator: ", ")
        case .object(let members):
            return members.sorted { $0.key < $1.key }
                .map { "\(texts.terms.member($0.key)): \(self.value($0.value, of: $0.key))" }
                .joined(separator: ", ")
        }
    }

    private func amount(_ number: Double, of name: String) -> String {
        let shown = units.unit(ofSignal: name)
        switch SignalUnit(ofSignal: name) {
        case .watts: return texts.format.power(number)
        case .seconds where number >= 120:
            return texts.format.number(number / 60, decimals: 0) + " min"
        case .minutes where number >= 600:
            let hours = texts.format.number(number / 60, decimals: 0)
            return texts.choose(english: "\(hours) h", chinese: "\(hours) 小时")
        case .percent: return texts.format.number(number) + "%"
        case .degrees: return texts.format.number(number, decimals: 0) + "°"
        case .kilowattHours, .squareMetres, .degreesCelsius, .seconds, .minutes, .metres, .volts,
            .amperes, .lux, .hectopascals, nil:
            let text = texts.format.number(shown?.value(of: number) ?? number, decimals: 2)
            return shown.map { "\(text) \($0.symbol)" } ?? text
        }
    }
}
