import Homeport
import TerminalOutput

/// What `send` is to send, and to whom.
struct SendOrder: Sendable {
    /// Who gets the command.
    enum Receiver: Sendable {
        /// One device, by its id or name.
        case device(String)
        /// Several devices, by a list of names and patterns.
        case listed(String)
        /// The devices that pass a filter.
        case selection(DeviceFilter)
        /// Those of an earlier group that did not carry it out.
        case group(CommandReference)
    }

    let receiver: Receiver
    let name: CommandName
    let arguments: TypedArguments

    /// Sends it, and says of a group what is not in its receipts.
    func send(
        in home: Home, _ console: Console, _ options: CommandOptions
    ) async throws(HomeError) -> [CommandReceipt] {
        switch receiver {
        case .device(let reference):
            let receipt = try await home.send(
                name, typed: arguments, toDeviceCalled: reference, options: options)
            return [receipt]
        case .listed(let text):
            let group = try await home.send(
                name, typed: arguments, toDevicesListedAs: text, options: options)
            note(group, console)
            return group.receipts
        case .selection(let filter):
            let group = try await home.send(
                name, typed: arguments, to: filter, options: options)
            if group.receipts.isEmpty {
                console.note(
                    "there are no \(filter) in \(home.observation.place)\(filter.doubt(in: home)); nothing was sent"
                )
            }
            note(group, console)
            // What was sent is followed, also where this cannot be told.
            if try await !home.commands.isOwnedElsewhere(),
                let remark = try? await home.observation.unheardDevices(
                    of: filter.kind, in: filter.room
                )
                .unheardRemark
            {
                console.note("left out: \(remark)")
            }
            return group.receipts
        case .group(let reference):
            let id = try await home.groups.id(reference)
            let group = try await home.retry(id, options: options)
            if group.receipts.isEmpty { console.note("nothing of the group \(id) has failed") }
            let unknown = group.receipts.count { $0.record.state == .unknown }
            if unknown > 0 {
                console.note(
                    "of \(unknown) of the group nobody knows whether it was carried out, so it is not "
                        + "sent again; 'homeport resolve' asks the device")
            }
            return group.receipts
        }
    }

    private func note(_ group: CommandGroup, _ console: Console) {
        let others = group.withoutCommand.count
        if others > 0 {
            let devices = others == 1 ? "1 device has" : "\(others) devices have"
            console.progress("\(devices) no command \(name.rawValue)")
        }
        guard !group.receipts.isEmpty else { return }
        console.hint(
            "\(group.receipts.count) commands, group \(group.id); 'homeport send --retry "
                + "\(group.id)' sends again what fails")
    }
}
