"""A chess program that misbehaves as its argument says: it hangs, dies, chatters on, or answers `go` with that word."""

import sys
import time

how = sys.argv[1]
for line in sys.stdin:
    command = line.split()[0]
    if command == "uci":
        if how == "mute":
            time.sleep(60)
        print("id name Fake\noption name UCI_LimitStrength type check default false")
        print("option name UCI_Elo type spin default 1400 min 1300 max 2000\nuciok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "position" and how == "echo":
        told = line.strip()
    elif command == "setoption" and how == "strict":
        options = line.strip()
    elif command != "go":
        continue
    elif how == "hang":
        time.sleep(60)
    elif how == "chatter":
        while True:
            print("info depth 1", flush=True)
            time.sleep(0.01)
    elif how == "die":
        sys.exit(3)
    elif how == "echo":
        print(f"info string {told}\nbestmove {told.replace(' ', '_')}|{line.strip().replace(' ', '_')}", flush=True)
    elif how == "strict":
        print(f"bestmove {options.replace(' ', '_')}", flush=True)
    elif how == "nothing":
        print("bestmove", flush=True)
    else:
        print(f"info depth 1 score cp 0\nbestmove {how} ponder e7e5", flush=True)
