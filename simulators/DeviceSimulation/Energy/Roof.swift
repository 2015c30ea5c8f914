import Basics

/// Photovoltaic modules on a roof, and their inverter.
struct Roof: Hashable, Sendable {
    /// The peak power of the modules, in W.
    let peakW: Double
    /// The largest power of the inverter, in W.
    let inverterW: Double
    /// The direction that the modules face.
    private let normal: SunPosition
    /// How long after the region's first roof a cloud comes here, in s.
    let cloudDelay: Int

    init(peakW: Double, tiltDeg: Double, azimuthDeg: Double, sizing: Double, cloudDelay: Int) {
        self.peakW = peakW
        inverterW = peakW / sizing
        self.cloudDelay = cloudDelay
        let (tilt, azimuth) = (tiltDeg * .pi / 180, azimuthDeg * .pi / 180)
        let slope = Mathematics.sine(tilt)
        normal = SunPosition(
            east: slope * Mathematics.sine(azimuth), north: slope * Mathematics.cosine(azimuth),
            up: Mathematics.cosine(tilt))
    }

    /// A roof drawn from the generator.
    init(peak: Rating = HomeRatings.roof, using generator: inout SeededGenerator) {
        self.init(
            peakW: peak.drawn(using: &generator),
            tiltDeg: HomeRatings.tilt.drawn(using: &generator),
            azimuthDeg: HomeRatings.azimuth.drawn(using: &generator),
            sizing: HomeRatings.inverterSizing.drawn(using: &generator),
            cloudDelay: Int(generator.uniform(in: 0...120)))
    }

    /// The light of a clear sky on the modules, in W/m².
    func clearLight(_ sun: SunPosition) -> (beam: Double, diffuse: Double) {
        let horizontal = RegionWeather.clearSky(cosZenith: sun.up)
        guard horizontal > 0 else { return (0, 0) }
        let diffuse = horizontal * Self.diffuseShare
        let incidence = normal.east * sun.east + normal.north * sun.north + normal.up * sun.up
        // Near the horizon the horizontal part is too small to be divided by.
        let beam = (horizontal - diffuse) * max(0, incidence) / max(sun.up, 0.08)
        let reflected = horizontal * Self.reflection * (1 - normal.up) / 2
        return (beam, diffuse * (1 + normal.up) / 2 + reflected)
    }

    /// What the inverter gives, in W.
    /// - Parameter irradiance: on the modules, in W/m².
    func powerW(irradiance: Double, ambientC: Double) -> Double {
        let moduleC = ambientC + Self.warming * irradiance
        let loss = 1 - Self.temperatureLoss * (moduleC - 25)
        return invertedW(peakW * irradiance / 1000 * loss * (1 - Self.systemLoss))
    }

    /// The part-load curve of PVWatts version 5, with clipping.
    func invertedW(_ dcW: Double) -> Double {
        let ratedW = inverterW / Self.nominal
        let z = dcW / ratedW
        guard z > Self.startShare else { return 0 }
        return min(dcW * Self.efficiency(z), inverterW)
    }

    /// The efficiency of an inverter at a share of its DC power (PVWatts version 5).
    static func efficiency(_ z: Double) -> Double {
        nominal / reference * (-0.0162 * z - 0.0059 / z + 0.9858)
    }

    /// Below this share the inverter does not start; there the curve ends at nothing.
    private static let startShare = 0.0061
    private static let nominal = HomeRatings.inverterEfficiency.value
    private static let reference = HomeRatings.referenceEfficiency.value
    private static let diffuseShare = HomeRatings.diffuseShare.value
    private static let reflection = HomeRatings.groundReflection.value
    private static let warming = HomeRatings.moduleWarming.value
    private static let temperatureLoss = HomeRatings.temperatureLoss.value
    private static let systemLoss = HomeRatings.systemLoss.value
}
