import Basics
import Glibc
import Testing

@testable import DeviceSimulation

/// The functions of the physics against those of Glibc, whose errors are below one unit in the last place.
@Suite struct MathematicsTests {
    /// How many doubles lie between two.
    private func steps(_ one: Double, _ other: Double) -> Double {
        if one == other { return 0 }
        return (one - other).magnitude / max(one.magnitude, other.magnitude).ulp
    }

    /// The largest distance of many random arguments.
    private func worst(
        _ range: ClosedRange<Double>, _ own: (Double) -> Double, _ other: (Double) -> Double
    ) -> Double {
        var generator = SeededGenerator(seed: 1)
        var worst = 0.0
        for _ in 0..<200_000 {
            let x = generator.uniform(in: range)
            worst = max(worst, steps(own(x), other(x)))
        }
        return worst
    }

    @Test(arguments: [-0.8...0.8, -7...7, -2000...2000, -1e6...1e6, -1e-3...1e-3])
    func sineAndCosine(_ range: ClosedRange<Double>) {
        #expect(worst(range, Mathematics.sine, sin) < 2)
        #expect(worst(range, Mathematics.cosine, cos) < 2)
    }

    @Test func quarterTurns() {
        for turns in -1000...1000 {
            let angle = Double(turns) * .pi / 2
            #expect(steps(Mathematics.sine(angle), sin(angle)) < 2)
            #expect(steps(Mathematics.cosine(angle), cos(angle)) < 2)
        }
        #expect(Mathematics.sine(0) == 0 && Mathematics.cosine(0) == 1)
        #expect(Mathematics.sine(.infinity).isNaN && Mathematics.cosine(.nan).isNaN)
        #expect((Mathematics.sine(1e9) - sin(1e9)).magnitude < 1e-6)
    }

    @Test(arguments: [-1...1, -40...40, -700...709.7, -745...(-700), -1e-6...1e-6])
    func exponential(_ range: ClosedRange<Double>) {
        #expect(worst(range, Mathematics.exponential, exp) < 2)
    }

    @Test func exponentialAtItsEnds() {
        #expect(Mathematics.exponential(0) == 1)
        #expect(Mathematics.exponential(710) == .infinity)
        #expect(Mathematics.exponential(-800) == 0 && Mathematics.exponential(-.infinity) == 0)
        #expect(Mathematics.exponential(.nan).isNaN)
    }

    @Test(arguments: [1e-12, 1e-3, 1, 1e3, 1e12])
    func angle(_ scale: Double) {
        var generator = SeededGenerator(seed: 2)
        var worst = 0.0
        for _ in 0..<200_000 {
            let y = generator.uniform(in: -scale...scale)
            let x = generator.uniform(in: -1...1)
            worst = max(worst, steps(Mathematics.angle(y: y, x: x), atan2(y, x)))
        }
        #expect(worst <= 2)
    }

    @Test func anglesOfAxesAndInfinities() {
        let ends = [0.0, -0.0, 1, -1, .infinity, -.infinity, 1e-300, 1e300]
        for y in ends {
            for x in ends {
                let (own, other) = (Mathematics.angle(y: y, x: x), atan2(y, x))
                #expect(steps(own, other) < 2 && own.sign == other.sign, "\(y), \(x)")
            }
        }
        #expect(Mathematics.angle(y: .nan, x: 1).isNaN)
    }
}
