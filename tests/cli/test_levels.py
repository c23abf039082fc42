from garten.levels.find import names


def test_the_levels_are_listed(cli):
    ended = cli("levels")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.split() == [f"level:{name}" for name in names()]


def test_a_level_is_shown_the_same_each_time(cli):
    ended = cli("levels", "show", "level:gathering", "--starts", 2)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Collect coal.\n")
    assert ended.out.count("you") == 2
    assert "needs_depletion_multiplier is 0.5, not 1." in ended.out
    assert cli("levels", "show", "level:gathering", "--starts", 2).out == ended.out


def test_the_signs_of_a_start_are_explained_below_it(cli):
    out = cli("levels", "show", "level:gathering").out
    _, signs = out.split("\nEach tile is what stands there over the ground, ")
    for told in ("~~~ water", "### stone", ". grass", "* ice grass", "ftr fire tree", "blank dark or path"):
        assert told in signs.replace("\n", " ")
    assert "Each tile" not in cli("levels", "show", "level:gathering", "--starts", 0).out


def test_a_level_named_without_its_prefix_is_told_with_it(cli):
    ended = cli("levels", "show", "gathering")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "Error: There is no level at gathering; did you mean level:gathering?\n"
    said = "Error: There is no level at ./nothing.py; give the path of one, or a name of garten levels.\n"
    assert cli("levels", "show", "./nothing.py").err == said


def test_what_cannot_be_read_is_one_sentence(cli, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("objective = 3")
    ended = cli("levels", "show", path)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "Error: The level does not define description; define it at the top of its code.\n"
