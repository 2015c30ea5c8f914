internal import Automation
internal import YAMLText

extension GeographicPlace {
    /// Reads `{latitude: 52.52, longitude: 13.40}`, in degrees.
    init(_ node: YAMLNode) throws(YAMLProblem) {
        let members = try node.members(["latitude", "longitude"])
        guard let latitude = members["latitude"], let longitude = members["longitude"] else {
            throw node.error("a location needs latitude and longitude, in degrees")
        }
        let place = GeographicPlace(
            latitude: try latitude.degrees(), longitude: try longitude.degrees())
        guard let place else {
            throw node.error("latitude is from -90 to 90 degrees, and longitude from -180 to 180")
        }
        self = place
    }
}

extension YAMLNode {
    fileprivate func degrees() throws(YAMLProblem) -> Double {
        guard let number = Double(try text()) else {
            throw error("write degrees as a number, such as 52.52; south and west are negative")
        }
        return number
    }
}
