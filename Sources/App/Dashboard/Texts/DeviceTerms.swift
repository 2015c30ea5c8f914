internal import DeviceControlPresentation
internal import DeviceDomain
internal import SharedPresentation

/// What devices call things, in the words of people. Names that it does not know are shown as they are,
/// with blanks between their words.
struct DeviceTerms: Sendable {
    let language: Language

    /// The name of a member of a state or of telemetry.
    func member(_ name: String) -> String {
        switch language {
        case .english: Self.names(of: name)?.english ?? Self.sentence(Self.withoutUnit(name))
        case .chinese: Self.names(of: name)?.chinese ?? Self.sentence(Self.withoutUnit(name))
        }
    }

    /// The name of a command.
    func command(_ name: CommandName) -> String {
        let pair = Self.commands[name.rawValue]
        return switch language {
        case .english: Self.sentence(name.rawValue)
        case .chinese: pair ?? Self.sentence(name.rawValue)
        }
    }

    /// A value that is one of a few, such as `docked`.
    func value(_ name: String) -> String {
        switch language {
        case .english: Self.sentence(name)
        case .chinese: Self.values[name] ?? Self.sentence(name)
        }
    }

    /// A kind of device.
    func kind(_ kind: DeviceKind) -> String {
        let pair = Self.kinds[kind.rawValue]
        return switch language {
        case .english: pair?.english ?? Self.sentence(kind.rawValue)
        case .chinese: pair?.chinese ?? Self.sentence(kind.rawValue)
        }
    }

    /// An event that a device reports.
    func event(_ name: String) -> String {
        switch language {
        case .english: Self.sentence(name)
        case .chinese: Self.events[name] ?? Self.sentence(name)
        }
    }

    private static func withoutUnit(_ name: String) -> String {
        SignalUnit(ofSignal: name)?.stem(of: name) ?? name
    }

    private static func names(of member: String) -> (english: String, chinese: String)? {
        Signal(rawValue: member).flatMap { signals[$0] } ?? others[member]
    }

