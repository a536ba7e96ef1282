"""Ask the advisory services of Python and npm about every locked package.

make check-deps

Ends with 1 if a package has a known problem, with 2 if a service could not be asked: no answer is no clean bill.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP_AUDIT = "pip-audit==2.10.1"
LOCKS = ("requirements/run.txt", "requirements/scale.txt", "requirements/dev.txt")
CLEAN, FOUND, NOT_ASKED = 0, 1, 2


def read_report(name: str, said: str, errors: str, problems: int | None) -> int:
    """Print what a service answered, and give the status: ``problems`` found, None if there was no answer.

    >>> read_report("npm audit", "", "offline", None)
    npm audit: could not ask the advisory service. Run it where that can be reached. It said:
    offline
    2
    >>> read_report("npm audit", "{}", "", 0)
    npm audit: no known problem
    0
    """
    if problems is None:
        last = "\n".join((errors.strip() or said.strip()).splitlines()[-3:])
        print(f"{name}: could not ask the advisory service. Run it where that can be reached. It said:\n{last}")
        return NOT_ASKED
    print(f"{name}: {f'{problems} known problems' if problems else 'no known problem'}")
    if problems:
        print(said)
    return FOUND if problems else CLEAN


def audit_python() -> int:
    """Audit the lock files, by a pip-audit in an environment of its own: it is no dependency of ours."""
    locks = [part for lock in LOCKS if (ROOT / lock).exists() for part in ("--requirement", lock)]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", PIP_AUDIT], check=True)
        command = [str(python), "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json", *locks]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)["dependencies"]
        # A package that was skipped (the service did not know it, or was not there) was not asked about.
        skipped = [f"{package['name']}: {package['skip_reason']}" for package in found if "skip_reason" in package]
        if skipped or not found:
            return read_report("pip-audit", "\n".join(skipped) or "nothing to ask about", "", None)
        problems = sum(len(package["vulns"]) for package in found)
    except (ValueError, KeyError):
        problems = None
    return read_report("pip-audit", done.stdout, done.stderr, problems)


def audit_npm() -> int:
    """Audit ``package-lock.json``."""
    command = ["npm", "audit", "--package-lock-only", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        problems = json.loads(done.stdout)["metadata"]["vulnerabilities"]["total"]
    except (ValueError, KeyError):
        problems = None
    return read_report("npm audit", done.stdout, done.stderr, problems)


if __name__ == "__main__":
    raise SystemExit(max(audit_python(), audit_npm()))
