/// The numbers of the clusters that the channel reads (Matter application cluster specification).
enum Cluster {
    static let identify = 3
    static let onOff = 6
    static let level = 8
    static let descriptor = 29
    static let basicInformation = 40
    static let powerSource = 47
    static let bridgedInformation = 57
    static let `switch` = 59
    static let booleanState = 69
    static let rvcRunMode = 84
    static let rvcCleanMode = 85
    static let airQuality = 91
    static let smokeAlarm = 92
    static let rvcOperationalState = 97
    static let electricalPower = 144
    static let electricalEnergy = 145
    static let evse = 153
    static let doorLock = 257
    static let windowCovering = 258
    static let thermostat = 513
    static let fanControl = 514
    static let color = 768
    static let illuminance = 1024
    static let temperature = 1026
    static let pressure = 1027
    static let flow = 1028
    static let humidity = 1029
    static let occupancy = 1030
    static let serviceArea = 336

    /// Global attributes of every cluster.
    static let featureMap = 65532
    static let acceptedCommands = 65529
}
