import DeviceDomain

/// A model of energy store: an AC-coupled system after bslib (FZJ-IEK3) with the parameters of the
/// PerMod measurements (HTW Berlin). One value, which all stores of the model share.
///
/// Charging, the converter's loss is taken from the AC power, and the battery keeps √η of the
/// rest; discharging, the loss comes on top, and the battery gives 1/√η of the sum.
final class StorageSystem: ModelSpecification {
    let ratings: [(name: String, rating: Rating)]
    /// The largest AC power when charging, in W.
    let chargeW: Double
    /// The largest AC power when discharging, in W.
    let dischargeW: Double
    /// What a new battery holds between empty and full, in Wh.
    let usableWh: Double
    /// The share of the energy that a battery gives back, 0…1.
    let batteryEfficiency: Double
    /// √η, which each way costs.
    private let oneWay: Double
    /// The converter's losses when charging.
    let chargeLoss: QuadraticLoss
    /// The converter's losses when discharging.
    let dischargeLoss: QuadraticLoss
    /// What it draws while it stands by.
    let standby: StandbyDraw
    /// How fast its converter follows.
    let response: ResponseTiming
    /// Its cells.
    let cells: CellPack
    /// What each of its stores draws for itself.
    let own: StoreDraws
    private let numbers: StoreRatings

    init(_ numbers: StoreRatings, drawing own: StoreDraws = StoreDraws()) {
        self.numbers = numbers
        self.own = own
        ratings = numbers.list
        chargeW = numbers.chargeW.value
        dischargeW = numbers.dischargeW.value
        usableWh = numbers.usableWh.value
        batteryEfficiency = numbers.batteryEfficiency.value
        oneWay = batteryEfficiency.squareRoot()
        chargeLoss = numbers.chargeLoss.value
        dischargeLoss = numbers.dischargeLoss.value
        standby = numbers.standby.value
        response = ResponseTiming(deadTime: numbers.deadTime.value, tau: numbers.tau.value)
        cells = CellPack(capacityWh: usableWh)
    }

    /// The power that the cells take when the terminals take `acW`, in W.
    func cellPower(charging acW: Double) -> Double {
        guard acW > chargeLoss.c else { return 0 }
        let loss = chargeLoss.watts(atLoad: acW / chargeW)
        return max(0, acW - loss) * oneWay
    }

    /// The power that the cells give when the terminals give `acW`, in W.
    func cellPower(discharging acW: Double) -> Double {
        guard acW > dischargeLoss.c else { return 0 }
        return cellPower(forming: acW)
    }

    /// The power that the cells give while the converter forms the grid of the home and supplies
    /// `acW`, in W: there it cannot stand by, however little is drawn.
    func cellPower(forming acW: Double) -> Double {
        (acW + dischargeLoss.watts(atLoad: acW / dischargeW)) / oneWay
    }

    /// The AC power that makes the cells take `cellW`, in W: the inverse of
    /// ``cellPower(charging:)``.
    func acPower(chargingCellsWith cellW: Double) -> Double {
        let square = chargeLoss.a / (chargeW * chargeW)
        let linear = 1 - chargeLoss.b / chargeW
        let constant = chargeLoss.c + cellW / oneWay
        let root = max(0, linear * linear - 4 * square * constant).squareRoot()
        return (linear - root) / (2 * square)
    }

    /// The AC power for which the cells give `cellW`, in W: the inverse of ``cellPower(forming:)``;
    /// 0 where that does not even feed the converter.
    func acPower(dischargingCellsWith cellW: Double) -> Double {
        let square = dischargeLoss.a / (dischargeW * dischargeW)
        let linear = 1 + dischargeLoss.b / dischargeW
        let constant = dischargeLoss.c - cellW * oneWay
        guard constant < 0 else { return 0 }
        return ((linear * linear - 4 * square * constant).squareRoot() - linear) / (2 * square)
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
        guard charge > Self.taperFrom else { return chargeW }
        let share = Self.taper.value(at: charge)
        return acPower(chargingCellsWith: share * cellPower(charging: chargeW))
    }

    /// The state of charge at which the taper begins, 0…1.
    private static let taperFrom = 0.96
}

// What can be given for some of its stores.
extension StorageSystem {
    var adjustable: [String] { StoreDraws.numbers.map(\.name) }

    func adjusted(to parameters: [String: ClosedRange<Double>]) -> StorageSystem {
        var own = own
        for (name, path) in StoreDraws.numbers {
            if let range = parameters[name] {
                own[keyPath: path] = own[keyPath: path].narrowed(to: range)
            }
        }
        return StorageSystem(numbers, drawing: own)
    }
}

/// The numbers that each store draws for itself when it is made.
struct StoreDraws: Sendable {
    var cellSpread = StoreConstants.cellSpread
    var meterError = StoreConstants.meterError
    var age = StoreConstants.age
    var cyclesPerYear = StoreConstants.cyclesPerYear
    var firstCharge = StoreConstants.firstCharge

    /// All of them, by the names under which a model lists them.
    static var numbers: [(name: String, path: WritableKeyPath<StoreDraws, Rating>)] {
        [
            ("cellSpread", \.cellSpread), ("meterError", \.meterError), ("age", \.age),
            ("cyclesPerYear", \.cyclesPerYear), ("firstCharge", \.firstCharge),
        ]
    }
}

extension StorageSystem: Hashable {
    // There is one object of each model, and one of each store whose numbers were given.
    static func == (left: StorageSystem, right: StorageSystem) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
