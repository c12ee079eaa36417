"""Laws of heliograph-hot about how it reaches nodes, for hot_laws: tokens of servers, backup pins, and the version of TLS."""
import os
import socket
import subprocess

from .hot_signing import until
from .hot_world import MAKE, law

TOKEN = "Bearer 5up3r-s3cret"


def secure(world):
    """The words that trust the stand-in authority, and those that start a node with a certificate of it."""
    certificates = world.certificates()
    return ["--authority", certificates / "ca.pem"], ["--certificate", certificates / "loopback.pem"]


@law
def a_token_goes_to_its_own_server_over_tls_and_nowhere_else(world):
    trust, node = secure(world)
    log, file = world.folder / "log", world.folder / "headers"
    for scheme in ("wss", "https"):
        world.database = world.folder / scheme
        url, other = world.node(*node, "--token", TOKEN, scheme=scheme), world.node(*node, "--no-token", "--log", str(log), scheme=scheme)
        for refused in ([], ["--headers", file]):
            file.write_text(f"# of the operator\n\n{url} Authorization: {TOKEN[:-1]}\r\n")
            world.hot("fetch", url, *trust, *refused, "--attempts", 1, code=74)
        file.write_text(f"# of the operator\n\n{url}/any/path Authorization: {TOKEN}\r\n{url} X-Other: 1\n")
        runs = [world.hot("fetch", url, *trust, "--headers", file), world.hot("fetch", other, *trust, "--headers", file)]
        runs.append(world.hot(*MAKE, "--call-hex", "00000404", "--url", url, "--url", other, *trust, "--headers", file, "--without-proof",
                              "--out", world.folder / f"{scheme}.bin"))
        assert "a token of another server" not in log.read_text() and "chain_getBlockHash" in log.read_text()
        # The token is neither printed nor kept.
        assert all("5up3r" not in run.stdout + run.stderr for run in runs)
        assert not any(b"5up3r" in path.read_bytes() for path in world.database.iterdir())
    # A descriptor holds it as well.
    reading, writing = os.pipe()
    os.write(writing, file.read_bytes())
    os.close(writing)
    child = world.start("fetch", url, *map(str, trust), "--headers", f"/dev/fd/{reading}", pass_fds=[reading], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
    os.close(reading)
    assert child.wait(60) == 0


@law
def a_token_meets_no_url_without_tls(world):
    log, file = world.folder / "log", world.folder / "headers"
    url = world.node("--no-token", "--log", str(log))
    secret = url.replace("ws://", "wss://")
    file.write_text(f"{secret} Authorization: {TOKEN}\n")
    for plain in (url, url.replace("ws://", "http://")):
        assert "headers of --headers are sent to wss and https URLs only" in world.hot("fetch", plain, "--headers", file, code=64).stderr
    assert not log.exists() or not log.read_text()
    for line in (f"{url} Authorization: {TOKEN}", f"{secret} Host: {TOKEN}", f"{secret} Authorization {TOKEN}", f"{secret} Authorization:",
                 f"Authorization: {TOKEN}", f"{secret} A:b {TOKEN}\u00e9", f"{secret} Content-Length: 5up3r"):
        file.write_text(f"\n{line}\n")
        said = world.hot("fetch", secret, "--headers", file, code=65).stderr
        assert f"line 2 of {file} is not a URL with TLS and a header" in said and "5up3r" not in said, said


@law
def a_server_without_tls_1_3_is_refused_where_it_is_demanded(world):
    trust, node = secure(world)
    for scheme in ("wss", "https"):
        old, new = (world.node(*node, "--tls", version, scheme=scheme) for version in ("1.2", "1.3"))
        world.hot("fetch", old, *trust)
        world.hot("fetch", new, *trust, "--tls13")
        assert "no trusted connection" in world.hot("fetch", old, *trust, "--tls13", "--attempts", 1, code=74).stderr
    # Unlike Python's server, this one sends the alert that names the reason.
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    world.nodes.append(subprocess.Popen(
        ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-tls1_2", "-www", "-quiet", "-cert", node[1], "-key", node[1].with_suffix(".key")],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
    said = world.hot("fetch", f"https://localhost:{port}", *trust, "--tls13", "--attempts", 1, "--timeout", 20, code=74).stderr
    assert "does not support TLS 1.3, which --tls13 demands" in said, said
    assert "--tls13 needs a wss or https URL" in world.hot("fetch", world.node(), "--tls13", code=64).stderr


@law
def a_server_changes_to_its_backup_pin_without_an_outage(world):
    trust, node = secure(world)
    url = world.node(*node, scheme="wss")
    whole, key = (line.strip() for line in world.hot("pin", "show", url, *trust).stdout.splitlines())
    wrong = "key:0x" + "11" * 32
    for pin, backup in ((wrong, key), (wrong, whole), (key, wrong)):
        world.hot("pin", "set", url, pin, "--backup", backup)
        world.hot("fetch", url, *trust)
    assert world.hot("pin", "list").stdout == f"{url}  {key}  or {wrong}\n"
    [row] = world.json("pin", "list")
    assert (row["backup_subject"], row["backup_sha256"]) == ("key", "11" * 32), row
    # The next pin stands alone unless it has a backup of its own.
    world.hot("pin", "set", url, wrong)
    assert "has another key than its pin" in world.hot("fetch", url, *trust, code=1).stderr
    assert "backup_sha256" not in world.json("pin", "list")[0]
    world.hot("pin", "set", url, wrong, "--backup", "key:0x" + "22" * 32)
    assert "has another key than its pin" in world.hot("fetch", url, *trust, code=1).stderr
    world.hot("pin", "remove", url)
    world.hot("fetch", url, *trust)
