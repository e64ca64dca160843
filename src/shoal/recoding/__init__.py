"""What is published: recoders turn groups into cells."""

from shoal.recoding._generalize import Generalize, Recoded

__all__ = ["Generalize", "Recoded"]
