"""Which simple command is a training launch, seen through everything that people put before it."""

from verlgen.script.recognize.command import recognize
from verlgen.script.recognize.found import Found, FromInput, Inner, OtherScript, Recognized

__all__ = ["Found", "FromInput", "Inner", "OtherScript", "Recognized", "recognize"]
