"""A Java for tests: it starts fast, and knows the half of Spark's archives that tables need.

A class is looked for in one archive after the other, and most names that Python asks for are in
none: with 280 archives that is a sixth of what the Java of these tests does.
"""

from __future__ import annotations

from pathlib import Path

#: The compiler that is quick, memory that is not looked through at leisure, room for all that is
#: compiled (else it is swept all the time), and trust in classes that Spark has published.
QUICK = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=240m"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
#: Learning, graphs, Hive, other clusters and other systems.
NEVER_ASKED = (
    *("spark-mllib", "spark-graphx", "spark-hive", "spark-kubernetes", "spark-yarn", "spark-repl"),
    *("spark-streaming", "spark-pipelines", "breeze", "spire", "algebra", "cats-", "arpack"),
    *("blas", "lapack", "JTransforms", "JLargeArrays", "kubernetes-", "vertx-", "volcano-"),
    *("hive-", "datanucleus", "derby", "jdo-", "javax.jdo", "HikariCP", "libthrift", "libfb303"),
    *("curator-", "zookeeper", "rocksdbjni", "scala-compiler", "jline", "super-csv", "opencsv"),
    *("netty-tcnative-boringssl", "netty-transport-native-kqueue", "jjwt", "zjsonpatch"),
)


def lean_home(folder: Path) -> Path:
    """Make a home of Spark of links to the one that is installed, with fewer archives."""
    import pyspark

    installed = Path(pyspark.__file__).parent
    (folder / "jars").mkdir(parents=True)
    for part in installed.iterdir():
        if part.name != "jars":
            (folder / part.name).symlink_to(part)
    for archive in installed.joinpath("jars").iterdir():
        if not archive.name.startswith(NEVER_ASKED):
            (folder / "jars" / archive.name).symlink_to(archive)
    return folder
