internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel
internal import SharedPresentation

extension HomeMemory {
    /// A command as a list shows it.
    func summary(of record: CommandRecord) -> CommandSummary {
        let (id, device) = (record.intent.device, devices[record.intent.device])
        return CommandSummary(
            record, to: device?.name ?? id.text,
            by: device?.known.profile?.specification(of: record.intent.name),
            in: device?.known.profile?.plan)
    }
}
