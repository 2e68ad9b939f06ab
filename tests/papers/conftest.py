"""What every claim of every paper must bear."""

import math

import pytest

from fogtree.papers.claims import AGREES, DIFFERS, Claim


def wrong_answers(claim: Claim) -> list[float]:
    """Answers that nobody would call the same: nothing at all, and thrice as much; of a printed 0, a twentieth."""
    return [0.0, 3 * claim.printed] if claim.printed else [0.05]


@pytest.fixture(scope="session")
def can_fail():
    """Asserts that wrong answers to a claim would be judged so."""

    def check(claim: Claim) -> None:
        assert claim.tolerance < abs(claim.printed) if claim.printed else claim.tolerance <= 0.01, claim
        for wrong in wrong_answers(claim):
            assert claim._replace(ours=wrong, half=0.0, printed_half=0.0).verdict() == DIFFERS, (claim, wrong)
        if claim.verdict() == AGREES:  # by a measurement that is sharp enough to see three tolerances
            three = claim.tolerance**3 if claim.kind == "duration" else 3 * claim.tolerance
            far = claim.printed * three if claim.kind == "duration" else claim.printed + max(three, 1e-6)
            assert claim._replace(ours=far).verdict() == DIFFERS, claim
        assert not math.isnan(claim.tolerance)

    return check
