"""What goes into a step and comes out of it, beside the state."""

from __future__ import annotations

from garten.craftax.columns import Field, struct_type
from garten.craftax.exchange import exchange_fields
from garten.craftax.full.tables import Achievement

EXCHANGE = (
    *exchange_fields(len(Achievement)),
    Field("misplaced", int, "out: what the program of the lane's last new world found no room for"),
)

Exchange = struct_type("Exchange", EXCHANGE, module=__name__)
