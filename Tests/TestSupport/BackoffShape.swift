private import Glibc

/// What the pauses between a client's attempts look like, judged from the pauses alone.
package enum BackoffShape: String, Sendable, Hashable {
    /// The same pause again and again.
    case constant
    /// Each pause is longer than the one before by the same time.
    case linear
    /// The pauses grow with the square of the attempt.
    case quadratic
    /// Each pause is a multiple of the one before, the same in every run: clients stay in step.
    case exponential
    /// Random pauses around the same value.
    case constantWithJitter
    /// Random pauses under a bound that grows by the same time.
    case linearWithJitter
    /// Random pauses under a bound that grows with the square of the attempt.
    case quadraticWithJitter
    /// Random pauses under a bound that is multiplied with every attempt: what a fleet needs.
    case exponentialWithJitter

    /// Judges the pauses of several clients, in the order of their attempts, up to the attempt at which the
    /// first of them reached its cap. Nil for fewer than five attempts.
    ///
    /// Without randomness the growth shows in the pauses themselves. With it, it is the model whose
    /// logarithms fit best: of those of `n ↦ c`, `c·n`, `c·n²` and `c·bⁿ` the one with the least Bayesian
    /// information criterion (Schwarz 1978).
    package init?(pauses runs: [[Duration]]) {
        let runs = runs.map { $0.map { max($0 / .seconds(1), 1e-9) } }
        guard let attempts = runs.map(\.count).min(), attempts >= 5 else { return nil }
        let table = runs.map { Array($0.prefix(attempts)) }
        let means = (0..<attempts).map { attempt in
            table.reduce(0) { $0 + $1[attempt] } / Double(table.count)
        }
        let isInStep = table.allSatisfy { zip($0, means).allSatisfy { Self.isAbout($0, $1) } }
        if isInStep, let shape = Self.regularShape(of: means) {
            self = shape
        } else {
            let shape = Self.jitteredShape(of: table)
            // Clients that draw the same numbers spread as little as those that draw none.
            self = isInStep && table.count > 1 ? shape.withoutJitter : shape
        }
    }

    private var withoutJitter: Self {
        switch self {
        case .constant, .constantWithJitter: .constant
        case .linear, .linearWithJitter: .linear
        case .quadratic, .quadraticWithJitter: .quadratic
        case .exponential, .exponentialWithJitter: .exponential
        }
    }

    /// Judges the pauses of one client.
    package init?(pauses: [Duration]) {
        self.init(pauses: [pauses])
    }

    // MARK: Without randomness

    /// Within a tenth, which clocks and schedulers may add.
    private static func isAbout(_ value: Double, _ expected: Double) -> Bool {
        abs(value - expected) <= 0.1 * abs(expected)
    }

    private static func regularShape(of pauses: [Double]) -> Self? {
        let mean = pauses.reduce(0, +) / Double(pauses.count)
        if pauses.allSatisfy({ isAbout($0, mean) }) { return .constant }
        if isSteady(differences(pauses)) { return .linear }
        if isSteady(zip(pauses.dropFirst(), pauses).map { $0 / $1 }) { return .exponential }
        if isSteady(differences(differences(pauses))) { return .quadratic }
        return nil
    }

    private static func differences(_ values: [Double]) -> [Double] {
        zip(values.dropFirst(), values).map { $0 - $1 }
    }

    private static func isSteady(_ values: [Double]) -> Bool {
        let mean = values.reduce(0, +) / Double(values.count)
        return mean > 0 && values.allSatisfy { isAbout($0, mean) }
    }

    // MARK: With randomness

    private static func jitteredShape(of table: [[Double]]) -> Self {
        let points = table.flatMap { run in
            run.enumerated().map { (attempt: Double($0.offset + 1), logarithm: log($0.element)) }
        }
        let powers: [(Self, Double)] = [
            (.constantWithJitter, 0), (.linearWithJitter, 1), (.quadraticWithJitter, 2),
        ]
        var best = (shape: Self.exponentialWithJitter, cost: exponentialCost(points))
        for (shape, power) in powers {
            let cost = cost(points.map { $0.logarithm - power * log($0.attempt) }, parameters: 1)
            if cost < best.cost { best = (shape, cost) }
        }
        return best.shape
    }

    private static func exponentialCost(_ points: [(attempt: Double, logarithm: Double)]) -> Double
    {
        let count = Double(points.count)
        let middle = points.reduce(0) { $0 + $1.attempt } / count
        let height = points.reduce(0) { $0 + $1.logarithm } / count
        let slope =
            points.reduce(0) { $0 + ($1.attempt - middle) * ($1.logarithm - height) }
            / points.reduce(0) { $0 + ($1.attempt - middle) * ($1.attempt - middle) }
        // A base below 1.25 is no growth that would help a broker.
        guard slope >= log(1.25) else { return .infinity }
        return cost(points.map { $0.logarithm - slope * $0.attempt }, parameters: 2)
    }

    /// What is left of the values around their mean, and the price of the parameters.
    private static func cost(_ values: [Double], parameters: Double) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        return count * log(max(variance, 1e-12)) + parameters * log(count)
    }
}
