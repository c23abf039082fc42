"""Episodes: play one (`run`), see a recorded one again (`reshoot`), other libraries' agents (`faces`)."""
