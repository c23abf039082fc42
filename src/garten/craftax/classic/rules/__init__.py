"""The rules, one family a file; `garten.craftax.classic.step` says in which order they apply."""
