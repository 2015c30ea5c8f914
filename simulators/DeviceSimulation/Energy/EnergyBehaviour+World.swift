import DeviceDomain
import DeviceMessages

extension EnergyBehaviour {
    /// The longest time that is integrated with one power, in seconds.
    private static let longestStep = 10.0
    /// A full store does not charge again above this state of charge, 0…1 (bslib: 0.98).
    private static let rechargeBelow = 0.98

    /// A limit that is nearer than this counts as reached, in percent of the charge: what rounding
    /// leaves.
    private static let reachedPercent = 1e-7

    package mutating func step(
        _ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]
    ) {
        var rest = span.seconds
        while rest > 0 {
            let ago = Duration.milliseconds(Int(rest * 1000))
            observeHome(at: Timestamp(milliseconds: span.end.milliseconds - ago.wholeMilliseconds))
            rest -= integrate(over: min(rest, Self.longestStep))
            endTransferIfDone(noting: &occurrences)
        }
        observeHome(at: span.end)
    }

    /// Reads roof and household and settles all flows at the meter.
    mutating func observeHome(at world: Timestamp) {
        let (pvW, loadW) = (home.pvW(at: world), home.loadW(at: world))
        let wanted = wantedW(pvW: pvW, loadW: loadW, hour: HomeProfile.localHour(at: world))
        flow = PowerFlow(
            batteryW: allowed(wanted), loadW: loadW, pvW: pvW, isOnGrid: isOnGrid)
        if !isOnGrid { balanceIsland() }
        cellW =
            flow.batteryW >= 0
            ? system.cellPower(charging: flow.batteryW)
            : -system.cellPower(discharging: -flow.batteryW)
    }

    /// Off the grid: sun that nobody takes is cut back, load that nobody feeds is shed.
    private mutating func balanceIsland() {
        let missing = flow.loadW + flow.batteryW - flow.pvW
        if missing > 0 {
            flow.loadW -= missing
            isSheddingLoad = isSheddingLoad || missing > 1
        } else {
            flow.pvW += missing
        }
    }

    /// Integrates the present power up to `seconds`, to where a limit is reached at most.
    /// - Returns: the time that it took, in seconds; never nothing.
    private mutating func integrate(over seconds: Double) -> Double {
        let time = min(seconds, secondsToLimit)
        energyWh = min(max(energyWh + cellW * time / 3600, 0), capacityWh)
        let energy = flow.batteryW * time / 3600
        if energy > 0 { chargedWh += energy } else { dischargedWh -= energy }
        thermal.advance(lossW: (flow.batteryW - cellW).magnitude, seconds: time)
        if charge >= 1 { isHoldingFull = true }
        if charge < Self.rechargeBelow { isHoldingFull = false }
        return time
    }

    /// How long the present power can last, in seconds.
    private var secondsToLimit: Double {
        guard let limitWh else { return .infinity }
        return max(0, (limitWh - energyWh) / cellW * 3600)
    }

    /// The charge at which the present power ends, in Wh; `nil` while no power flows.
    private var limitWh: Double? {
        guard cellW != 0 else { return nil }
        if let transfer { return target(of: transfer) / 100 * capacityWh }
        let percent = cellW > 0 ? chargeLimitPercent : floorPercent
        return percent / 100 * capacityWh
    }

    /// The state of charge that is kept, in percent: the reserve is for a failure of the grid.
    private var floorPercent: Double { isOnGrid ? reservePercent : 0 }

    /// The power that is wanted of the store, in W: positive to charge.
    private func wantedW(pvW: Double, loadW: Double, hour: Double) -> Double {
        let surplus = pvW - loadW
        guard isOnGrid else { return surplus }
        if let transfer {
            return transfer.direction == .charge ? transfer.powerW : -transfer.powerW
        }
        switch mode {
        case .idle: return 0
        case .selfConsumption: return surplus
        case .backup: return max(surplus, system.chargeW / 2)
        case .timeOfUse: return timeOfUseW(surplus: surplus, hour: hour)
        }
    }

    /// Cheap power from midnight to six is stored, dear power from five to nine in the evening
    /// is saved, and the sun is always taken.
    private func timeOfUseW(surplus: Double, hour: Double) -> Double {
        switch hour {
        case 0..<6: max(surplus, system.chargeW / 2)
        case 17..<21: surplus
        default: max(surplus, 0)
        }
    }

    /// What the limits leave of a wanted power, in W.
    private func allowed(_ wanted: Double) -> Double {
        wanted > 0 ? allowedCharge(wanted) : -allowedDischarge(-wanted)
    }

    private func allowedCharge(_ wanted: Double) -> Double {
        let ceiling = transfer.map(target) ?? chargeLimitPercent
        let isHeld = isHoldingFull && transfer == nil
        guard ceiling - percent > Self.reachedPercent, !isHeld else { return 0 }
        let watts = min(wanted, system.chargeLimitW(atCharge: charge))
        return watts > system.chargeLoss.c ? watts : 0
    }

    private func allowedDischarge(_ wanted: Double) -> Double {
        let floor = transfer.map(target) ?? floorPercent
        let watts = min(wanted, system.dischargeW)
        return percent - floor > Self.reachedPercent && watts > system.dischargeLoss.c ? watts : 0
    }
}
