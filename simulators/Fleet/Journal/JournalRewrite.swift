/// The compacted form of one file of a journal, to be written where it delays no device.
struct JournalRewrite: Sendable {
    /// A draft that was written, or why it could not be.
    struct Outcome: Sendable {
        let bucket: HomeBucket
        let draft: Result<JournalFile, SystemFailure>
    }

    let bucket: HomeBucket
    /// Where the draft is written.
    let draftPath: String
    /// What the file says at this moment.
    let fold: JournalFold

    /// Writes the draft and forces it to the disk. Blocks.
    func perform() -> Outcome {
        Outcome(bucket: bucket, draft: Result(catching: write))
    }

    /// Writes the draft.
    func write() throws(SystemFailure) -> JournalFile {
        var draft = try JournalFile(path: draftPath, truncating: true)
        try draft.append(JournalReading.header + JournalFrame.frames(of: fold.lines))
        try draft.synchronize()
        return draft
    }
}

extension JournalFrame {
    /// The bytes of lines.
    static func frames(of lines: [JournalLine]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.count * usualLength)
        for line in lines { append(line.bytes, to: &bytes) }
        return bytes
    }
}