    /// `startCleaning`, `start-cleaning` and `start_cleaning` as `Start cleaning`.
    private static func sentence(_ name: String) -> String {
        var title = ""
        for character in name {
            if character == "-" || character == "_" {
                title.append(" ")
            } else if character.isUppercase, title.last?.isLowercase == true {
                title.append(" ")
                title.append(contentsOf: character.lowercased())
            } else {
                title.append(character)
            }
        }
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// Also arguments of the same name.
    private static let signals: [Signal: (english: String, chinese: String)] = [
        .activity: ("Activity", "活动"), .fanSpeed: ("Suction", "吸力"),
        .isCharging: ("Charging", "充电中"), .error: ("Error", "故障"),
        .batteryPercent: ("Battery", "电量"), .program: ("Program", "程序"),
        .powerLevel: ("Power level", "功率档"), .inWater: ("In the water", "在水中"),
        .remainingMinutes: ("Remaining", "剩余时间"), .filterPercent: ("Filter", "滤芯"),
        .mode: ("Mode", "模式"), .chargeLimitPercent: ("Charge limit", "充电上限"),
        .reservePercent: ("Reserve", "备用电量"), .gridConnected: ("On the grid", "已并网"),
        .alarms: ("Alarms", "警报"), .stateOfHealthPercent: ("Health", "电池健康度"), .x: ("East", "东向位置"),
        .y: ("North", "北向位置"), .headingDeg: ("Heading", "朝向"),
        .cleanedAreaM2: ("Cleaned area", "已清扫面积"), .cleaningSeconds: ("Cleaning time", "清扫时间"),
        .dustbinPercent: ("Dustbin", "尘盒"), .depthM: ("Depth", "深度"),
        .waterTemperatureC: ("Water", "水温"), .motorCurrentA: ("Motor", "电机电流"),
        .tiltDeg: ("Tilt", "倾角"), .stateOfChargePercent: ("Charge", "电量"),
        .batteryPowerW: ("Battery power", "电池功率"), .gridPowerW: ("Grid", "电网"),
        .loadPowerW: ("Consumption", "用电"), .pvPowerW: ("Solar", "光伏"),
        .temperatureC: ("Temperature", "温度"), .voltageV: ("Voltage", "电压"),
        .chargedKWh: ("Charged", "累计充电"), .dischargedKWh: ("Discharged", "累计放电"),
        .tetherTurns: ("Turns of the tether", "缆线圈数"), .mainBrushMinutes: ("Main brush", "主刷剩余"),
        .sideBrushMinutes: ("Side brush", "边刷剩余"), .filterMinutes: ("Filter", "滤芯剩余"),
        .sensorMinutes: ("Sensors", "传感器剩余"), .equivalentCycles: ("Full cycles", "等效循环次数"),
        .cellMinV: ("Lowest cell", "最低电芯电压"), .cellMaxV: ("Highest cell", "最高电芯电压"),
    ]

    /// Arguments, and the other members of a state.
    private static let others: [String: (english: String, chinese: String)] = [
        "settings": ("Settings", "设置"), "desiredRevision": ("Settings revision", "设置版本"),
        "rooms": ("Rooms", "房间"), "passes": ("Passes", "遍数"), "level": ("Level", "档位"),
        "percent": ("Percent", "百分比"), "powerW": ("Power", "功率"), "untilPercent": ("Until", "直到"),
        "enabled": ("Enabled", "启用"), "entries": ("Entries", "条目"), "id": ("Command id", "命令编号"),
        "ids": ("Command ids", "命令编号"), "weekday": ("Weekday", "星期"), "at": ("At", "时间"),
        "seconds": ("Seconds", "秒数"), "state": ("State", "状态"), "brightness": ("Brightness", "亮度"),
        "schedule": ("Schedule", "日程"),
    ]

    private static let commands: [String: String] = [
        "start-cleaning": "开始清扫", "clean-spot": "定点清扫", "move-to": "移动到",
        "return-to-dock": "返回充电座", "pause": "暂停", "stop": "停止", "resume": "继续",
        "locate": "寻找", "set-suction-level": "设置吸力", "start-program": "开始程序",
        "surface": "浮出水面", "set-power-level": "设置功率档", "set-schedule": "设置日程",
        "set-mode": "设置模式", "set-charge-limit": "设置充电上限", "set-reserve": "设置备用电量",
        "charge": "充电", "discharge": "放电", "set-islanding": "设置离网运行",
        "query-commands": "查询命令", "cancel-command": "取消命令", "identify": "识别",
        "permit-join": "允许加入", "set": "设置",
    ]

    private static let events: [String: String] = [
        "stuck": "被困住", "cleaning-finished": "清扫完成", "docked": "已回到充电座",
        "program-finished": "程序完成", "low-battery": "电量低", "filter-full": "滤芯已满",
        "out-of-water": "离开水面", "grid-lost": "电网断电", "grid-restored": "电网恢复",
        "over-temperature": "温度过高", "fault": "故障",
    ]

    private static let values: [String: String] = [
        "docked": "在充电座", "idle": "空闲", "cleaning": "清扫中", "paused": "已暂停", "returning": "返回中",
        "moving": "移动中", "error": "故障", "surfacing": "上浮中", "quiet": "安静", "balanced": "标准",
        "turbo": "强力",
        "max": "最大", "eco": "节能", "normal": "标准", "boost": "强劲", "floor": "池底", "walls": "池壁",
        "waterline": "水线", "full": "全部", "self-consumption": "自发自用", "backup": "备电",
        "time-of-use": "分时", "on": "开", "off": "关", "mon": "周一", "tue": "周二", "wed": "周三",
        "thu": "周四", "fri": "周五", "sat": "周六", "sun": "周日",
    ]

    private static let kinds: [String: (english: String, chinese: String)] = [
        "sweeping-robot": ("Sweeping robots", "扫地机器人"), "pool-robot": ("Pool robots", "泳池机器人"),
        "energy-store": ("Energy stores", "储能设备"), "zigbee-bridge": ("Zigbee bridges", "Zigbee 网桥"),
        "light": ("Lights", "灯"),
    ]
}
