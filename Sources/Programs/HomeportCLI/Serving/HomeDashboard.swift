package import Homeport

/// The view of a home in a browser, which only the program `homeport-dashboard` has: its web server, linked into
/// `homeport`, would make the start of every verb slower.
package struct HomeDashboard: Sendable {
    /// A link that lets one browser in; `nil` while it does not listen.
    let newLink: @Sendable () -> String?
    /// Shows what the user is told: the name of the rule, or `nil` where no rule tells it, the text, and when that took
    /// place; also before the home is served.
    let notify: @Sendable (GivenName?, String, Timestamp) async -> Void
    /// Serves a home, which was made from these options, until the task is cancelled.
    let serve: @Sendable (Home, VerbOptions, Reports) async throws(CommandLineError) -> Void

    /// What it reports to the user.
    package struct Reports: Sendable {
        /// Receives what the user should know.
        package let note: @Sendable (String) -> Void
        /// Receives a link that lets one browser in, once the dashboard listens.
        package let isListening: @Sendable (String) -> Void
    }

    package init(
        newLink: @escaping @Sendable () -> String?,
        notify: @escaping @Sendable (GivenName?, String, Timestamp) async -> Void,
        serve:
            @escaping @Sendable (Home, VerbOptions, Reports) async throws(CommandLineError) -> Void
    ) {
        self.newLink = newLink
        self.notify = notify
        self.serve = serve
    }
}

/// Makes a dashboard: reads the files and sees whether the address is free.
package typealias DashboardOpener =
    @Sendable (DashboardOptions) throws(CommandLineError) -> HomeDashboard
