internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel
internal import SharedPresentation

extension HomeMemory {
    /// A command as a list shows it.
    func summary(of record: CommandRecord) -> CommandSummary {
        let profile = devices[record.intent.device]?.known.profile
        return CommandSummary(record, by: profile?.specification(of: record.intent.name))
    }
}
