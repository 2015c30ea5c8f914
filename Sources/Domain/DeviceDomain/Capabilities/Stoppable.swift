/// A device whose work can be ended: see ``CommandRequest/stop``.
public protocol Stoppable: Controllable {}

/// A device whose work can be paused: see ``CommandRequest/pause``.
public protocol Pausable: Stoppable {}
