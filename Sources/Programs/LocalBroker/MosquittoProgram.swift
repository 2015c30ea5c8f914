import Glibc
import LocalServices

/// Finds the broker program.
enum MosquittoProgram {
    /// The first executable `mosquitto` in the folders.
    ///
    /// - Throws: `mosquittoMissing`, with what to install.
    static func find(in folders: [String]) throws(LocalServicesError) -> String {
        for folder in folders {
            let path = "\(folder)/mosquitto"
            if access(path, X_OK) == 0 { return path }
        }
        throw LocalServicesError(
            .mosquittoMissing,
            "no mosquitto program found to start a private broker; install it with "
                + "`apt-get install mosquitto`, or name a running broker with --broker URL")
    }
}
