"""What goes into a step and comes out of it, beside the state."""

from __future__ import annotations

from garten.craftax.classic.tables import Achievement
from garten.craftax.columns import struct_type
from garten.craftax.exchange import exchange_fields

EXCHANGE = exchange_fields(len(Achievement))

Exchange = struct_type("Exchange", EXCHANGE, module=__name__)
