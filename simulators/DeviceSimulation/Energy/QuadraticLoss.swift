/// The losses of a converter: a quadratic function of its load.
struct QuadraticLoss: Hashable, Sendable {
    /// Rises with the square of the load, in W at full load.
    let a: Double
    /// Rises with the load, in W at full load.
    let b: Double
    /// What the converter needs by itself, in W; below this power it stands by.
    let c: Double

    /// The loss at a share of the nominal power, in W.
    func watts(atLoad p: Double) -> Double { a * p * p + b * p + c }
}
