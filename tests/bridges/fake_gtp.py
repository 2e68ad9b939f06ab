"""A Go program that misbehaves as its argument says: it passes, hangs, says a line now and then, says lines without end,
dies, resigns, talks nonsense or plays I99."""

import sys
import time

how = sys.argv[1]
for line in sys.stdin:
    command = line.split()[0]
    if command != "genmove":
        print("=\n", flush=True)
    elif how == "hang":
        time.sleep(60)
    elif how == "drip":
        for _ in range(20):
            print("= slowly", flush=True)
            time.sleep(0.1)
        sys.exit(4)
    elif how == "flood":
        while True:
            print("= much")
    elif how == "die":
        sys.exit(3)
    elif how == "talk":
        print("hello\n", flush=True)
    elif how == "refuse":
        print("? no idea\n", flush=True)
    else:
        print(f"= {how}\n", flush=True)
