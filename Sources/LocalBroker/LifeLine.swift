import Glibc
import Subprocess

/// What ties the broker's life to ours.
///
/// `setpriv --pdeathsig KILL` asks the kernel to kill the broker when the *thread* that started it
/// ends. That holds for the whole life of our process because Subprocess starts every child from
/// one thread that it ends only in its `atexit` handler.
/// Two gaps remain and are closed here: a parent that died before `setpriv` spoke to the kernel
/// (the shell compares its parent with ours, after the request stands, and gives up where they
/// differ), and a broker that changes its user, which clears the request (it keeps ours).
enum LifeLine {
    /// Runs between `setpriv` and the broker: `$1` our process, `$2` the program, `$3` its
    /// configuration, which goes in through standard input so that no kill can leave a file behind.
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

    /// The broker gets its own process group, so that Ctrl-C reaches only us and the fleet can
    /// still say goodbye through it; a cancelled body keeps it for a while (signal 0 does nothing).
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

    /// How the broker is ended: asked twice, since mosquitto forgets a SIGTERM that comes in the
    /// instant between its "running" and its main loop.
    static let ending: [TeardownStep] = [
        .send(signal: .terminate, allowedDurationToNextStep: .milliseconds(250)),
        .send(signal: .terminate, allowedDurationToNextStep: .seconds(2)),
    ]
}
