internal import Connectivity
public import DeviceControl
internal import DeviceDomain
public import DeviceMessages

extension Home {
    /// Puts a command away whose outcome is unknown and whose device can no longer tell: it stays `unknown`
    /// in the history, and is no longer listed as open. Late evidence still decides. It needs no connection.
    /// - Returns: the command as it stands after that.
    /// - Throws: ``HomeError`` `unknownCommand`, `foreignCommand`, `notUnknown`, `ledger`.
    @discardableResult
    public func putAway(_ command: CommandID) async throws(HomeError) -> CommandRecord {
        let control = try await openedControl()
        guard try await self.command(command) != nil else {
            throw HomeError(.unknownCommand, "the ledger has no command \(command)")
        }
        try await requireOwn(command)
        let record: CommandRecord
        do {
            record = try await control.invoker.putAway(command)
        } catch {
            throw HomeError(error)
        }
        guard record.progress.isPutAway else {
            throw HomeError(
                .notUnknown,
                "\(command) is \(record.state.rawValue): only a command whose outcome is unknown is put "
                    + "away")
        }
        return record
    }

    /// What the channel of a command can report; everything where the channel is not set up.
    package func traits(of channel: ChannelID) -> ChannelTraits {
        stations.first { $0.channel.id == channel }?.channel.traits
            ?? ChannelTraits(ChannelTrait.allCases)
    }
}
