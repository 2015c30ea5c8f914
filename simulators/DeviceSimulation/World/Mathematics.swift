/// The real functions that the physics use, of basic operations alone: the C libraries differ in the last bit of
/// theirs, and a world must be the same on each of them.
///
/// Each function reduces its argument to a small range (W. J. Cody and W. Waite, "Software Manual for the Elementary
/// Functions", 1980) and sums the Taylor series there, which ends below 2⁻⁶⁰ of the value. By test it differs from
/// Glibc by at most 2 units in the last place; square roots are exact by IEEE 754 and need nothing here.
enum Mathematics {
    /// The sine of an angle in radians. Beyond 10⁶ rad it is that of the remainder by twice the double next to π.
    static func sine(_ angle: Double) -> Double {
        let (rest, quadrant) = RestOfAngle.of(angle)
        return switch quadrant {
        case 0: rest.sine
        case 1: rest.cosine
        case 2: -rest.sine
        default: -rest.cosine
        }
    }

    /// The cosine of an angle in radians. Beyond 10⁶ rad it is that of the remainder by twice the double next to π.
    static func cosine(_ angle: Double) -> Double {
        let (rest, quadrant) = RestOfAngle.of(angle)
        return switch quadrant {
        case 0: rest.cosine
        case 1: -rest.sine
        case 2: -rest.cosine
        default: rest.sine
        }
    }

    /// The exponential function: x = k ln 2 + r, and eˣ = 2ᵏ eʳ.
    static func exponential(_ exponent: Double) -> Double {
        guard exponent < 709.8 else { return exponent.isNaN ? exponent : .infinity }
        guard exponent > -745.2 else { return 0 }
        let steps = nearestInteger(exponent * 0x1.71547652b82fep+0)
        // The first part of ln 2 has so few bits that its product is exact.
        let high = exponent - steps * 0x1.62e42fefp-1
        let low = steps * 0x1.473de6af278edp-34
        let r = high - low
        let z = r * r
        let even =
            1 / 2 + z
            * (1 / 24 + z
                * (1 / 720 + z
                    * (1 / 40320 + z
                        * (1 / 3_628_800.0
                            + z * (1 / 479_001_600.0 + z / 87_178_291_200)))))
        let odd =
            1 / 6 + z
            * (1 / 120 + z
                * (1 / 5040 + z
                    * (1 / 362_880.0
                        + z * (1 / 39_916_800.0 + z / 6_227_020_800))))
        let power = 1 + (high - (low - z * (even + r * odd)))
        return scaled(power, by: Int(steps))
    }

    /// The angle of a vector against the x axis, in radians: from −π to π, as `atan2` of C.
    static func angle(y: Double, x: Double) -> Double {
        guard !x.isNaN, !y.isNaN else { return .nan }
        let (a, b) = (y.magnitude, x.magnitude)
        var angle = a > b ? complement(of: arcTangent(b, a)) : arcTangent(a, b)
        if x.sign == .minus { angle = 0x1.921fb54442d18p+1 - (angle - 0x1.1a62633145c07p-53) }
        return y.sign == .minus ? -angle : angle
    }

    // MARK: Parts

    /// The angle up to a right one.
    private static func complement(of angle: Double) -> Double {
        0x1.921fb54442d18p+0 - (angle - 0x1.1a62633145c07p-54)
    }

    /// The arc tangent of a/b, 0…π/4: that of the nearest sixteenth, and that of what is left.
    /// - Parameters:
    ///   - a: at least 0.
    ///   - b: at least `a`.
    private static func arcTangent(_ a: Double, _ b: Double) -> Double {
        guard a > 0 else { return 0 }
        let ratio = a == b ? 1 : a / b
        let index = Int(nearestInteger(ratio * 16))
        let sixteenths = Double(index) / 16
        let t = (ratio - sixteenths) / (1 + ratio * sixteenths)
        let z = t * t
        let series =
            z * (1 / 3 - z * (1 / 5 - z * (1 / 7 - z * (1 / 9.0 - z * (1 / 11.0 - z / 13)))))
        let (high, low) = arcTangents[index]
        return high + (t - (t * series - low))
    }

    /// The arc tangents of 0, 1/16 … 1, each as the nearest double and what that lacks.
    private static let arcTangents: [(Double, Double)] = [
        (0, 0), (0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60),
        (0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59),
        (0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58),
        (0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57),
        (0x1.362773707ebccp-2, -0x1.963a544b672d8p-57),
        (0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56),
        (0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56),
        (0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56),
        (0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56),
        (0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58),
        (0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55),
        (0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56),
        (0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57),
        (0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56),
        (0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56),
        (0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55),
    ]

    /// The nearest whole number of one that is smaller than 2⁵¹: the sum has no bits for a fraction.
    @inline(__always)
    fileprivate static func nearestInteger(_ number: Double) -> Double {
        (number + 0x1.8p52) - 0x1.8p52
    }

    /// A number times a power of two, also where the result is too small for its full precision.
    private static func scaled(_ number: Double, by exponent: Int) -> Double {
        guard exponent < -1021 else {
            // 2¹⁰²⁴ is too large for a factor.
            let half = exponent / 2
            return number * powerOfTwo(half) * powerOfTwo(exponent - half)
        }
        return number * powerOfTwo(exponent + 1000) * powerOfTwo(-1000)
    }

    private static func powerOfTwo(_ exponent: Int) -> Double {
        Double(bitPattern: UInt64(1023 + exponent) << 52)
    }
}

/// What is left of an angle beside its quarter turns, −π/4…π/4, as the nearest double and what that lacks.
private struct RestOfAngle {
    let angle: Double
    let tail: Double

    /// What is left of an angle, and its quarter turns, 0…3.
    static func of(_ angle: Double) -> (Self, quadrant: Int) {
        guard angle.magnitude > .pi / 4 else { return (Self(angle: angle, tail: 0), 0) }
        guard angle.magnitude < 1e6 else {
            guard angle.isFinite else { return (Self(angle: .nan, tail: 0), 0) }
            return of(angle.truncatingRemainder(dividingBy: 2 * .pi))
        }
        let turns = Mathematics.nearestInteger(angle * 0x1.45f306dc9c883p-1)
        // π/2 in three parts; the first two have so few bits that their products are exact.
        let first = angle - turns * 0x1.921fb544p+0
        let second = turns * 0x1.0b4611a6p-34
        let high = first - second
        let low = ((first - high) - second) - turns * 0x1.3198a2e037073p-69
        let rest = high + low
        return (Self(angle: rest, tail: (high - rest) + low), Int(turns) & 3)
    }

    var sine: Double {
        let z = angle * angle
        let series =
            1 / 120 - z
            * (1 / 5040 - z
                * (1 / 362_880.0 - z
                    * (1 / 39_916_800.0
                        - z
                        * (1 / 6_227_020_800.0 - z
                            * (1 / 1_307_674_368_000.0
                                - z / 355_687_428_096_000)))))
        let cube = z * angle
        return angle - ((z * (tail / 2 - cube * series) - tail) + cube / 6)
    }

    var cosine: Double {
        let z = angle * angle
        let series =
            1 / 24 - z
            * (1 / 720 - z
                * (1 / 40320 - z
                    * (1 / 3_628_800.0
                        - z
                        * (1 / 479_001_600.0 - z
                            * (1 / 87_178_291_200.0
                                - z * (1 / 20_922_789_888_000.0 - z / 6_402_373_705_728_000))))))
        let half = z / 2
        let whole = 1 - half
        return whole + (((1 - whole) - half) + (z * z * series - angle * tail))
    }
}
