"""Episodes: play one (`run`), see it again (`reshoot`, by `cameras`), all worlds at a glance (`sheet`).

Other libraries' agents come in by `faces`.
"""
