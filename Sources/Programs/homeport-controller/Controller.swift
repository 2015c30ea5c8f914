import HomeportCLI

/// The program `homeport`: every verb, and of `serve` all but the dashboard.
@main
enum Controller {
    static func main() async { await HomeportCommand.main() }
}
