import DeviceDomain

// What the motors take and what they give.
extension PoolBehaviour {
    /// What they do in the present second.
    private enum Load: Hashable {
        case nothing, driving, climbing, stalled, free
    }

    private var load: Load {
        switch activity {
        case .idle, .paused, .failed: return .nothing
        case .cleaning, .surfacing, .holding: break
        }
        guard case .water = place, !hasLostTrack else { return .free }
        return switch drive.phase {
        case .off, .resting, .turning, .driving, .descending, .stranded: .driving
        case .climbing, .following, .holding: .climbing
        case .caught(_, _, let isStalled): isStalled ? .stalled : .driving
        }
    }

    /// Whether a track has come off.
    var hasLostTrack: Bool { trackSeconds >= site.unit.trackSeconds }

    /// The current of pump and drive, in A.
    var motorCurrentA: Double {
        let pump = site.ratings.pump
        let driving: Double
        switch load {
        case .nothing: return 0
        case .driving: driving = pump.driveCurrent.value
        case .climbing: driving = pump.driveCurrent.value + pump.climbCurrent.value
        case .stalled: driving = pump.stallCurrent.value
        case .free: driving = pump.freeCurrent.value
        }
        let pumping = pump.current[settings.level] * pumpShare
        return (pumping + driving) * site.unit.currentFactor
    }

    /// The pump's current as a share of that with an open filter: less in air, more with a clogged filter, and much
    /// more once dirt passes a full one.
    var pumpShare: Double {
        let pump = site.ratings.pump
        switch place {
        case .water where drive.depthM >= 0: break
        case .water, .floating, .deck, .charger, .keptOutside: return pump.airShare.value
        }
        let start = pump.jamStart.value
        let jam = max(0, (filter.percent - start) / (100 - start))
        return 1 + pump.cloggedShare.value * filter.clogged + pump.jamShare.value * jam
    }

    /// How hard it works.
    var push: PoolDrive.Push {
        PoolDrive.Push(
            speed: site.ratings.drive.levels[settings.level],
            suction: site.ratings.pump.suction[settings.level]
                * filter.suction(site.ratings.filter))
    }

    /// What may stop it.
    var symptoms: PoolProtection.Symptoms {
        PoolProtection.Symptoms(isDry: !isInWater, pumpShare: pumpShare, tracks: tracks)
    }

    private var tracks: PoolProtection.Tracks {
        if place.isInPool, hasLostTrack { return .free }
        guard case .caught(_, _, let isStalled) = drive.phase else { return .driving }
        return isStalled ? .stalled : .slipping
    }
}
