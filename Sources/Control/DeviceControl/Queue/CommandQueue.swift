package import DeviceDomain
package import DeviceMessages

/// Where a command waits for its turn to be sent.
package enum QueuePlace: Hashable, Sendable {
    /// It waits for a way to the device; later commands of its lane wait behind it.
    case waiting
    /// It waits for its turn.
    case ready
    /// It does not wait.
    case none
}

/// The order in which the commands of one device leave, as a value: an event goes in, actions
/// come out.
///
/// In each lane one command is under way at a time, and they leave in the order of their sequence
/// numbers. The urgent lane never waits for the normal one. What was wanted after an urgent command
/// leaves after it: a start that overtakes an older `stop` would be ended by it.
package struct CommandQueue: Hashable, Sendable {
    /// Something that happens to a command of a lane.
    package enum Event: Hashable, Sendable {
        /// The command is about to get its sequence number. Commands that get theirs meanwhile
        /// wait, as its number may be lower.
        case reserved(CommandID)
        /// The command has a sequence number and stands in this place.
        case placed(CommandID, sequence: Int, QueuePlace)
        /// The ledger did not take the command.
        case withdrawn(CommandID)
        /// The command whose turn it was has been handed to the link, or did not want to be.
        case turnEnded
        /// The commands of the lane from this sequence number on are not here but in the ledger, and
        /// leave before later ones; `nil` for none.
        case stored(from: Int?)
    }

    /// What the owner of a queue must do.
    package enum Action: Hashable, Sendable {
        /// It is this command's turn in its lane; ``Event/turnEnded`` must follow.
        case turn(CommandID, CommandLane)
    }

    private var lanes: [CommandLane: Lane] = [:]

    package init() {}

    /// Takes in an event of a lane.
    package mutating func handle(_ event: Event, in lane: CommandLane) -> [Action] {
        lanes[lane, default: Lane()].handle(event)
        let urgent = lanes[.urgent]?.nextTurn(before: .max).map { Action.turn($0, .urgent) }
        let limit = lanes[.urgent]?.firstSequence ?? .max
        let normal = lanes[.normal]?.nextTurn(before: limit).map { Action.turn($0, .normal) }
        return [urgent, normal].compactMap(\.self)
    }

    /// How many commands wait here, ready or not.
    package var count: Int { lanes.values.reduce(0) { $0 + $1.count } }

    /// Whether no command of a lane has its turn, or waits here to leave before the stored ones.
    package func isIdle(_ lane: CommandLane) -> Bool { lanes[lane]?.isIdle ?? true }
}

extension CommandQueue {
    /// The commands of one lane that wait, and the one whose turn it is.
    fileprivate struct Lane: Hashable, Sendable {
        private struct Entry: Hashable, Sendable {
            let sequence: Int
            let id: CommandID
            var isReady: Bool
            /// How many reservations were made before its sequence number was known.
            let ticket: Int
        }

        private enum Turn: Hashable, Sendable {
            case free
            case taken(sequence: Int)
        }

        /// By sequence.
        private var entries: [Entry] = []
        private var reservations: [CommandID: Int] = [:]
        private var tickets = 0
        private var turn = Turn.free
        private var stored: Int?

        var count: Int { entries.count }

        /// What came after the stored ones waits for them.
        var isIdle: Bool {
            guard turn == .free, let first = entries.first else { return turn == .free }
            return stored.map { first.sequence > $0 } ?? false
        }

        /// The lowest sequence of those that wait or are under way; `nil` if there are none.
        var firstSequence: Int? {
            let underWay: Int? = if case .taken(let sequence) = turn { sequence } else { nil }
            return [entries.first?.sequence, stored, underWay].compactMap(\.self).min()
        }

        mutating func handle(_ event: Event) {
            switch event {
            case .reserved(let id):
                tickets += 1
                reservations[id] = tickets
            case .placed(let id, let sequence, let place):
                reservations[id] = nil
                put(id, sequence, place)
            case .withdrawn(let id): reservations[id] = nil
            case .turnEnded: turn = .free
            case .stored(let sequence): stored = sequence
            }
        }

        private mutating func put(_ id: CommandID, _ sequence: Int, _ place: QueuePlace) {
            let position = position(of: sequence)
            let isKnown = position < entries.count && entries[position].id == id
            switch place {
            case .none:
                if isKnown { entries.remove(at: position) }
            case .waiting, .ready:
                if isKnown {
                    entries[position].isReady = place == .ready
                } else {
                    let entry = Entry(
                        sequence: sequence, id: id, isReady: place == .ready, ticket: tickets)
                    entries.insert(entry, at: position)
                }
            }
        }

        /// The first position whose sequence is not lower, by bisection.
        private func position(of sequence: Int) -> Int {
            var range = entries.startIndex..<entries.endIndex
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range =
                    entries[middle].sequence < sequence
                    ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }

        /// The command that has its turn now, if its sequence is below a limit.
        mutating func nextTurn(before limit: Int) -> CommandID? {
            guard turn == .free, let first = entries.first, first.isReady,
                first.sequence < min(limit, stored ?? .max),
                !reservations.values.contains(where: { $0 <= first.ticket })
            else { return nil }
            entries.removeFirst()
            turn = .taken(sequence: first.sequence)
            return first.id
        }
    }
}
