"""What an abstraction costs, from nothing to everything: limit hold'em on small decks, solved without abstraction, and plans
on buckets measured in the same real game: exactly exploitable by how much, worth how much against the equilibrium in each
seat.

    python benchmarks/decks.py holdem:ranks=3 --iterations 120 --buckets 1 2 3 4
    python benchmarks/decks.py holdem:ranks=4 --iterations 400 --device cuda

Numbers are thousandths of a small bet a hand. The equilibrium's certificate bounds all of them.
"""

import argparse
import time

import numpy as np

from fogtree import OnBuckets, VectorCFR, load, solve
from fogtree.kernels import cuda
from fogtree.kernels.engines import DEVICES, chosen
from fogtree.kernels.lanes import CPU
from fogtree.solvers.public.cards import bucketed
from fogtree.solvers.public.hand_lanes import VectorLanes
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.vector_cfr import bytes_needed

SMALL_BETS = 500.0  # from units of payoff, half a small bet, to thousandths of a small bet
SETTLED = 200  # iterations of a plan on buckets


def main() -> None:
    asked = argparse.ArgumentParser(description="What an abstraction costs on a small deck.")
    asked.add_argument("game")
    asked.add_argument("--iterations", type=int, default=100)
    asked.add_argument("--buckets", type=int, nargs="*", default=[1, 2, 3, 4])
    asked.add_argument("--device", choices=DEVICES, default=CPU)
    given = asked.parse_args()
    game, device = load(given.game), chosen(given.device)
    if device != CPU and (trouble := cuda.trouble()):
        asked.error(trouble)
    clock = time.process_time if device == CPU else time.perf_counter
    form = public_form(game)
    size = f"{form.infosets():,} information sets on {len(form.board):,} boards"
    print(f"{given.game}: {size}, {bytes_needed(form) / 1e9:.2f} GB", flush=True)
    cfr = VectorCFR(form) if device == CPU else VectorLanes(form, device=device)
    began = clock()
    for _ in range(4):
        cfr.run(iterations=given.iterations // 4)
        low, high = -cfr.response(1), cfr.response(0)
        spent = clock() - began
        proved = f"value between {SMALL_BETS * low:.2f} and {SMALL_BETS * high:.2f}"
        mean = f"exploitable by {SMALL_BETS * (high - low) / 2:.3f} on average"
        print(f"  {cfr.iterations} iterations, {spent:.0f} s: {proved}, {mean}", flush=True)
    value = cfr.expected(0)
    print(f"  value of the dealer {SMALL_BETS * value:.2f}", flush=True)
    print("  columns: dealer, big blind, mean\n  buckets | inside | exploitable | loses to the equilibrium")
    kept = [cfr.average(player) for player in (0, 1)]
    for k in given.buckets:
        solved = solve(OnBuckets(game, k), iterations=SETTLED, device=device)
        typed = solved.strategy.by_type(game)
        cfr.form = form._replace(cards=bucketed(game, k).cards)
        lost, duel = [], []
        for player in (0, 1):
            cfr.adopt(player, typed)
            lost.append(cfr.response(1 - player) - (-value if player == 0 else value))
            duel.append((value if player == 0 else -value) - cfr.expected(player))
            cfr.set_average(player, kept[player])
        cfr.form = form
        numbers = [SMALL_BETS * np.array([*part, np.mean(part)]) for part in (lost, duel)]
        told = " | ".join(", ".join(f"{number:.1f}" for number in part) for part in numbers)
        print(f"  {k} | {SMALL_BETS * solved.total / 2:.1f} | {told}", flush=True)


if __name__ == "__main__":
    main()
