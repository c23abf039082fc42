"""What goes into a step and comes out of it, beside the state."""

from __future__ import annotations

from garten.craftax.columns import struct_type
from garten.craftax.exchange import exchange_fields
from garten.craftax.full.tables import Achievement

EXCHANGE = exchange_fields(len(Achievement))

Exchange = struct_type("Exchange", EXCHANGE, module=__name__)
