import Homeport

/// A name that a user must type, where an empty text takes an earlier one back: one that is missing is an error.
struct NameOrNothing: Sendable {
    let name: GivenName?
}
