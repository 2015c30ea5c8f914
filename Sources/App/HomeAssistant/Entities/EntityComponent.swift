/// The kinds of entity that devices are announced as, by the names of Home Assistant's MQTT discovery.
enum EntityComponent: String, Hashable, Sendable, CaseIterable {
    /// A robot that is started, paused, stopped, sent home and located.
    case vacuum
    /// A number or a text that is measured.
    case sensor
    /// A truth value that is measured.
    case binarySensor = "binary_sensor"
    /// A number that is set.
    case number
    /// A choice that is set.
    case select
    /// A truth value that is set.
    case `switch`
    /// A light that is switched, and dimmed where it can be.
    case light
    /// A lock.
    case lock
    /// A blind, shutter or gate.
    case cover
    /// An action.
    case button
}
