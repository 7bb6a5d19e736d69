"""An engine that misbehaves. The first argument says how; the others are parameters of that mode."""

import os
import signal
import sys
import time

mode = sys.argv[1]


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def sleep_for_ever():
    while True:
        time.sleep(1)


def child(directory, leave=False):
    """Starts a child that does not end and creates a file named after its process id. With `leave`, it leaves the process group."""
    if os.fork() == 0:
        if leave:
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        name = os.path.join(directory, str(os.getpid()))
        with open(name, "w"):
            pass
        sleep_for_ever()


if mode == "mute":
    sleep_for_ever()
if mode == "dead":
    sys.exit("no licence found")
if mode == "deaf":
    say("ugiok")
    say("readyok")
    sleep_for_ever()
if mode == "noise":
    block = "x" * 65536
    while True:
        sys.stdout.write(block)
if mode == "children":
    for leave in (False, True, True):
        child(sys.argv[2], leave)

games = 0
for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "ugi":
        say("ugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "uginewgame":
        games += 1
    elif words[0] == "stop":
        if mode == "stoppable":
            say("bestmove 4")
    elif words[0] == "quit":
        if mode not in ("stays", "children"):
            break
    elif words[0] == "go":
        if mode == "garbage":
            sys.stdout.buffer.write(b"\xff\xfe\x00 bestmove?\nMy move is, I think, 3\nbestmove\n")
            sys.stdout.flush()
        elif mode == "illegal":
            say("bestmove 99")
        elif mode == "dies":
            sys.exit("ValueError: pit out of range")
        elif mode == "dies-after":
            say("bestmove 3")
            sys.exit(0)
        elif mode == "dies-once":
            # The first process ends here and leaves a file, so that the second process answers.
            if not os.path.exists(sys.argv[2]):
                open(sys.argv[2], "w").close()
                sys.exit(1)
            say("bestmove 3")
        elif mode == "megabytes":
            for depth in range(200000):
                sys.stdout.write("info depth %d score cp 1 pv 1 2 3 4\n" % depth)
            say("x" * 300000)
            say("bestmove 3")
        elif mode == "complains":
            sys.stderr.write("a complaint\n" * 400000)
            say("bestmove 3")
        elif mode == "flood":
            while True:
                sys.stdout.write("info string la la la\n" * 1000)
        elif mode == "twice":
            say("bestmove 1")
            say("bestmove 2")
        elif mode == "closes":
            os.close(1)
            sleep_for_ever()
        elif mode in ("ignores", "stoppable"):
            pass
        else:
            say("bestmove 3")
    if mode == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode in ("stays", "children"):
    sleep_for_ever()
