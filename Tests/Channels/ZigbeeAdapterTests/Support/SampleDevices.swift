/// Entries of `bridge/devices` as zigbee2mqtt 2.12 writes them, cut down to what is read.
struct SampleDevice {
    var address: String
    var name: String
    var exposes: String
    var members = #""supported":true,"interview_state":"SUCCESSFUL""#
    var description = "a sample"

    /// The entry's JSON.
    var entry: String {
        """
        {"ieee_address":"\(address)","type":"Router","network_address":1,"friendly_name":"\(name)",\
        "disabled":false,\(members),"model_id":"raw","power_source":"Mains (single phase)",\
        "software_build_id":"1.2.3","definition":{"source":"native","model":"M-1","vendor":"V",\
        "description":"\(description)","exposes":[\(exposes)],"options":[]},"endpoints":{}}
        """
    }

    /// The list that a bridge of these devices publishes, its coordinator included.
    static func list(_ devices: [SampleDevice]) -> String {
        let coordinator = """
            {"ieee_address":"0x00124b0000000000","type":"Coordinator","network_address":0,\
            "supported":true,"friendly_name":"Coordinator","disabled":false,"endpoints":{}}
            """
        return "[" + ([coordinator] + devices.map(\.entry)).joined(separator: ",") + "]"
    }

    static let lamp = SampleDevice(
        address: "0x00158d0001dc126a", name: "kitchen/lamp", exposes: Exposes.colorLight)
    static let plug = SampleDevice(
        address: "0x00158d0001dc1270", name: "plug", exposes: Exposes.plug)
    static let blind = SampleDevice(
        address: "0x00158d0001dc1271", name: "blind", exposes: Exposes.cover)
    static let thermometer = SampleDevice(
        address: "0x00158d0001dc1272", name: "Büro Thermometer", exposes: Exposes.sensor)
    static let remote = SampleDevice(
        address: "0x00158d0001dc1273", name: "remote", exposes: Exposes.remote)
}

