package import Connectivity
package import DeviceControl
package import DeviceDomain
internal import DeviceMessages

extension CommandDraft {
    /// The bytes, made by the command's channel.
    package func prepared(sequence: Int) throws(LedgerError) -> PreparedCommand {
        let prepared: PreparedCommand
        do {
            prepared = try prepare(intent, sequence)
        } catch {
            throw LedgerError(.inexpressible, error.message, underlying: error.underlying)
        }
        guard prepared.id == intent.id, prepared.sequence == sequence else {
            throw LedgerError(
                .failed,
                "the channel \(prepared.channel.text) prepared another command than "
                    + "\(intent.id); report it to the maker of the channel")
        }
        return prepared
    }

    /// Its entry in the log.
    package func entry(of record: CommandRecord, at moment: Timestamp) -> LedgerEvent {
        var event = LedgerEvent(entering: record, from: self, at: moment)
        let offline = intent.offline.columns
        event.detail["lane"] = .string(intent.lane.rawValue)
        event.detail["sort"] = .string(intent.sort.rawValue)
        event.detail["offline"] = .string(offline.name)
        event.detail["offlineMilliseconds"] = offline.milliseconds.map(JSONValue.integer)
        event.detail["issuedAt"] = .integer(intent.issuedAt.milliseconds)
        event.detail["sequence"] = .integer(record.prepared.sequence)
        // Of a command with a secret its value could be guessed from the digest.
        if shownArguments == intent.arguments {
            event.detail["payload"] = .string(
                SHA256.digest(of: record.prepared.payload).hexadecimal)
        }
        return event
    }
}

extension LedgerEvent {
    /// The event where it did not change the state, because another process was faster.
    package var withoutState: LedgerEvent {
        var copy = self
        copy.state = nil
        return copy
    }

    /// The event `rerouted` with the digest of the new bytes, where the entry of the command shows one: of a command
    /// with a secret its value could be guessed from it.
    package func showing(_ payload: [UInt8], as entry: JSONObject?) -> LedgerEvent {
        guard kind == .rerouted, entry?["payload"] != nil else { return self }
        var copy = self
        copy.detail["payload"] = .string(SHA256.digest(of: payload).hexadecimal)
        return copy
    }
}

extension LedgerEvent {
    /// What the log says of a command whose home is at another broker now.
    package init(moving record: CommandRecord, to place: CommandPlaces.Place?, at moment: Timestamp)
    {
        let (former, latest) = (record.place?.description, place?.description)
        self.init(
            .moved, of: record.id, at: moment,
            cause: "the home has moved from \(former ?? "somewhere") to \(latest ?? "here")")
    }
}
