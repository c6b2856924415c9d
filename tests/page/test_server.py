"""The server answers its own page and nobody else."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from random_requests import send, send_all

import modecontrol as mc
from modecontrol.page import Page, Session
from modecontrol.page.server import LONGEST, PageServer


@pytest.fixture(scope="module")
def page():
    with Page(Session(mc.load("table")), port=0) as page:
        yield page


def ask(page, method="POST", path="/ask", body=None, headers=None, host=None):
    """One request; gives status, headers and body."""
    port = page._server.server_port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    sent = {"Host": host or f"127.0.0.1:{port}"}
    if body is not None:
        sent["Content-Type"] = "application/json"
    connection.request(method, path, body, {**sent, **(headers or {})})
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def raw(page, data, wait=5.0):
    """Bytes in, bytes out, until the server closes."""
    return send(page._server.server_port, data, wait)


SHOW = json.dumps({"ask": "show"})


def test_it_serves_its_page_and_answers(page):
    for path, kind in (("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")):
        status, headers, body = ask(page, "GET", path)
        assert status == 200
        assert headers["Content-Type"].startswith(kind)
        assert len(body) > 300
        assert "default-src 'none'" in headers["Content-Security-Policy"]
    status, _, body = ask(page, body=SHOW)
    assert status == 200
    assert [entry["mode"] for entry in json.loads(body)["modes"]] == ["FF", "LL", "RR"]


def test_it_listens_on_the_loopback_address_only(page):
    assert page._server.socket.getsockname()[0] == "127.0.0.1"
    mine = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {
        "127.0.0.1"
    }
    for address in [a for a in mine if not a.startswith("127.")]:
        with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
            socket.create_connection((address, page._server.server_port), timeout=2)


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost.example.org:80", "[::1]", "0.0.0.0:80"]
)
def test_a_foreign_host_is_refused(page, host):
    for method, path, body in (("GET", "/", None), ("POST", "/ask", SHOW)):
        assert ask(page, method, path, body, host=host)[0] == 421


def test_two_hosts_or_none_are_refused(page):
    port = page._server.server_port
    assert b" 421 " in raw(page, b"GET / HTTP/1.1\r\n\r\n")
    assert b" 421 " in raw(
        page, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: example.org\r\n\r\n".encode()
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:80"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_origin_is_refused(page, headers):
    assert ask(page, body=SHOW, headers=headers)[0] == 403
    assert ask(page, "GET", "/", headers=headers)[0] == 403


def test_its_own_origin_is_welcome(page):
    port = page._server.server_port
    for name in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert (
            ask(
                page,
                body=SHOW,
                headers={"Origin": f"http://{name}", "Sec-Fetch-Site": "same-origin"},
                host=name,
            )[0]
            == 200
        )


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/../pyproject.toml",
        "/page.js/..",
        "/static/dom.js",
        "//page",
        "/?x=1",
        "/%2e%2e/",
        "/ask",
    ],
)
def test_any_other_path_is_refused(page, path):
    assert ask(page, "GET", path)[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "PATCH", "BREW"])
def test_any_other_method_is_refused(page, method):
    assert ask(page, method, "/")[0] == 501


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ("{", {}, 400),
        ("", {}, 400),
        ("[1, 2", {}, 400),
        ('{"ask": NaN}', {}, 400),
        ("[" * 30000, {}, 400),
        ("\ud800".encode("utf-8", "surrogatepass"), {}, 400),
        ("9" * 5000, {}, 400),
        (SHOW, {"Content-Type": "text/plain"}, 415),
        (SHOW, {"Content-Type": "multipart/form-data"}, 415),
        (" " * (LONGEST + 1), {}, 413),
    ],
)
def test_malformed_and_oversized_questions_are_refused(page, body, headers, status):
    found, _, answer = ask(page, body=body, headers=headers)
    assert found == status
    assert "error" in json.loads(answer)


@pytest.mark.parametrize("length", ["-1", "1e3", "99999999999999999999", "+5", " ", "0x10", "٣"])
def test_a_length_that_is_none_is_refused(page, length):
    port = page._server.server_port
    head = f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    assert raw(page, head.encode()).split(b" ", 2)[1] in (b"400", b"411", b"413")


def test_a_chunked_question_is_refused(page):
    port = page._server.server_port
    head = f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert b" 411 " in raw(page, head.encode() + b"5\r\n{}\r\n0\r\n\r\n")


def test_it_survives_random_requests(page):
    """Bytes, lines, headers and questions of all sorts; afterwards it answers as before (10,000 of them:
    `benchmarks/page.py --requests`).
    """
    assert send_all(page._server.server_port, 1500) == []
    assert json.loads(ask(page, body=SHOW)[2])["best"]["mode"] == "RR"


def test_a_slow_client_does_not_stop_the_others(page):
    port = page._server.server_port
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    for link in idle:
        link.sendall(b"POST /ask HTT")
    assert ask(page, body=SHOW)[0] == 200
    for link in idle:
        link.close()


def test_too_many_connections_are_closed_and_room_comes_back():
    with Page(Session(mc.load("table")), port=0) as page:
        port = page._server.server_port
        links = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(100)]
        ended = 0
        for link in links[64:]:
            try:
                ended += link.recv(1) == b""
            except ConnectionError:
                ended += 1
        assert ended == 36
        for link in links:
            link.close()
        for _ in range(100):
            try:
                assert ask(page, body=SHOW)[0] == 200
                break
            except ConnectionError:
                time.sleep(0.05)
        else:
            pytest.fail("no room came back")


def test_two_at_once_get_their_own_answers(page):
    """States live in the questions: what one browser looks at does not change what the other sees."""
    wrong = []

    def look(mu):
        body = json.dumps({"ask": "show", "state": {"parameters": {"mu": mu}}})
        for _ in range(25):
            found = json.loads(ask(page, body=body)[2])
            if found["state"]["parameters"] != {"mu": mu} or found["scene"]["contacts"][0]["mu"] != mu:
                wrong.append(mu)

    threads = [threading.Thread(target=look, args=(mu,)) for mu in (0.2, 0.4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_error_of_ours_is_no_traceback_for_the_reader():
    def broken(question):
        raise ZeroDivisionError("secret")

    server = PageServer(broken, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("POST", "/ask", "{}", {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 500
    assert b"secret" not in answer.read()
    connection.close()
    server.shutdown()
    server.server_close()


def test_a_port_in_use_is_one_clear_line(page, capsys):
    from modecontrol.cli import main

    port = page._server.server_port
    assert main(["explore", "table", "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"port {port} cannot be used" in said
    assert "--port" in said


def test_without_a_port_a_free_one_is_found():
    with Page(Session(mc.load("table"))) as one, Page(Session(mc.load("table"))) as two:
        assert one.address != two.address
        assert ask(two, body=SHOW)[0] == 200


@pytest.mark.parametrize("connected", [False, True])
def test_ctrl_c_ends_it_cleanly(connected):
    """A real process: it prints its address, answers, and ends with code 0 and one word, whether or not a browser
    keeps its connection.
    """
    run = subprocess.Popen(
        [sys.executable, "-m", "modecontrol", "explore", "table", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )
    line = run.stdout.readline()
    port = int(line.split("127.0.0.1:")[1].split("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/ask", SHOW, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert (answer.status, bool(answer.read())) == (200, True)
    if not connected:
        connection.close()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    connection.close()
    assert (run.returncode, out, err) == (0, "stopped\n", "")


SCRIPT = """
import http.client
import modecontrol as mc
page = mc.load("table").explore(browser=False, port=0)
connection = http.client.HTTPConnection(page.address.split("/")[2], timeout=60)
connection.request("POST", "/ask", '{"ask": "show"}', {"Content-Type": "application/json"})
print(connection.getresponse().status)
"""


def test_a_script_that_does_not_close_its_page_ends_without_a_word():
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "200\n", "")
