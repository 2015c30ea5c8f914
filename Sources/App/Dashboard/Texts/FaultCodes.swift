internal import DeviceControlPresentation
internal import DeviceMessages

/// What the error and alarm codes of devices mean (PROTOCOL section 5), and what a person can do. A code that
/// is not listed there is shown as it is.
struct FaultCodes: Sendable {
    let language: Language

    /// What is wrong, in a few words.
    func name(_ code: String) -> String {
        guard let fault = Self.all[code] else { return code }
        return language == .english ? fault.english.what : fault.chinese.what
    }

    /// What is wrong and what to do, in a line.
    func sentence(_ code: String) -> String {
        guard let fault = Self.all[code] else { return code }
        let (what, remedy) = language == .english ? fault.english : fault.chinese
        guard !remedy.isEmpty else { return what }
        return language == .english ? "\(what) – \(remedy)" : "\(what)：\(remedy)"
    }

    /// The codes that are known.
    static var codes: [String] { all.keys.sorted() }

    private typealias Words = (what: String, remedy: String)
    private typealias Fault = (english: Words, chinese: Words)

    private static let all: [String: Fault] = [
        "WHEEL_BLOCKED": (("Wheel blocked", "free the robot"), ("轮子被卡住", "请把机器人移开")),
        "BRUSH_BLOCKED": (("Main brush blocked", "clean it"), ("主刷被卡住", "请清理主刷")),
        "SIDE_BRUSH_BLOCKED": (("Side brush blocked", "clean it"), ("边刷被卡住", "请清理边刷")),
        "BUMPER_STUCK": (("Bumper stuck", "tap it free"), ("碰撞板卡住", "请轻拍使其复位")),
        "LIDAR_BLOCKED": (("Laser sensor blocked", "clean it"), ("激光雷达被遮挡", "请清理传感器")),
        "CLIFF": (("At an edge", "move the robot away from it"), ("位于悬空边缘", "请把机器人移开")),
        "TRAPPED": (("Trapped", "carry the robot to a free place"), ("被困住", "请把机器人搬到空旷处")),
        "BIN_FULL": (("Dustbin full", "empty it"), ("尘盒已满", "请清空尘盒")),
        "BIN_MISSING": (("Dustbin missing", "put it in"), ("未装尘盒", "请装好尘盒")),
        "FILTER_BLOCKED": (("Filter blocked", "clean it"), ("滤芯堵塞", "请清洗滤芯")),
        "DOCK_NOT_FOUND": (
            ("Dock not found", "carry the robot to its dock"), ("找不到充电座", "请把机器人放到充电座上")
        ),
        "DOCK_NO_POWER": (("Dock has no power", "plug it in"), ("充电座没有电", "请接通充电座电源")),
        "BATTERY_TEMPERATURE": (
            ("Battery too hot or too cold", "let it rest at room temperature"),
            ("电池温度异常", "请在室温下静置")
        ),
        "HARDWARE_FAULT": (("A part is defective", "have it repaired"), ("部件损坏", "请送修")),
        "OUT_OF_WATER": (("Out of the water", "put it back into the pool"), ("离开水面", "请放回池中")),
        "STUCK": (("Stuck", "free the robot"), ("被卡住", "请把机器人移开")),
        "IMPELLER_OVERLOAD": (("Pump blocked", "clean it"), ("水泵堵塞", "请清理水泵")),
        "IMPELLER_UNDERLOAD": (("Pump draws air", "put it under water"), ("水泵吸入空气", "请放入水中")),
        "DRIVE_OVERLOAD": (("Drive blocked", "free the robot"), ("驱动轮受阻", "请把机器人移开")),
        "DRIVE_UNDERLOAD": (("Drive turns freely", "check the tracks"), ("驱动轮空转", "请检查履带")),
        "SUPPLY_OVERHEAT": (
            ("Power supply too hot", "put it into the shade"), ("电源过热", "请移到阴凉处")
        ),
        "grid-outage": (
            ("No power from the grid", "the store supplies the home"), ("电网停电", "由储能设备供电")
        ),
        "load-shed": (("Loads switched off", "use less power"), ("已切断部分负载", "请减少用电")),
        "over-temperature": (("Too hot", "less power until it has cooled"), ("温度过高", "冷却前功率受限")),
        "under-temperature": (("Too cold", "less power until it is warmer"), ("温度过低", "回暖前功率受限")),
        "cell-voltage": (("Cell voltage out of range", "call service"), ("电芯电压异常", "请联系售后")),
        "empty": (("Empty", "charge it"), ("电量耗尽", "请充电")),
        "meter-lost": (("Meter does not answer", "check its cable"), ("电表没有应答", "请检查连线")),
        "contactor-open": (("Contactor open", "call service"), ("接触器断开", "请联系售后")),
        "hardware-fault": (("A part is defective", "call service"), ("部件损坏", "请联系售后")),
    ]
}

extension Texts {
    /// Why a device refused a command, or did not carry it out; `nil` for a code that PROTOCOL section 2 does
    /// not list, and for one that says nothing.
    func meaning(of code: AckCode) -> String? {
        guard let text = Self.codes[code] else { return nil }
        return choose(english: text.english, chinese: text.chinese)
    }

    private static let codes: [AckCode: (english: String, chinese: String)] = [
        .busy: ("Another action is running", "正在执行其他动作"),
        .throttled: ("Too many commands wait", "等待的命令过多"),
        .notReady: ("The device is not ready yet", "设备尚未就绪"),
        .internal: ("The device had an internal error", "设备内部错误"),
        .badRequest: ("The device cannot read the command", "设备无法读取该命令"),
        .unknownCommand: ("The device does not have this command", "设备没有此命令"),
        .badArguments: ("The device does not take these arguments", "设备不接受这些参数"),
        .unsupportedVersion: ("The device uses another version of the protocol", "设备使用不同的协议版本"),
        .forbidden: ("This controller is not allowed to do that", "没有执行此操作的权限"),
        .precondition: ("The settings have changed since", "设置在此期间已被更改"),
        .staleSession: ("The command did not reach the device before its restart", "命令未在设备重启前到达"),
        .wrongState: ("That is not possible in the present state", "设备当前状态下无法执行"),
        .idReused: ("Another command had this id", "命令编号已被使用"),
        .unsafe: ("That would be unsafe", "执行此操作不安全"),
        .badResponseTopic: ("The command asks for an answer elsewhere", "命令的应答地址不正确"),
        .expired: ("The time in which it could start has passed", "已超过可开始执行的时间"),
        .cancelled: ("Another command ended it", "已被其他命令结束"),
        .superseded: ("Another command took its place", "已被其他命令取代"),
        .interrupted: ("The device was restarted meanwhile", "执行期间设备重新启动"),
        .stuck: ("The device is stuck", "设备被卡住"),
        .lowBattery: ("The battery is too low", "电量不足"),
        .hardwareFault: ("A part of the device does not work", "设备部件有故障"),
    ]
}
