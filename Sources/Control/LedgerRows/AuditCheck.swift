package import DeviceControl

/// The end of a chain: the number and the hash of the last entry. It is kept beside the log, so that entries that are
/// missing at its end show.
package struct AuditHead: Hashable, Sendable {
    package var number: Int
    package var hash: SHA256

    package init(number: Int = 0, hash: SHA256 = .none) {
        self.number = number
        self.hash = hash
    }
}

/// Goes over a log in its order.
package struct AuditCheck {
    private var last = AuditHead()
    private var entries = 0
    private var problems: [AuditReport.Problem] = []

    package init() {}

    package var report: AuditReport {
        AuditReport(entries: entries, problems: problems.sorted { $0.number < $1.number })
    }

    /// The number of the entry that would be written next.
    package var next: Int { last.number + 1 }

    package mutating func take(_ row: AuditRow) {
        if row.number != next { noteGap(before: row.number) }
        if let hash = row.hash {
            if hash != row.hash(after: last.hash) {
                note(row.number, "its content does not have the hash that was written with it")
            }
        } else {
            note(row.number, "it has no hash")
        }
        last = AuditHead(number: row.number, hash: row.hash ?? .none)
        entries += 1
    }

    package mutating func end(at head: AuditHead) {
        if last.number < head.number {
            noteGap(before: head.number + 1)
        } else if last.number > head.number {
            note(head.number + 1, "it was added by another program")
        } else if last.hash != head.hash {
            note(head.number, "it is not the entry that was written last")
        }
    }

    private mutating func noteGap(before number: Int) {
        let first = last.number + 1
        note(
            first,
            number - 1 == first ? "it is missing" : "it and all up to \(number - 1) are missing")
    }

    package mutating func note(_ number: Int, _ reason: String) {
        guard problems.count < AuditReport.longestList else { return }
        problems.append(AuditReport.Problem(number: number, reason: reason))
    }
}
