"""Palettes and regions of painted frames whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from tests.practice.painter import BLUE, GROUND, RED, SKY, WHITE, Post, look_round, paint

from garten.practice.percepts import NOTHING, Palette, color_word, describe, find_palette, join_palettes

POSTS = [Post(6, 0, RED), Post(5, 2, WHITE, 0.5), Post(-6, 1, BLUE), Post(2, 7, WHITE, 0.5)]


def test_light_and_shaded_sides_are_one_colour_and_wide_ones_are_backdrop() -> None:
    palette = find_palette(look_round(POSTS, 12))
    assert sorted(color_word(palette.colors[index]) for index in palette.things) == ["blue", "red", "white"]
    back = {color_word(palette.colors[index]) for index in palette.backdrop}
    assert back == {color_word(SKY), color_word(GROUND)}


def test_regions_lie_where_the_posts_were_painted() -> None:
    palette = find_palette(look_round(POSTS, 12))
    regions = palette.regions(paint([Post(4, 0, RED, height=1.0, width=0.4)]))
    assert len(regions) == 1
    region = regions[0]
    assert color_word(palette.colors[region.color]) == "red"
    # 0.4 strides wide and 1 high at 4 strides: 8 by 20 pixels, its foot 12 below the horizon.
    assert (region.left, region.right, region.top, region.bottom) == (76, 84, 37, 57)
    assert region.area == 160
    assert region.column == pytest.approx(80.0)
    assert region.tall == 20
    assert not region.cut
    assert not region.hidden


def test_a_region_at_the_edge_is_cut_and_one_that_rests_on_another_is_hidden() -> None:
    palette = find_palette(look_round(POSTS, 12))
    behind, before = Post(6, 0, RED), Post(3, 0, WHITE, 0.5)
    seen = {color_word(palette.colors[one.color]): one for one in palette.regions(paint([behind, before]))}
    assert seen["red"].hidden
    assert not seen["white"].hidden
    edge = palette.regions(paint([Post(3, 3, RED)]))[0]
    assert edge.cut


def test_a_rail_before_a_thing_does_not_divide_it() -> None:
    palette = find_palette(look_round(POSTS, 12))
    frame = paint([Post(4, 0, RED)])
    frame[45:47, 60:100] = BLUE
    reds = [one for one in palette.regions(frame) if color_word(palette.colors[one.color]) == "red"]
    assert len(reds) == 1
    assert reds[0].tall == 20


def test_several_things_of_one_colour_are_several_regions_largest_first() -> None:
    palette = find_palette(look_round(POSTS, 12))
    regions = palette.regions(paint([Post(3, 1, WHITE, 0.5), Post(6, -2, WHITE, 0.5)]))
    assert [one.color for one in regions] == [regions[0].color] * 2
    assert regions[0].area > regions[1].area
    assert regions[0].column < 80 < regions[1].column


def test_what_never_changes_while_turning_is_part_of_the_viewer() -> None:
    frames = look_round(POSTS, 12)
    for frame in frames:
        frame[80:, 40:120] = (150, 40, 160)
    palette = find_palette(frames)
    own = palette.labels(frames[0])[85, 80]
    assert own in palette.backdrop


def test_a_colour_the_palette_does_not_have_is_nothing() -> None:
    palette = Palette(((RED,),), ())
    assert palette.labels(np.full((2, 2, 3), BLUE, np.uint8)).tolist() == [[NOTHING] * 2] * 2
    assert palette.nearest(BLUE) is None
    assert palette.nearest((200, 18, 18)) == 0


def test_palettes_of_two_games_join_by_likeness() -> None:
    one = find_palette(look_round(POSTS[:2], 12))
    other = find_palette(look_round(POSTS, 12))
    joined, places = join_palettes([one, other])
    assert joined.colors[: len(one.colors)] == one.colors
    assert len(joined.colors) == len(one.colors) + 1
    assert places[0] == list(range(len(one.colors)))
    for index, place in enumerate(places[1]):
        assert color_word(joined.colors[place]) == color_word(other.colors[index])


def test_joined_palettes_stay_small_enough_to_be_kept() -> None:
    """Of frames with textures and light every game finds other shades: in the end they share colours."""
    rng = np.random.default_rng(0)
    palettes = []
    for _ in range(8):
        groups = rng.integers(0, 256, (12, 2, 3)).tolist()
        palettes.append(Palette(tuple(tuple(map(tuple, group)) for group in groups), (0,)))
    joined, places = join_palettes(palettes)
    assert Palette.from_data(joined.to_data()) == joined
    assert 24 < sum(map(len, joined.shades)) <= 48
    assert joined.shades[:12] == palettes[0].shades
    for palette, own in zip(palettes, places, strict=True):
        assert len(own) == len(palette.shades)
        assert max(own) < len(joined.shades)


def test_a_palette_survives_json_and_malformed_data_is_refused() -> None:
    palette = find_palette(look_round(POSTS, 12))
    assert Palette.from_data(palette.to_data()) == palette
    for data in ({"shades": [[[1, 2]]], "backdrop": []}, {"shades": [[]], "backdrop": []}, {"shades": 3}):
        with pytest.raises((ValueError, TypeError, KeyError)):
            Palette.from_data(data)
    with pytest.raises(ValueError, match="backdrop"):
        Palette.from_data({"shades": [[[1, 2, 3]]], "backdrop": [4]})


def test_regions_in_words() -> None:
    palette = find_palette(look_round(POSTS, 12))
    (line,) = describe(paint([Post(4, 0, RED)]), palette)
    assert line.startswith("red: 50% from the left, bottom edge 63% down, 8 wide and 20 high")
