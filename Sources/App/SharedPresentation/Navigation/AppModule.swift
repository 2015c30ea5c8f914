/// A part of the app that is registered where the app is put together. An app without it is smaller:
/// its places are not found, and the navigation does not name them.
@MainActor
public protocol AppModule: AnyObject, Sendable {
    /// The places that the navigation of the app offers, in their order.
    var entries: [Route] { get }
    /// Whether a place belongs to this part.
    func owns(_ route: Route) -> Bool
    /// Keeps what this part shows up to date until the task is cancelled.
    func run() async
}
