internal import DeviceControlPresentation
internal import DeviceDomain
internal import SimulationPresentation

/// What faults of simulated devices are called. Those that it does not know are shown as the fleet says.
extension Texts {
    /// The name of a fault.
    func name(_ fault: FaultName) -> String {
        switch language {
        case .english: terms.value(fault.rawValue)
        case .chinese: Self.faults[fault.rawValue]?.name ?? terms.value(fault.rawValue)
        }
    }

    /// What a fault does.
    func effect(_ fault: PossibleFault) -> String {
        let effect =
            switch language {
            case .english: fault.effect
            case .chinese: Self.faults[fault.name.rawValue]?.effect ?? fault.effect
            }
        return effect.prefix(1).uppercased() + effect.dropFirst()
    }

    /// The name of a parameter of a fault, or of its duration.
    func parameter(_ name: String) -> String {
        switch name {
        case FaultForm.duration: self[.duration]
        case "delayMs": choose(english: "Delay", chinese: "延迟")
        case "jitterMs": choose(english: "Jitter", chinese: "抖动")
        case "bytesPerSecond": choose(english: "Bytes per second", chinese: "每秒字节数")
        case "leastMs": choose(english: "Shortest delay", chinese: "最短延迟")
        case "mostMs": choose(english: "Longest delay", chinese: "最长延迟")
        case "offsetMs": choose(english: "Offset", chinese: "偏差")
        case "stepMs": choose(english: "Jump", chinese: "跳变")
        case "ppm": choose(english: "Drift", chinese: "漂移")
        case "everySeconds": choose(english: "Repeats after", chinese: "间隔")
        case "percentPerHour": choose(english: "Drift per hour", chinese: "每小时漂移")
        default: terms.member(name)
        }
    }

    /// In Chinese; the fleet itself says it in English.
    private static let faults: [String: (name: String, effect: String)] = [
        "offline": ("断线", "连接突然中断；结束后重新连接"),
        "mute": ("不应答", "执行命令但不发送应答；结束后补发"),
        "slow": ("应答迟缓", "每条应答都延迟发送"),
        "duplicate-acks": ("重复应答", "应答发送两次"),
        "late-acks": ("应答延迟不定", "每条应答都延迟一段随机时间"),
        "drop-acks": ("应答丢失", "应答永久丢失，结束后也不补发"),
        "reorder": ("消息乱序", "消息在下一条同类消息之后或 5 秒后才发送"),
        "replay": ("消息重放", "再次发送最近 16 条消息中的一条"),
        "truncate": ("消息截断", "消息内容提前结束"),
        "wrong-payload": ("消息类型错误", "消息中有一项的类型不对"),
        "frozen-state": ("状态冻结", "不再更新状态；结束后发布真实状态"),
        "unknown-error": ("未知错误码", "状态中有一个不在任何表里的错误码"),
        "clock-offset": ("时钟偏差", "时钟有固定偏差"),
        "clock-drift": ("时钟漂移", "时钟走得过快"),
        "clock-step": ("时钟跳变", "时钟反复跳变再跳回"),
        "reboot-loop": ("反复重启", "立即重启，并不断重启"),
        "battery-dead": ("电池耗尽", "突然关机；结束后以原有电量重新启动"),
        "sensor-stuck": ("传感器卡住", "传感器一直显示最初的读数"),
        "sensor-noise": ("传感器噪声", "传感器读数上下波动"),
        "sensor-drift": ("传感器漂移", "传感器读数逐渐偏离"),
        "hardware-fault": ("硬件故障", "某个部件损坏：正在进行的动作失败，新的动作被拒绝"),
        "reboot": ("重启", "以新的启动标识重新启动；正在进行的动作被中断"),
        "stuck": ("被困", "无法移动：正在进行的动作失败，新的动作被拒绝"),
        "low-battery": ("电量不足", "电池最多只能保有这么多电量"),
        "brush-blocked": ("主刷卡住", "主刷被卡住：正在进行的动作失败，新的动作被拒绝"),
        "bin-full": ("尘盒已满", "尘盒已满：正在进行的动作失败，新的动作被拒绝"),
        "side-brush-blocked": ("边刷卡住", "边刷被卡住：与硬件故障相同"),
        "bumper-stuck": ("碰撞板卡住", "碰撞板被压住：与硬件故障相同"),
        "lidar-blocked": ("激光雷达受阻", "激光雷达不转动：与硬件故障相同"),
        "cliff": ("悬空", "停在边缘：与硬件故障相同"),
        "trapped": ("无路可走", "找不到路线：与硬件故障相同"),
        "bin-missing": ("尘盒缺失", "没有安装尘盒：与硬件故障相同"),
        "filter-blocked": ("滤网堵塞", "滤网被堵住：与硬件故障相同"),
        "dock-not-found": ("找不到充电座", "找不到充电座：与硬件故障相同"),
        "dock-no-power": ("充电座没有电", "充电座不充电：仍可派去清扫"),
        "battery-temperature": ("电池温度异常", "电池过热或过冷：与硬件故障相同"),
        "out-of-water": ("离开水面", "停在池边：正在运行的程序 30 秒后失败"),
        "over-temperature": ("过热", "温度过高：最多只剩这么多功率"),
        "meter-lost": ("电表没有应答", "家中的电表没有应答：储能设备不再跟随光伏和负载"),
        "grid-outage": ("停电", "家中没有电网供电：由储能设备供电，充放电结束"),
        "reset": ("连接被重置", "网络重置连接；之后重新连接"),
        "blackhole": ("网络黑洞", "两个方向的数据都无法通过；结束后送达"),
        "half-open": ("半开连接", "代理一侧的连接已经消失，设备并不知道"),
        "slow-link": ("网速缓慢", "网络传输很慢"),
        "latency": ("网络延迟", "收发的所有数据都延迟到达"),
        "loss": ("丢包", "数据包丢失后重发，后面的数据包等待"),
        "takeover": ("标识被占用", "另一个客户端使用它的标识，并且每次都夺回"),
    ]
}
