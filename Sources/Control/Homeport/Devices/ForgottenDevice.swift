public import DeviceDomain
public import DeviceMessages

/// A device that was forgotten.
public struct ForgottenDevice: Hashable, Sendable {
    /// Which it was.
    public let id: DeviceID
    /// Why it comes back all the same: what its channel keeps of it could not be cleared. `nil` where it
    /// comes back only when it speaks again itself.
    public let comesBack: String?
    /// The commands that waited for it and were taken back.
    public let takenBack: [CommandID]
    /// The settings that were kept for it and were put away: the device may have got them.
    public internal(set) var putAway: [CommandID] = []
}
