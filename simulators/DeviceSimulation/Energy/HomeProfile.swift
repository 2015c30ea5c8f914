import Basics

/// What a home is like: its weather, its roof, its habits and its meters. It never changes; what follows
/// from it at a time of the world is ``Surroundings``.
struct HomeProfile: Hashable, Sendable {
    /// The weather, shared with the other homes of the region.
    let weather: RegionWeather
    /// The roof.
    let roof: Roof
    /// What is switched on, and when.
    let habits: HomeHabits
    /// The meter at the grid.
    let gridMeter: EnergyMeter
    /// The meter of the roof's inverter.
    let pvMeter: EnergyMeter

    /// - Parameters:
    ///   - weather: of the home's region.
    ///   - roof: the peak powers to choose from, in W.
    init(
        weather: RegionWeather, roof: Rating = HomeRatings.roof,
        using generator: inout SeededGenerator
    ) {
        self.weather = weather
        self.roof = Roof(peak: roof, using: &generator)
        habits = HomeHabits(using: &generator)
        gridMeter = EnergyMeter(error: HomeRatings.meterError.drawn(using: &generator))
        pvMeter = EnergyMeter(error: HomeRatings.meterError.drawn(using: &generator))
    }

    init(weather: RegionWeather, roof: Roof, habits: HomeHabits) {
        self.weather = weather
        self.roof = roof
        self.habits = habits
        gridMeter = EnergyMeter(error: 0)
        pvMeter = EnergyMeter(error: 0)
    }
}
