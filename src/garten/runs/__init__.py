"""The run folder: everything that happened in one run, on disk.

    storage     atomic writes, and operating-system failures told in one sentence
    codec       records to canonical JSON and back
    folder      `RunFolder`: one run's files, safe to read at any time
    events      the append-only log
    lock        one writer at a time
    resume      `begin` and `RunWriter`: a run that is killed goes on as if nothing had happened
    checkpoint  arrays, state and settings in one file
    index       SQLite tables derived from the events
    changes     settings changed by ``path=value``
    tensors     what training keeps, as arrays of checkpoints
    team        processes that train together
    board       curves for TensorBoard

``docs/file-formats.md`` describes the files.
"""
