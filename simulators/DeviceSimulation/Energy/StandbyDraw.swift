/// What a store draws while its converter stands by (PerMod of HTW Berlin, as in bslib).
struct StandbyDraw: Hashable, Sendable {
    /// What it draws in one state of charge.
    struct Draw: Hashable, Sendable {
        /// From the home, in W.
        let acW: Double
        /// From its own cells, in W.
        let dcW: Double
    }

    /// While the cells hold something.
    let charged: Draw
    /// While the cells are empty.
    let empty: Draw
}
