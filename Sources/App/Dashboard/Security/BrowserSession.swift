/// A browser that has shown a link's token or the password.
struct BrowserSession: Sendable, Hashable {
    /// Stands for it in this process and in the file; its cookie cannot be told from it.
    let id: SecureToken
    /// What its forms contain, so that no other site can send one in its name.
    let formToken: SecureToken

    /// The session of the browser that has this cookie.
    init(cookie: String) {
        id = SecureToken(from: cookie, for: "session")
        formToken = SecureToken(from: cookie, for: "form")
    }
}
