"""The command `varvite`: `python -m varvite`, and the script that the package installs."""

import sys

from varvite._varvite import command


def main() -> int:
    """Runs the command with the arguments of the process, and returns its exit code."""
    return command(["varvite", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
