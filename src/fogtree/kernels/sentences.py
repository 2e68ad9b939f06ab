"""What Numba cannot compile, in one sentence: the function, the line, the reason."""

import dis
import inspect
import os
import re
import traceback

from ..errors import DEBUG
from .digest import codes

COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # on some terminals

# What Numba says, and what is said here; the groups stand for types and names.
REASONS = [
    (r"No implementation of function .+ found for signature:\s+>>> (.+)", r"no compiled form of \1"),
    (r"Untyped global name '(.+?)':.+<class '(.+?)'>", r"compiled code cannot use '\1', which is a \2"),
    (
        r"The use of an? (?:reflected )?(.+?) type, assigned to variable '(.+?)' in",
        r"compiled code cannot use '\2', a \1",
    ),
    (r"Cannot bind .+ to signature '(.+)' due to \"TypeError: (.+)\"", r"a call does not fit the parameters \1: \2"),
    (r"Unknown attribute '(.+?)' of type (.+)", r"\2 has no '\1' in compiled code"),
    (r"Can't unify return type from the following types: (.+)", r"it returns different types: \1"),
    (r"Cannot unify (.+) and (.+) for '(\w+).*', defined at", r"'\3' is \1 in one place and \2 in another"),
    (r"No definition for lowering (.+)\.(\w+) =", r"'\2' of a \1 cannot be changed"),
    (r"compiler re-entrant to the same function signature", "a method cannot call itself; a function may"),
    (r"Cannot cast (.+?) to (\S+): ", r"\1 cannot be taken for \2"),
    (r"Cannot infer the type of variable '(\w+).*, have imprecise type: (.+)\.", r"only \2 is known of '\1'"),
    (r"NameError: (.+)", r"\1"),
]
SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<"}
SIGNS |= {"rshift": ">>", "and_": "&", "or_": "|", "xor": "^", "matmul": "@"}
SIGNS |= {f"i{name.rstrip('_')}": f"{sign}=" for name, sign in SIGNS.items()}
SIGNS |= {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def unfit(function, args) -> str:
    """What is wrong with the arguments of a kernel, if anything is."""
    import numba  # here it is loaded already

    queue = list(zip(inspect.signature(function).parameters, args, strict=False))
    for name, value in queue:
        try:
            numba.typeof(value)
        except (ValueError, numba.core.errors.NumbaError) as error:
            if isinstance(value, tuple) and hasattr(value, "_fields"):
                queue.extend((f"{name}.{field}", part) for field, part in zip(value._fields, value, strict=True))
            else:
                return (
                    f"{function.__qualname__} cannot be compiled: its argument {name} must be a number, an array or a "
                    f"NamedTuple of these, but: {COLOUR.sub('', str(error))}"
                )
    return ""


def sentence(function, error) -> str:
    """Numba's forty lines in one: which method, which line, and what could not be typed."""
    text = COLOUR.sub("", str(error))
    reason = _reason(text, error)
    line = _line(function.__code__, text, reason, error)
    return f"{refusal(function, line, reason)} (set {DEBUG}=1 to see Numba's full report)"


def refusal(function, line, reason) -> str:
    """Why a function cannot be compiled, and which line of it is to blame."""
    where = function.__qualname__.rpartition("<locals>.")[2]
    return f"{where} ({function.__code__.co_filename}, line {line}) cannot be compiled: {reason}"


def raising(function) -> int:
    """The first line of a function that raises an error, 0 if none does."""
    for part in codes(function.__code__):
        for instruction in dis.get_instructions(part):
            if instruction.opname == "RAISE_VARARGS":
                return (instruction.positions and instruction.positions.lineno) or part.co_firstlineno
    return 0


def _reason(text, error) -> str:
    if not type(error).__module__.startswith("numba."):
        text = f"Numba fails with {type(error).__name__}: {text}".removesuffix(": ")
    for pattern, words in REASONS:
        if found := re.search(pattern, text):
            return _readable(found.expand(words))
    noise = re.compile(r"^(Failed in|During: |File \"|<source|\^|Enable logging|- Resolution failure|raised from)")
    lines = [line.strip() for line in text.splitlines()]
    plain = next((line for line in lines if line and not noise.search(line)), type(error).__name__)
    return _readable(re.sub(r"\.* Raised from .*", "", plain))


def _readable(text) -> str:
    """Types as a player of games would write them: `int64 + str`, not `add(int64, Literal[str](a))`."""
    text = re.sub(r"Literal\[(\w+)\]\(.*?\)", r"\1", text).replace("unicode_type", "str")
    text = re.sub(r"(?:Function|class)\(<(?:class|built-in function|function) '?([\w.]+).*?>\)", r"\1", text)
    text = re.sub(r"IntEnum<\w+>\((\w+)\)", r"\1", text)
    text = re.sub(r"<iv=.*?>|(?<=\dd), \w+(?=\))|__main__\.", "", text)
    while (shorter := re.sub(r"\b([A-Z]\w*)\([^()]*\)", r"\1", text)) != text:
        text = shorter  # a tuple's type is its class's name
    if call := re.search(r"(\w+)\(([^,]+), ([^,]+)\)$", text):
        name, left, right = call.groups()
        if name in SIGNS:
            text = f"{text[: call.start()]}{left} {SIGNS[name]} {right}"
        if name == "getitem":
            text = f"{text[: call.start()]}{left}[{right}]"
    return text if len(text) < 300 else text[:300] + "..."


def _line(code, text, reason, error) -> int:
    """The line of a function that an error is about."""
    from numba.core import ir

    file, lines = code.co_filename, {line for part in codes(code) for _, _, line in part.co_lines()}
    said = []
    for found in re.finditer(r'File "(.+)", line (\d+)|(?:at|from) (\S.*?) \((\d+)\)', text):
        name, line = found[1] or found[3], int(found[2] or found[4])
        if line in lines and os.path.basename(name) == os.path.basename(file):
            said.append(line)
    if said:  # of several returns, which Numba names in any order, the last
        return max(said) if "unify return type" in text else said[0]
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):  # Numba was working on it
        for value in frame.f_locals.values():
            loc = getattr(value, "loc", value)
            if isinstance(loc, ir.Loc) and loc.filename == file and loc.line in lines - {code.co_firstlineno}:
                return loc.line
    names = [*re.findall(r"'(\w+)'", reason), code.co_name]
    for part in codes(code):  # it is named there
        for instruction in dis.get_instructions(part):
            if instruction.argval in names and instruction.positions and instruction.positions.lineno:
                return instruction.positions.lineno
    return code.co_firstlineno
