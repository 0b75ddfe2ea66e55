"""Files encrypted with 256 bits, which no library of the tests makes: AES (FIPS 197) and ISO 32000-2, 7.6.4."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable

from tools.make_golden_pdf import raw_pdf

Block = Callable[[bytes], bytes]

_FILE_KEY = bytes(range(32))
_PERMISSIONS = -4


def _tables() -> tuple[list[int], list[list[int]]]:
    """The S-box, and for each row of a column what a byte contributes to the mixed column."""
    box = [0] * 256
    p = q = 1
    while True:
        p ^= (p << 1) ^ (0x11B if p & 0x80 else 0)
        p &= 0xFF
        q ^= q << 1
        q ^= q << 2
        q ^= q << 4
        q &= 0xFF
        if q & 0x80:
            q ^= 0x09
        rotated = [(q << n | q >> (8 - n)) & 0xFF for n in range(1, 5)]
        box[p] = q ^ rotated[0] ^ rotated[1] ^ rotated[2] ^ rotated[3] ^ 0x63
        if p == 1:
            break
    box[0] = 0x63
    first = []
    for s in box:
        double = ((s << 1) ^ (0x11B if s & 0x80 else 0)) & 0xFF
        first.append(double << 24 | s << 16 | s << 8 | (double ^ s))
    return box, [[(value >> 8 * n | value << (32 - 8 * n)) & 0xFFFFFFFF for value in first] for n in range(4)]


_BOX, _MIXED = _tables()


def aes(key: bytes) -> Block:
    """The encryption of one block of 16 bytes."""
    words = list(struct.unpack(f">{len(key) // 4}I", key))
    size, factor = len(words), 1
    rounds = size + 6
    while len(words) < 4 * (rounds + 1):
        word = words[-1]
        if len(words) % size == 0:
            word = (word << 8 | word >> 24) & 0xFFFFFFFF
        if len(words) % size == 0 or (size > 6 and len(words) % size == 4):
            word = sum(_BOX[word >> shift & 0xFF] << shift for shift in (0, 8, 16, 24))
        if len(words) % size == 0:
            word ^= factor << 24
            factor = (factor << 1 ^ (0x11B if factor & 0x80 else 0)) & 0xFF
        words.append(words[-size] ^ word)
    t0, t1, t2, t3 = _MIXED

    def encrypt(block: bytes) -> bytes:
        a, b, c, d = (one ^ other for one, other in zip(struct.unpack(">4I", block), words, strict=False))
        for at in range(4, 4 * rounds, 4):
            a, b, c, d = (
                t0[a >> 24] ^ t1[b >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[d & 255] ^ words[at],
                t0[b >> 24] ^ t1[c >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[a & 255] ^ words[at + 1],
                t0[c >> 24] ^ t1[d >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[b & 255] ^ words[at + 2],
                t0[d >> 24] ^ t1[a >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[c & 255] ^ words[at + 3],
            )
        column = [(a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)]
        last = [
            _BOX[w >> 24] << 24 | _BOX[x >> 16 & 255] << 16 | _BOX[y >> 8 & 255] << 8 | _BOX[z & 255]
            for w, x, y, z in column
        ]
        return struct.pack(">4I", *(one ^ other for one, other in zip(last, words[-4:], strict=True)))

    return encrypt


def chained(key: bytes, start: bytes, data: bytes) -> bytes:
    """Cipher block chaining, without padding."""
    encrypt, block, result = aes(key), start, []
    for at in range(0, len(data), 16):
        block = encrypt(bytes(one ^ other for one, other in zip(data[at : at + 16], block, strict=True)))
        result.append(block)
    return b"".join(result)


def digest(password: bytes, salt: bytes, revision: int) -> bytes:
    """The hash of a user's password: SHA-256 in revision 5, algorithm 2.B in revision 6."""
    key = hashlib.sha256(password + salt).digest()
    turn = 0
    while revision == 6:
        encrypted = chained(key[:16], key[16:32], (password + key) * 64)
        key = (hashlib.sha256, hashlib.sha384, hashlib.sha512)[sum(encrypted[:16]) % 3](encrypted).digest()
        turn += 1
        if turn >= 64 and encrypted[-1] <= turn - 32:
            break
    return key[:32]


def encrypted_pdf(text: str, password: str, *, revision: int) -> bytes:
    """A page with that text, opened by the user's password (by anybody where it is empty)."""
    secret = password.encode()
    salts = b"for test", b"and keys"
    user = digest(secret, salts[0], revision) + b"".join(salts)
    user_key = chained(digest(secret, salts[1], revision), bytes(16), _FILE_KEY)
    rights = struct.pack("<i", _PERMISSIONS) + b"\xff\xff\xff\xffTadb" + b"rest"
    content = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
    fill = 16 - len(content) % 16
    start = b"initial vector.."
    stream = start + chained(_FILE_KEY, start, content + bytes([fill]) * fill)
    lock = (
        f"<< /Filter /Standard /V 5 /R {revision} /Length 256 /P {_PERMISSIONS} "
        f"/U <{user.hex()}> /UE <{user_key.hex()}> /O <{bytes(48).hex()}> /OE <{bytes(32).hex()}> "
        f"/Perms <{aes(_FILE_KEY)(rights).hex()}> /EncryptMetadata true "
        "/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF >>"
    )
    data = raw_pdf(
        {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            4: b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream",
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            6: lock,
        }
    )
    return data.replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt 6 0 R /ID [<00> <00>]")
