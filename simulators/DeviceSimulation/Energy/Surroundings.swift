/// What a home's profile says about one minute: computed once for its seconds. It is a function of the
/// profile and the time alone, wherever the simulation began.
struct Surroundings: Hashable, Sendable {
    /// The temperature of the air, in °C.
    private(set) var ambientC = 15.0
    private var minute: Int?
    /// The light of a clear sky on the modules, in W/m².
    private var beam = MinuteLine()
    private var diffuse = MinuteLine()
    /// The share of the sky that clouds cover, 0…1.
    private var cover = MinuteLine()
    /// What changes slowly in the home, in W.
    private var slow = MinuteLine()
    /// The local day, and what is used on it and on the day before.
    private var day: Int?
    private var planned: [ApplianceUse] = []
    /// What is used in this minute.
    private var running: [ApplianceUse] = []

    /// Moves to a second.
    mutating func move(to second: Int, of profile: HomeProfile) {
        let minute = second.floored(by: 60)
        guard minute != self.minute else { return }
        self.minute = minute
        let (start, end) = (minute * 60, minute * 60 + 60)
        let (lightAtStart, lightAtEnd) = (
            profile.roof.clearLight(HomeClock.sun(at: start)),
            profile.roof.clearLight(HomeClock.sun(at: end))
        )
        beam = MinuteLine(start: lightAtStart.beam, end: lightAtEnd.beam)
        diffuse = MinuteLine(start: lightAtStart.diffuse, end: lightAtEnd.diffuse)
        cover = MinuteLine(
            start: profile.weather.cover(at: start), end: profile.weather.cover(at: end))
        ambientC = profile.weather.ambientC(at: start)
        slow = MinuteLine(
            start: profile.habits.slowW(at: start), end: profile.habits.slowW(at: end))
        plan(HomeClock.day(at: start), profile.habits)
        running = planned.filter { $0.runs(inMinuteFrom: start) }
    }

    private mutating func plan(_ day: Int, _ habits: HomeHabits) {
        guard day != self.day else { return }
        self.day = day
        planned = habits.appliances(onDay: day - 1) + habits.appliances(onDay: day)
    }

    /// What the roof can give, in W.
    func pvW(at second: Int, of profile: HomeProfile) -> Double {
        let share = Double(second.rest(by: 60)) / 60
        let clear = beam.value(at: share)
        let sky = diffuse.value(at: share)
        guard clear + sky > 0 else { return 0 }
        let cover = cover.value(at: share)
        let shade = profile.weather.shade(at: second - profile.roof.cloudDelay, cover: cover)
        // A cloud scatters a part of what it takes, unless the whole sky is covered.
        let irradiance = clear * (1 - shade) + sky * (1 + shade * (0.6 - cover))
        return profile.roof.powerW(irradiance: irradiance, ambientC: ambientC)
    }

    /// What the home wants to draw, in W.
    func loadW(at second: Int, of profile: HomeProfile) -> Double {
        let slowW = slow.value(at: Double(second.rest(by: 60)) / 60)
        var watts = slowW + profile.habits.quickW(at: second, slowW: slowW)
        for use in running { watts += use.watts(at: second) }
        return watts
    }
}
