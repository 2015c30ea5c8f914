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

    /// The losses of a converter so many times as large.
    func scaled(by factor: Double) -> QuadraticLoss {
        QuadraticLoss(a: a * factor, b: b * factor, c: c * factor)
    }
}

/// An AC-coupled storage system after the model of bslib (FZJ-IEK3) with the parameters of the
/// PerMod measurements (HTW Berlin).
///
/// Charging, the converter's loss is taken from the AC power, and the battery keeps √η of the
/// rest; discharging, the loss comes on top, and the battery gives 1/√η of the sum. Standby,
/// periphery and the lag of the response (below 4 s) are left out.
struct StorageSystem: Hashable, Sendable {
    /// The largest AC power when charging, in W.
    let chargeW: Double
    /// The largest AC power when discharging, in W.
    let dischargeW: Double
    /// What the battery holds between empty and full, in Wh.
    let usableWh: Double
    /// The share of the energy that a battery gives back, 0…1.
    let batteryEfficiency: Double
    /// The converter's losses when charging.
    let chargeLoss: QuadraticLoss
    /// The converter's losses when discharging.
    let dischargeLoss: QuadraticLoss

    /// `store-e5`: system SG1, generic, for a converter of 2.5 kW, with 5 kWh.
    static let e5 = StorageSystem(
        chargeW: 2500, dischargeW: 2500, usableWh: 5000, batteryEfficiency: 0.95,
        chargeLoss: QuadraticLoss(a: 35.52, b: -3.09, c: 18.23).scaled(by: 2.5),
        dischargeLoss: QuadraticLoss(a: 37.57, b: -3.56, c: 19.31).scaled(by: 2.5))

    /// `store-e10`: system S2, Siemens Junelight of 9.9 kWh.
    static let e10 = StorageSystem(
        chargeW: 3572, dischargeW: 3507, usableWh: 8850, batteryEfficiency: 0.9687,
        chargeLoss: QuadraticLoss(a: 107.9, b: 34.85, c: 35.85),
        dischargeLoss: QuadraticLoss(a: 151.06, b: 22.76, c: 37.42))

    /// The power that the cells take when the terminals take `acW`, in W.
    func cellPower(charging acW: Double) -> Double {
        guard acW > chargeLoss.c else { return 0 }
        let loss = chargeLoss.watts(atLoad: acW / chargeW)
        return max(0, acW - loss) * batteryEfficiency.squareRoot()
    }

    /// The power that the cells give when the terminals give `acW`, in W.
    func cellPower(discharging acW: Double) -> Double {
        guard acW > dischargeLoss.c else { return 0 }
        let loss = dischargeLoss.watts(atLoad: acW / dischargeW)
        return (acW + loss) / batteryEfficiency.squareRoot()
    }

    /// The AC power that makes the cells take `cellW`, in W: the inverse of
    /// ``cellPower(charging:)``.
    func acPower(chargingCellsWith cellW: Double) -> Double {
        let square = chargeLoss.a / (chargeW * chargeW)
        let linear = 1 - chargeLoss.b / chargeW
        let constant = chargeLoss.c + cellW / batteryEfficiency.squareRoot()
        let root = max(0, linear * linear - 4 * square * constant).squareRoot()
        return (linear - root) / (2 * square)
    }

    /// The share of the energy that comes back from AC to AC when charged and discharged at a
    /// share of the nominal powers, 0…1.
    func roundTripEfficiency(atLoad p: Double) -> Double {
        let charging = cellPower(charging: p * chargeW) / (p * chargeW)
        let discharging = p * dischargeW / cellPower(discharging: p * dischargeW)
        return charging * discharging
    }

    /// The share of the full cell power that the battery management allows by state of charge,
    /// 0…1: `FeneconHomeBatteryProtection52` of OpenEMS.
    static let taper = PiecewiseLine([
        (0, 1), (0.96, 1), (0.97, 0.625), (0.98, 0.4), (0.99, 0.2), (1, 0.05),
    ])

    /// The largest AC power that may be taken at a state of charge, in W.
    func chargeLimitW(atCharge charge: Double) -> Double {
        let share = Self.taper.value(at: charge)
        guard share < 1 else { return chargeW }
        return acPower(chargingCellsWith: share * cellPower(charging: chargeW))
    }
}
