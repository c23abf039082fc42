"""Authors: they write the code of new levels, by rules or with a language model."""