/// Exposes of usual devices.
enum Exposes {
    static let state = """
        {"type":"binary","name":"state","label":"State","property":"state","access":7,\
        "value_on":"ON","value_off":"OFF","value_toggle":"TOGGLE"}
        """
    static let brightness = """
        {"type":"numeric","name":"brightness","property":"brightness","access":7,"value_min":0,\
        "value_max":254}
        """
    static let colorTemp = """
        {"type":"numeric","name":"color_temp","property":"color_temp","access":7,"unit":"mired",\
        "value_min":153,"value_max":500}
        """
    static let colorXY = """
        {"type":"composite","name":"color_xy","property":"color","access":7,"features":[\
        {"type":"numeric","name":"x","property":"x","access":7},\
        {"type":"numeric","name":"y","property":"y","access":7}]}
        """
    static let colorHS = """
        {"type":"composite","name":"color_hs","property":"color","access":7,"features":[\
        {"type":"numeric","name":"hue","property":"hue","access":7},\
        {"type":"numeric","name":"saturation","property":"saturation","access":7}]}
        """
    static let effect = """
        {"type":"enum","name":"effect","property":"effect","access":2,\
        "values":["blink","breathe"]}
        """
    static let colorLight = """
        {"type":"light","features":[\(state),\(brightness),\(colorTemp),\(colorXY),\(colorHS)]},\
        \(effect),\(linkQuality)
        """
    static let plug = """
        {"type":"switch","features":[\(state)]},{"type":"numeric","name":"power","property":"power",\
        "access":5,"unit":"W"},{"type":"enum","name":"power_on_behavior",\
        "property":"power_on_behavior","access":7,"values":["off","on"],"category":"config"}
        """
    static let twoSwitches = """
        {"type":"switch","endpoint":"l1","features":[{"type":"binary","name":"state","endpoint":"l1",\
        "property":"state_l1","access":7,"value_on":"ON","value_off":"OFF","value_toggle":"TOGGLE"}]},\
        {"type":"switch","endpoint":"l2","features":[{"type":"binary","name":"state","endpoint":"l2",\
        "property":"state_l2","access":7,"value_on":"ON","value_off":"OFF"}]}
        """
    static let cover = """
        {"type":"cover","features":[{"type":"enum","name":"state","property":"state","access":3,\
        "values":["OPEN","CLOSE","STOP"]},{"type":"numeric","name":"position","property":"position",\
        "access":7,"value_min":0,"value_max":100,"unit":"%"}]}
        """
    static let lock = """
        {"type":"lock","features":[{"type":"binary","name":"state","property":"state","access":7,\
        "value_on":"LOCK","value_off":"UNLOCK"}]},\(battery)
        """
    static let climate = """
        {"type":"climate","features":[{"type":"numeric","name":"occupied_heating_setpoint",\
        "property":"occupied_heating_setpoint","access":7,"value_min":5,"value_max":30,\
        "value_step":0.5,"unit":"°C"},{"type":"numeric","name":"local_temperature",\
        "property":"local_temperature","access":5},{"type":"enum","name":"system_mode",\
        "property":"system_mode","access":7,"values":["off","heat"]}]}
        """
    static let fan = """
        {"type":"fan","features":[{"type":"binary","name":"state","property":"fan_state","access":7,\
        "value_on":"ON","value_off":"OFF"},{"type":"enum","name":"mode","property":"fan_mode",\
        "access":7,"values":["low","high"]}]}
        """
    /// A switch or lock of a property that is not the state of the device.
    static func feature(
        _ group: String, _ property: String, on: String, off: String, access: Int = 3
    ) -> String {
        """
        {"type":"\(group)","features":[{"type":"binary","name":"state","property":"\(property)",\
        "access":\(access),"value_on":"\(on)","value_off":"\(off)"}]}
        """
    }
    static let childLock = feature("lock", "child_lock", on: "LOCK", off: "UNLOCK")
    static let awayMode = feature("switch", "away_mode", on: "ON", off: "OFF")
    static let antiScaling = feature("switch", "anti_scaling", on: "ON", off: "OFF")
    static let autoLock = feature("switch", "auto_lock", on: "AUTO", off: "MANUAL")
    /// A wall thermostat that can be set and not queried, as most of Tuya.
    static let wallThermostat = """
        \(childLock),{"type":"climate","features":[{"type":"numeric",\
        "name":"current_heating_setpoint","property":"current_heating_setpoint","access":3,\
        "value_min":5,"value_max":45,"value_step":0.5}]}
        """
    static let startup = """
        {"type":"numeric","name":"color_temp_startup","property":"color_temp_startup","access":7,\
        "value_min":153,"value_max":500,"presets":[{"name":"coolest","value":153},\
        {"name":"previous","value":65535}]}
        """
    static let levelConfig = """
        {"type":"composite","name":"level_config","property":"level_config","access":7,"features":[\
        {"type":"numeric","name":"current_level_startup","property":"current_level_startup",\
        "access":7,"value_min":1,"value_max":254,"presets":[{"name":"previous","value":"previous"},\
        {"name":"minimum","value":"minimum"}]}]}
        """
    static let battery = """
        {"type":"numeric","name":"battery","property":"battery","access":1,"unit":"%",\
        "category":"diagnostic"}
        """
    static let linkQuality = """
        {"type":"numeric","name":"linkquality","property":"linkquality","access":1,\
        "category":"diagnostic"}
        """
    static let sensor = """
        {"type":"numeric","name":"temperature","property":"temperature","access":1,"unit":"°C"},\
        {"type":"numeric","name":"temperature_calibration","property":"temperature_calibration",\
        "access":2,"category":"config"},\(battery),\(linkQuality)
        """
    static let remote = """
        {"type":"enum","name":"action","property":"action","access":1,"values":["single","double"]},\
        \(battery)
        """
    static let siren = """
        {"type":"composite","name":"warning","property":"warning","access":2,"features":[\
        {"type":"enum","name":"mode","property":"mode","access":2,"values":["stop","burglar"]}]},\
        {"type":"binary","name":"alarm","property":"alarm","access":3,"value_on":true,\
        "value_off":false}
        """
}
