// placeholder of the skeleton, replaced by the room's first file
