"""Compiles and runs ``ScalaCalls.scala``, which writes what Scala's compiler says every call leads to.

Run: ``python tests/bench/scalac_calls.py ROOT OUTPUT.json [CLASSPATH]``. Needs ``scalac`` (2.11), ``java`` and the
compiler's own libraries where Debian keeps them.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

_LIBRARIES = ":".join(f"/usr/share/java/scala-{part}.jar" for part in ("library", "compiler", "reflect"))


def main() -> None:
    with TemporaryDirectory() as folder:
        source = str(Path(__file__).with_name("ScalaCalls.scala"))
        subprocess.run(["scalac", "-cp", _LIBRARIES, "-d", folder, source], check=True)
        behind = f"{folder}:{_LIBRARIES}:/usr/share/java/scala-xml_2.11.jar"
        subprocess.run(["java", "-Xss8m", "-Xmx2g", "-cp", behind, "ScalaCalls", *sys.argv[1:]], check=True)


if __name__ == "__main__":
    main()
