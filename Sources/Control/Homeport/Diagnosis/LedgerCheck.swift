internal import DeviceControl
internal import Persistence

/// What is wrong with a ledger and its file. Pure.
struct LedgerCheck: Sendable {
    /// Below this many bytes nothing can be recorded for long.
    private static let scarceBytes = 1 << 20
    /// Below this many bytes a warning is due.
    private static let fewBytes = 100 << 20

    let inspection: LedgerInspection
    private var path: String { inspection.path }
    private var storage: LedgerStorage { inspection.storage }

    /// What was found, in the order of the checks.
    var findings: [Finding] { file + [disk] + contents }

    // MARK: The file

    private var file: [Finding] {
        var problems = storage.openFiles.map { entry in
            Finding.problem(
                .ledgerFile,
                "\(entry.path) has mode \(entry.mode): other users can open it, and it shows what "
                    + "the household did",
                remedy: "chmod 600 \(entry.path)")
        }
        if let folder = storage.openFolder {
            problems.append(
                .problem(
                    .ledgerFile,
                    "the folder \(folder.path) has mode \(folder.mode): other users can replace "
                        + "the ledger", remedy: "chmod 700 \(folder.path)"))
        }
        problems += [ownerWarning, accessProblem].compactMap(\.self)
        return problems.isEmpty ? [fileIsFine] : problems
    }

    private var fileIsFine: Finding {
        storage.presence == .file
            ? .ok(.ledgerFile, "\(path) is for this user alone and can be written")
            : .ok(.ledgerFile, "there is no ledger at \(path) yet; the first command makes it")
    }

    private var ownerWarning: Finding? {
        storage.otherOwner.map { owner in
            .warning(
                .ledgerFile,
                "\(path) belongs to another user, the one with id \(owner), who can read and change "
                    + "it",
                remedy: "run homeport as its owner, or take it over with the files beside it: "
                    + "chown \"$(id -u)\" \(path)*")
        }
    }

    private var accessProblem: Finding? {
        if storage.presence == .other {
            return .problem(
                .ledgerFile, "\(path) is a folder or device, not a file",
                remedy: "name a file with --database or HOMEPORT_DATABASE")
        }
        if storage.isFileSystemReadOnly {
            return .problem(
                .ledgerFile,
                "\(path) is on a read-only file system: nothing can be recorded, so nothing is sent",
                remedy: "mount it writable, or choose another file with --database")
        }
        guard !storage.isWritable else { return nil }
        let isThere = storage.presence == .file
        return .problem(
            .ledgerFile,
            isThere
                ? "\(path) cannot be written: nothing can be recorded, so nothing is sent"
                : "\(path) cannot be made in \(storage.folder)",
            remedy: isThere
                ? "chmod 600 \(path) as its owner, or choose another file with --database"
                : "give this user write access to \(storage.folder), or choose another file with "
                    + "--database")
    }

    private var disk: Finding {
        guard let free = storage.freeBytes else {
            return .warning(
                .diskSpace, "the system does not tell how much room \(storage.folder) has",
                remedy: "check it with df")
        }
        let room = "\(Self.size(free)) are left for the ledger in \(storage.folder)"
        if free < Self.scarceBytes {
            return .problem(.diskSpace, room, remedy: "remove files or enlarge the disk")
        }
        guard free < Self.fewBytes else { return .ok(.diskSpace, room) }
        return .warning(.diskSpace, room, remedy: "make room before the disk is full")
    }

    private static func size(_ bytes: Int) -> String {
        if bytes < 1 << 20 { return "\(bytes >> 10) KiB" }
        return bytes < 1 << 30 ? "\(bytes >> 20) MiB" : "\(bytes >> 30) GiB"
    }

    // MARK: The contents

    private var contents: [Finding] {
        switch inspection.contents {
        case nil: []
        case .failure(let error): [unreadable(error)]
        case .success(let contents): findings(in: contents)
        }
    }

    private func unreadable(_ error: LedgerError) -> Finding {
        let remedy =
            switch error.code {
            case .newerSchema: "use the newer homeport, or another file with --database"
            case .foreign:
                "choose another file with --database, or move away \(path) and \(path)-wal"
            case .corrupt: remedyOfDamage
            case .busy: "end the process that holds it, or try again"
            default: "check the permissions of the file and its folder, and the disk"
            }
        return .problem(.ledger, "\(error)", remedy: remedy)
    }

    /// What is newest is in the log, and SQLite removes a log whose database is gone.
    private var remedyOfDamage: String {
        "to begin a new ledger, move away \(path) and \(path)-wal together, and keep both for repair"
    }

    private func findings(in contents: LedgerContents) -> [Finding] {
        if let damage = contents.damage.first {
            return [
                .problem(
                    .ledger, "the ledger \(path) is damaged: \(damage)",
                    remedy: remedyOfDamage)
            ]
        }
        guard let audit = contents.audit else {
            return [
                .warning(
                    .ledger, "the ledger \(path) is empty, or an older version wrote it",
                    remedy: "run any other verb: it brings the ledger up to date")
            ]
        }
        return [
            .ok(.ledger, "\(path) is sound and of the current schema"), chain(audit),
            unknown(contents.unknownOutcomes),
        ]
    }

    private func chain(_ audit: AuditReport) -> Finding {
        guard let first = audit.problems.first else {
            let count = audit.entries == 1 ? "entry is" : "entries are"
            return .ok(.auditChain, "\(audit.entries) \(count) as written")
        }
        return .problem(
            .auditChain,
            "the log was changed after it was written: entry \(first.number): \(first.reason)",
            remedy: "'homeport audit verify' lists every place; find out who can write \(path), "
                + "and restore it from a copy")
    }

    private func unknown(_ count: Int) -> Finding {
        guard count > 0 else { return .ok(.unknownOutcomes, "no outcome is unknown") }
        let commands = count == 1 ? "1 command has" : "\(count) commands have"
        return .warning(
            .unknownOutcomes, "\(commands) an unknown outcome",
            remedy:
                "'homeport resolve' asks the devices that can tell; of another one 'homeport show' "
                + "says what holds, and 'homeport resolve --accept ID' puts the command away")
    }
}
