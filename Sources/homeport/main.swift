print("homeport")
