"""Protocol Buffers (proto3) as provisioning needs it: varints, bytes, messages within messages."""


def varint(number):
    """A number of any size, negative ones in 64 bits."""
    number &= (1 << 64) - 1
    out = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        out.append(byte | 0x80 if number else byte)
        if not number:
            return bytes(out)


def message(*fields):
    """The bytes of `(number, value)` pairs: an int, or bytes of any kind."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            out += varint(number << 3 | 2) + varint(len(value)) + bytes(value)
    return out


def parse(data):
    """All fields: number -> list of ints or bytes."""
    fields, place = {}, 0

    def take_varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    while place < len(data):
        key = take_varint()
        if key & 7 == 0:
            value = take_varint()
        elif key & 7 == 2:
            length = take_varint()
            value, place = data[place:place + length], place + length
        else:
            raise ValueError(f"wire type {key & 7}")
        fields.setdefault(key >> 3, []).append(value)
    return fields


def first(fields, number, default=0):
    """The only value of a field."""
    return fields.get(number, [default])[-1]
