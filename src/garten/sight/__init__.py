"""Seeing: the ray caster (`camera`), encodings of its conditions, looks that make frames, and video."""
