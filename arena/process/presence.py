"""Which process is which: numbers come again, moments of birth do not."""

from pathlib import Path

__all__ = ["began", "is_alive"]


def began(pid: int) -> str:
    """When a process began, in the words of the Linux kernel; empty if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else f"{boot} {fields[18]}"


def is_alive(pid: int, moment: str) -> bool:
    """Whether the process of this number is still the one that began at this moment."""
    return began(pid) == moment != ""
