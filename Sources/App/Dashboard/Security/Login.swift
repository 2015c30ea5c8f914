internal import MQTTClient

/// The user name and password that let a browser in.
struct Login: Sendable, CustomStringConvertible, CustomReflectable {
    private let username: String
    private let password: String

    /// - Returns: `nil` where there is no password.
    init?(_ credentials: MQTTCredentials) {
        guard let password = credentials.password, !password.isEmpty else { return nil }
        username = credentials.username
        self.password = password
    }

    /// Whether both are right. It takes the same time whichever is wrong.
    func accepts(username: String, password: String) -> Bool {
        let isUsername = SecureToken.areEqual(self.username, username)
        let isPassword = SecureToken.areEqual(self.password, password)
        return isUsername && isPassword
    }

    var description: String { "<redacted>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
