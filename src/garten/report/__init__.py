"""The report: one self-contained HTML page from a run.

`page` chooses the page by the kind of run and `html` fills its template, a `.html.j2` file here.

practice   `practice_page`, with `charts`, `pictures` of games and `lineage` of lessons
training   `training_page`, with `curves` and `published` results beside them
levels     `levels_part` of that page, with `level_charts`, `ancestry` and `families` of goals
drawing    `drawing`, one style for all charts
"""
