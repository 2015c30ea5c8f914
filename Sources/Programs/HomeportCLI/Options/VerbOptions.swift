/// The options that every verb accepts.
///
/// They are three groups, so that the help of a verb names only those that it uses.
package struct VerbOptions {
    /// Whose devices, printed how.
    var common: CommonOptions
    /// Whose ledger, and where it is.
    var ledger: LedgerOptions
    /// How to connect.
    var broker: BrokerOptions
}
