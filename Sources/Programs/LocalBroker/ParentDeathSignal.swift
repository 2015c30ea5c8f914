import Glibc
import Subprocess

/// Makes the broker end when this process ends.
///
/// `setpriv --pdeathsig KILL` asks the kernel to kill the broker when the *thread* that started it
/// ends. That holds for the whole life of our process because Subprocess starts every child from
/// one thread that it ends only in its `atexit` handler.
/// Two gaps remain and are closed here. The parent may die before `setpriv` has made its request:
/// after the request the shell compares its parent with ours and exits where they differ. And a
/// broker that changes its user would clear the request: it keeps our user.
enum ParentDeathSignal {
    /// Runs between `setpriv` and the broker: `$1` our process, `$2` the program, `$3` its
    /// configuration. Standard input carries that, so that a kill leaves no file behind.
    /// The soft limit on descriptors rises to the hard one, or 1,000 clients would fill it.
    private static let script = """
        [ "$PPID" = "$1" ] || exit 1
        ulimit -S -n "$(ulimit -H -n)"
        exec "$2" -c /dev/stdin <<CONFIGURATION
        $3
        CONFIGURATION
        """

    /// The arguments of `setpriv`.
    static func arguments(mosquitto: String, configuration: String) -> [String] {
        [
            "--pdeathsig", "KILL", "/bin/sh", "-c", script, "private-broker", "\(getpid())",
            mosquitto, configuration,
        ]
    }

    /// The broker gets its own process group, so that Ctrl-C does not reach it and devices can still
    /// go offline cleanly. After a cancellation it runs on for a while (signal 0 does nothing).
    static var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence =
            [
                .send(
                    signal: Signal(rawValue: 0),
                    allowedDurationToNextStep: PrivateBroker.cancellationGrace)
            ] + ending
        return options
    }

    /// How the broker is ended: SIGTERM twice, because mosquitto ignores one that comes between its
    /// "running" and its main loop.
    static let ending: [TeardownStep] = [
        .send(signal: .terminate, allowedDurationToNextStep: .milliseconds(250)),
        .send(signal: .terminate, allowedDurationToNextStep: .seconds(2)),
    ]
}
