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
    public internal(set) var takenBack: [CommandID]
}
