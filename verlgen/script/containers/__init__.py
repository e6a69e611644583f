"""Files that hold launches without being shell scripts: YAML of many kinds, Markdown, sbatch."""

from verlgen.script.containers.contents import unpack
from verlgen.script.containers.embedded import Contents, Embedded, Kind, Topology, Written

__all__ = ["Contents", "Embedded", "Kind", "Topology", "Written", "unpack"]
