/// The numbers of a home's roof, load and meter.
enum HomeRatings {
    /// The peak power of the modules at 1000 W/m² and 25 °C.
    static let roof = Rating(4000...9000, "W", .estimate("usual for one family's house"))
    static let tilt = Rating(20...45, "°", .estimate("usual pitched roofs"))
    static let azimuth = Rating(120...240, "°", .estimate("within 60° of south"))
    /// What modules and cables lose before the inverter.
    static let systemLoss = Rating(0.14, "1", .published("PVWatts version 5, default losses"))
    /// What a kelvin above 25 °C costs.
    static let temperatureLoss = Rating(
        0.0035, "1/K", .published("IEC datasheets of crystalline modules, typical"))
    /// How much warmer than the air a module is per W/m².
    static let moduleWarming = Rating(
        0.031, "K/(W/m²)", .published("NOCT of 45 °C: 25 K at 800 W/m²"))
    /// Module power per inverter power.
    static let inverterSizing = Rating(1.05...1.3, "1", .estimate("DC/AC ratios of planners"))
    static let inverterEfficiency = Rating(0.96, "1", .published("PVWatts version 5, default"))
    /// The part-load curve of an inverter whose nominal efficiency is 0.9637.
    static let referenceEfficiency = Rating(0.9637, "1", .published("PVWatts version 5"))
    static let groundReflection = Rating(0.2, "1", .published("PVWatts version 5, albedo"))
    /// What of a clear sky's light comes from all of the sky.
    static let diffuseShare = Rating(0.15, "1", .estimate("clear sky at mid latitudes"))

    /// What is always switched on.
    static let base = Rating(70...160, "W", .estimate("router, standby, circulation pump"))
    static let fridge = Rating(55...110, "W", .estimate("a compressor of class E"))
    static let fridgePeriod = Rating(2400...4200, "s", .estimate("40 to 70 min between starts"))
    static let fridgeDuty = Rating(0.28...0.42, "1", .estimate("a third of the time"))
    /// How much of everything a household uses.
    static let people = Rating(0.6...1.4, "1", .estimate("one to four people"))

    /// How likely it is that the link to the meter fails within six hours, and how long it does; only in a run that
    /// asks for it.
    static let meterFailure = Rating(0.02, "1", .estimate("once in two weeks"))
    static let meterSilence = Rating(2...30, "min", .estimate("until the radio link is back"))

    /// The errors of the meters at the grid and at the roof.
    static let meterError = Rating(-0.005...0.005, "1", .published("EN 50470-3 class C: 0.5 %"))

    /// What light, screens and small appliances add at the hump of a morning, a noon and an evening, for two people.
    static let morning = Rating(160, "W", .estimate("in the shape of the load profile H0"))
    static let noon = Rating(90, "W", .estimate("in the shape of the load profile H0"))
    static let freeNoon = Rating(190, "W", .estimate("somebody is at home"))
    static let evening = Rating(330, "W", .estimate("in the shape of the load profile H0"))
    /// How much more that is in winter in the evening, and less in summer.
    static let eveningSeason = Rating(0.35, "1", .estimate("light is on for longer"))
    /// How a quarter of an hour differs from the mean.
    static let mood = Rating(0.6...1.4, "1", .estimate("people come and go"))
    /// What flickers from second to second, by itself and by what else is on.
    static let flicker = Rating(16, "W", .estimate("switched supplies"))
    static let flickerShare = Rating(0.03, "1", .estimate("motors and thermostats"))

    /// All of them by the names under which they are printed.
    static var list: [(name: String, rating: Rating)] {
        [
            ("roof", roof), ("tilt", tilt), ("azimuth", azimuth), ("system-loss", systemLoss),
            ("temperature-loss", temperatureLoss), ("module-warming", moduleWarming),
            ("inverter-sizing", inverterSizing), ("inverter-efficiency", inverterEfficiency),
            ("reference-efficiency", referenceEfficiency),
            ("ground-reflection", groundReflection), ("diffuse-share", diffuseShare),
            ("base", base), ("fridge", fridge), ("fridge-period", fridgePeriod),
            ("fridge-duty", fridgeDuty), ("people", people),
            ("meter-failure", meterFailure), ("meter-silence", meterSilence),
            ("meter-error", meterError), ("morning", morning), ("noon", noon),
            ("free-noon", freeNoon), ("evening", evening), ("evening-season", eveningSeason),
            ("mood", mood), ("flicker", flicker), ("flicker-share", flickerShare),
        ]
    }
}
