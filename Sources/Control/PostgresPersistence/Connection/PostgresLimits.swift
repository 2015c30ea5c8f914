/// How long a connection waits for what, and how often something is tried.
package struct PostgresLimits: Sendable {
    /// For a connection to one address of the server, in whole seconds.
    package var connecting = 5
    /// For the next result. The server gives up earlier, so that this is over only where it is not there.
    package var answer = Duration.seconds(15)
    /// For one statement, in milliseconds.
    package var statement = 10_000
    /// For another transaction that holds a row, in milliseconds.
    package var lock = 5_000
    /// How long a transaction may wait for its next statement, in milliseconds: a process that was stopped holds its
    /// rows for as long.
    package var idleTransaction = 2_000
    /// The pauses before something is tried again because the connection was lost; as often it is tried again.
    package var pauses: [Duration] = [
        .milliseconds(50), .milliseconds(250), .milliseconds(700), .seconds(1),
    ]
    /// The pause before a connection that hears notifications is made again.
    package var listening = Duration.seconds(1)
    /// How often a transaction is tried that others were in the way of.
    package var collisions = 8

    /// Those of every program.
    package init() {}

    /// What a connection is made with: before and after the URL.
    var connectionSettings: (usual: [(String, String)], fixed: [(String, String)]) {
        (
            // A peer that is gone shows within about ten seconds.
            [
                ("connect_timeout", "\(connecting)"), ("keepalives_idle", "4"),
                ("keepalives_interval", "2"), ("keepalives_count", "3"),
                ("tcp_user_timeout", "10000"), ("application_name", "homeport"),
            ], [("client_encoding", "UTF8")]
        )
    }

    /// What a new connection is told in one statement. A server that does not wait for its disk would forget a command
    /// that was sent. Plans use indexes also of tables that the server has not looked at yet; one that
    /// cannot seems so dear then that the server would compile it, which takes a hundred milliseconds each time. A
    /// statement is planned once and not for its values each time, which takes a third of the time of a command.
    var settings: String {
        let settings = [
            ("search_path", PostgresSchema.name), ("statement_timeout", "\(statement)"),
            ("lock_timeout", "\(lock)"),
            ("idle_in_transaction_session_timeout", "\(idleTransaction)"),
            ("default_transaction_isolation", "read committed"), ("enable_seqscan", "off"),
            ("enable_hashjoin", "off"), ("enable_mergejoin", "off"), ("jit", "off"),
            ("plan_cache_mode", "force_generic_plan"),
        ]
        let list = settings.map { "set_config('\($0.0)', '\($0.1)', false)" }
        return """
            SELECT \(list.joined(separator: ", ")), set_config('synchronous_commit',
                replace(current_setting('synchronous_commit'), 'off', 'on'), false)
            """
    }
}
