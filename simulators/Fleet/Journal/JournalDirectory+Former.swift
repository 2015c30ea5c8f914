import Glibc

// The journal of version 0.1.0, which had one file for all devices.
extension JournalDirectory {
    /// Divides the one file of former versions into those of buckets, and removes it.
    ///
    /// It goes last: while it is there, no device has written into the others, and they are made anew.
    /// - Throws: ``FleetError`` if it cannot be read or replaced, or is damaged before its end.
    func takeOverFormerFile() throws(FleetError) {
        let former = "\(path)/\(JournalFile.formerName)"
        unlink(former + JournalFile.draftSuffix)
        guard access(former, F_OK) == 0 else { return }
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try JournalFile(path: former).contents()
        } catch { throw .unusableJournal(former, error) }
        let reading = try JournalReading(bytes, of: former)
        do throws(SystemFailure) {
            for (bucket, fold) in reading.fold.byBucket {
                let file = "\(path)/\(bucket.fileName)"
                let draft = JournalRewrite(
                    bucket: bucket, draftPath: file + JournalFile.draftSuffix, fold: fold)
                _ = try draft.write().placed(at: file)
            }
            guard unlink(former) == 0 else { throw .last }
        } catch { throw .unusableJournal(former, error) }
    }
}
