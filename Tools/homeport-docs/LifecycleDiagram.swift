import DeviceControl

/// The state diagram of a command in Mermaid's language, made from the transitions that the
/// lifecycle has.
enum LifecycleDiagram {
    /// Where the diagram begins and ends in a document.
    static let marks = (
        begin: "<!-- The diagram is generated: make docs -->", end: "<!-- End of the diagram -->"
    )

    /// The states of a command that is in the ledger and has not ended.
    private static let open: [CommandState] = [
        .queued, .sending, .sent, .accepted, .running, .unknown,
    ]

    /// The diagram with its fences.
    static let text = {
        let transitions = LifecycleExploration.transitions()
        return """
            ```mermaid
            stateDiagram-v2
                [*] --> created
                state open {
            \(lines(for: transitions.filter(isInside), indentation: 8))
                }
            \(lines(for: transitions.filter { $0.from == .created }, indentation: 4))
            \(common(to: transitions))
            \(ends)
            ```
            """
    }()

    /// Replaces the diagram in a document; `nil` if the document has no place for one.
    static func refresh(_ document: String) -> String? {
        let parts = document.split(
            separator: marks.begin, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let end = parts[1].firstRange(of: marks.end)
        else { return nil }
        return "\(parts[0])\(marks.begin)\n\(text)\n\(parts[1][end.lowerBound...])"
    }

    private static func isInside(_ transition: LifecycleExploration.Transition) -> Bool {
        open.contains(transition.from) && open.contains(transition.to)
    }

    /// What leads out of open states: one line for what does so from each of them.
    private static func common(to transitions: Set<LifecycleExploration.Transition>) -> String {
        let outward = transitions.filter { open.contains($0.from) && !open.contains($0.to) }
        let everywhere = outward.filter { exit in
            open.allSatisfy { state in
                outward.contains(.init(from: state, to: exit.to, cause: exit.cause))
            }
        }
        let ends = Dictionary(grouping: everywhere, by: \.to).map { state, exits in
            "    open --> \(state.rawValue): \(causes(of: exits))"
        }
        return (ends.sorted() + [lines(for: outward.subtracting(everywhere), indentation: 4)])
            .joined(separator: "\n")
    }

    private static var ends: String {
        CommandState.allCases.filter(\.isFinal).map { "    \($0.rawValue) --> [*]" }
            .joined(separator: "\n")
    }

    /// One line for each pair of states.
    private static func lines(
        for transitions: Set<LifecycleExploration.Transition>, indentation: Int
    ) -> String {
        let pairs = Dictionary(grouping: transitions) { [$0.from.rawValue, $0.to.rawValue] }
        let space = String(repeating: " ", count: indentation)
        return pairs.map { pair, transitions in
            "\(space)\(pair.joined(separator: " --> ")): \(causes(of: transitions))"
        }.sorted().joined(separator: "\n")
    }

    private static func causes(of transitions: [LifecycleExploration.Transition]) -> String {
        Set(transitions.map(\.cause)).sorted().joined(separator: " / ")
    }
}
