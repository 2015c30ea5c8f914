import Basics
import Testing

@Suite struct ProcessEnvironmentTests {
    @Test func anUnsetVariableHasNoValue() {
        #expect(ProcessEnvironment.value(of: "HOMEPORT_NO_SUCH_VARIABLE") == nil)
    }

    @Test(
        arguments: [
            (["XDG_STATE_HOME": "/state", "HOME": "/home/a"], "/state"),
            (["XDG_STATE_HOME": "/state/", "HOME": "/home/a"], "/state"),
            (["XDG_STATE_HOME": "state", "HOME": "/home/a"], "/home/a/.local/state"),
            (["HOME": "/home/a"], "/home/a/.local/state"), (["HOME": "a"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func stateIsWhereAnAbsoluteVariableSays(_ variables: [String: String], _ folder: String?) {
        #expect(ProcessEnvironment.stateFolder { variables[$0] } == folder)
    }

    @Test(
        arguments: [
            (["XDG_CONFIG_HOME": "/c", "HOME": "/home/a"], "/c"),
            (["XDG_CONFIG_HOME": "c", "HOME": "/home/a/"], "/home/a/.config"),
            (["HOME": "a"], nil),
        ] as [([String: String], String?)])
    func configurationIsWhereAnAbsoluteVariableSays(
        _ variables: [String: String], _ folder: String?
    ) {
        #expect(ProcessEnvironment.configurationFolder { variables[$0] } == folder)
    }

    @Test func theRootOfTheFileSystemKeepsItsSlash() {
        #expect(ProcessEnvironment.folder("TMPDIR") { _ in "/" } == "/")
    }
}
