print("homeport-sim")
