// What the motors take and what they give.
extension PoolBehaviour {
    /// Whether a track has come off.
    var hasLostTrack: Bool { trackSeconds >= site.unit.trackSeconds }

    /// What the motors do in the present second.
    var motors: PoolMotors {
        PoolMotors(
            areOn: activity.isWorking, at: place, drive, hasLostTrack: hasLostTrack,
            level: settings.level, filter: filter)
    }

    /// The current of pump and drive, in A.
    var motorCurrentA: Double { motors.currentA(site.ratings.pump) * site.unit.currentFactor }

    /// What may stop it.
    var symptoms: PoolProtection.Symptoms {
        let motors = motors
        return PoolProtection.Symptoms(
            isDry: !isInWater, pumpShare: motors.pumpShare(site.ratings.pump),
            tracks: motors.tracks)
    }
}
