import Glibc
import Homeport
import TestSupport
import Testing

/// Files that other users can change or read.
@Suite struct FilePermissionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func wrong(_ mode: mode_t, isSecret: Bool = false) throws -> String? {
        let path = try folder.file("file", "", mode: mode)
        return FilePermissions(path, isSecret: isSecret)?.message
    }

    @Test func onlyWhatOthersCanChangeOrASecretThatTheyCanReadIsWrong() throws {
        #expect(try wrong(0o600) == nil)
        #expect(try wrong(0o644) == nil)
        #expect(try wrong(0o640, isSecret: true) == nil)
        #expect(try wrong(0o646)?.contains("can be changed") == true)
        #expect(try wrong(0o604, isSecret: true)?.contains("can be read") == true)
        #expect(FilePermissions("\(folder.path)/none", isSecret: true) == nil)
    }

    @Test func aFolderThatOthersCanWriteToLetsThemReplaceTheFile() throws {
        let path = try folder.file("file", "", mode: 0o600)
        #expect(chmod(folder.path, 0o777) == 0)
        #expect(FilePermissions(path, isSecret: true)?.remedy == "chmod go-w \(folder.path)")
        #expect(chmod(folder.path, 0o1777) == 0)
        #expect(FilePermissions(path, isSecret: true) == nil)
        #expect(chmod(folder.path, 0o700) == 0)
    }
}
