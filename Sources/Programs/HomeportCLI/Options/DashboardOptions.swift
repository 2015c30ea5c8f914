package import ArgumentParser
package import Homeport
package import Logging

/// Whether and how `homeport serve` offers the dashboard.
package struct DashboardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the dashboard on this address and print its link on stderr.",
            discussion: """
                A numeric address or localhost, such as 127.0.0.1:8080; port 0 takes a free one. An \
                address that other machines reach needs a certificate and credentials.
                """,
            valueName: "host:port"))
    package var http: String?

    @Option(
        help: ArgumentHelp(
            "The certificate of the dashboard, with its chain; makes it use TLS.",
            valueName: "file"),
        completion: .file())
    package var httpCertFile: String?

    @Option(
        help: ArgumentHelp(
            "The key of --http-cert-file.", discussion: "Default: read from --http-cert-file.",
            valueName: "file"),
        completion: .file())
    package var httpKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "User name and password that let a browser in without the link.",
            discussion: """
                Two lines, username=… and password=…; the file must be yours, with mode 0600. \
                Or keychain:NAME, a secret with these lines ('homeport keychain').
                """,
            valueName: "file"),
        completion: .file())
    package var httpCredentialsFile: String?

    package init() {}

    package func validate() throws {
        let others = [httpCertFile, httpKeyFile, httpCredentialsFile]
        guard http != nil || others.allSatisfy({ $0 == nil }) else {
            throw ValidationError(
                "--http-cert-file, --http-key-file and --http-credentials-file need --http")
        }
    }
}

extension VerbOptions {
    /// Is told what the program does.
    package var logger: Logger { common.logger }

    /// Issues the certificate of a device that comes into the home.
    package func identityAuthority() throws(CommandLineError) -> IdentityAuthority {
        try common.identityAuthority()
    }
}
