/// The chemistry of a cell: lithium iron phosphate.
enum CellModel {
    /// The open-circuit voltage of a lithium iron phosphate cell, in V (Afshar 2017, as in
    /// PyBaMM's `Prada2013`).
    /// - Parameter charge: of the cell, 0…1; a store uses a part of it (``CellPack``).
    static func openCircuitV(charge: Double) -> Double {
        let x = 1 - min(max(charge, 0), 1)
        return 3.4077 - 0.020269 * x + 0.5 * Mathematics.exponential(-150 * x)
            - 0.9 * Mathematics.exponential(-30 * (1 - x))
    }

    /// ``openCircuitV(charge:)`` at steps of 1/1024. Between them it is within 0.2 mV in the part of
    /// the charge that stores use.
    private static let curve = (0...1024).map { openCircuitV(charge: Double($0) / 1024) }

    /// ``openCircuitV(charge:)`` without an exponential.
    static func lookedUpV(charge: Double) -> Double {
        let position = min(max(charge, 0), 1) * 1024
        let index = min(Int(position), 1023)
        let lower = curve[index]
        return lower + (curve[index + 1] - lower) * (position - Double(index))
    }

    /// How much higher the resistance is at a temperature than at 25 °C (Arrhenius).
    static func resistanceFactor(celsius: Double) -> Double {
        let energy = StoreConstants.activationEnergy.value / 8.314
        return Mathematics.exponential(energy * (1 / (celsius + 273.15) - 1 / 298.15))
    }
}

/// The cells of a model: how many, how large, and which part of their charge is used.
struct CellPack: Hashable, Sendable {
    /// Cells in series.
    let count: Double
    /// The charge of the cells of an empty store, 0…1.
    let emptyCell: Double
    /// What the charge of the cells rises by until the store is full.
    let span: Double
    /// The resistance of a cell at 25 °C that acts at once, in Ω.
    let promptOhm: Double
    /// The resistance of a cell at 25 °C that acts with a delay, in Ω.
    let delayedOhm: Double

    /// What the delayed voltage changes in a second, as a share of what it lacks.
    static let delayedShare =
        1 - Mathematics.exponential(-1 / StoreConstants.polarizationTime.value)

    /// The voltage of a cell in the plateau, in V: what its capacity in Wh is divided by.
    private static let plateauV = 3.2
    /// The capacity at which ``StoreConstants/cellResistance`` was measured, in Ah.
    private static let measuredAh = 100.0

    /// - Parameter capacityWh: what the store holds between empty and full.
    init(capacityWh: Double) {
        count = StoreConstants.cellCount.value
        emptyCell = StoreConstants.emptyCell.value
        span = StoreConstants.fullCell.value - emptyCell
        let ampereHours = capacityWh / span / (count * Self.plateauV)
        let ohm = StoreConstants.cellResistance.value * Self.measuredAh / ampereHours
        promptOhm = ohm * StoreConstants.promptShare.value
        delayedOhm = ohm * (1 - StoreConstants.promptShare.value)
    }

    /// The open-circuit voltage of a cell at a charge of the store, 0…1, in V.
    func restingV(charge: Double) -> Double {
        CellModel.lookedUpV(charge: emptyCell + span * charge)
    }
}

/// The voltage of a store's cells, which follows its current at once and with a delay.
struct CellVoltage: Hashable, Sendable {
    /// From the lowest to the highest cell, in V.
    let spreadV: Double
    /// The mean of the cells, in V.
    private(set) var meanV: Double
    /// The part that follows the current with a delay, in V.
    private(set) var delayedV = 0.0
    /// How much higher the resistance is than at 25 °C.
    var resistanceFactor = 1.0

    /// Cells at rest.
    init(spreadV: Double, restingV: Double) {
        self.spreadV = spreadV
        meanV = restingV
    }

    /// The lowest cell, in V.
    var lowestV: Double { meanV - spreadV / 2 }
    /// The highest cell, in V.
    var highestV: Double { meanV + spreadV / 2 }

    /// One second with a power.
    /// - Parameters:
    ///   - cellW: what the pack takes, in W; negative when it gives.
    ///   - restingV: the open-circuit voltage of a cell at the end of the second.
    mutating func advance(cellW: Double, restingV: Double, of pack: CellPack) {
        let amperes = cellW / (pack.count * restingV)
        let targetV = amperes * pack.delayedOhm * resistanceFactor
        delayedV += (targetV - delayedV) * CellPack.delayedShare
        meanV = restingV + amperes * pack.promptOhm * resistanceFactor + delayedV
    }

    /// The share of a power at which the lowest cell comes to lie on the taper of the discharge, 0…1.
    ///
    /// The taper is a line between two voltages, and the voltage falls with the power that it allows:
    /// this is where the two lines meet, so that the power does not swing.
    /// - Parameters:
    ///   - cellW: the power that is wanted of the pack, in W.
    ///   - restingV: the open-circuit voltage of a cell.
    func dischargeShare(of cellW: Double, restingV: Double, of pack: CellPack) -> Double {
        let (from, to) = (Self.taperFromV, Self.taperToV)
        let sagV = cellW / (pack.count * restingV) * pack.promptOhm * resistanceFactor
        let share = (restingV - spreadV / 2 + delayedV - to) / (from - to + sagV)
        return min(max(share, 0), 1)
    }

    private static let taperFromV = StoreConstants.dischargeTaperFrom.value
    private static let taperToV = StoreConstants.dischargeTaperTo.value
}
