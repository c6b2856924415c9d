"""Requests of all sorts for the server of the page: bytes, words of the protocol, questions with and without sense."""

from __future__ import annotations

import random
import socket
import threading

WORDS = [
    *("GET", "POST", "/", "/ask", "/page.js", "HTTP/1.1", "HTTP/9.9", "\r\n", "Host:", "Content-Length: 5"),
    *("Origin: x", "\0", "é", "{}", ":", " "),
]
VALUES = ["1e999", "null", "[]", "{}", '"mu"', "-0.0", "true", "1e-320", "[1,2,3]"]
ASKS = ['"show"', '"at"', '"explain"', '"python"', '"sure"', '"describe"', "7"]
KEYS = ["ask", "state", "change", "q", "tau", "x"]


def question(rng: random.Random) -> str:
    """A question that may have a sense."""
    value = rng.choice([*VALUES, '"' + "x" * rng.randrange(400) + '"'])
    return f'{{"ask":{rng.choice(ASKS)},"{rng.choice(KEYS)}":{value}}}'


def request(rng: random.Random, port: int) -> bytes:
    """One request as it goes over the wire."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 300))
    if kind == 1:
        return " ".join(rng.choices(WORDS, k=rng.randrange(1, 12))).encode()
    body = question(rng) if kind == 2 else rng.choice(["{", "[[", "\x00", question(rng)[:-2]])
    head = f"Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body.encode())}"
    return f"POST /ask HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n{body}".encode()


def send(port: int, data: bytes, wait: float = 20.0) -> bytes:
    """Bytes in, bytes out, until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as link:
        link.sendall(data)
        link.shutdown(socket.SHUT_WR)
        found = b""
        while chunk := link.recv(65536):
            found += chunk
    return found


def send_all(port: int, count: int, seed: int = 20) -> list[tuple[bytes, OSError]]:
    """Send random requests, four at a time; those that were neither answered nor refused."""
    rng = random.Random(seed)
    batch = [request(rng, port) for _ in range(count)]
    failed = []

    def work(mine: list[bytes]) -> None:
        for data in mine:
            try:
                send(port, data)
            except ConnectionError:  # reset is a way to refuse
                pass
            except OSError as error:
                failed.append((data, error))

    threads = [threading.Thread(target=work, args=(batch[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed
