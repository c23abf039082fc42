"""What a player perceives: compact codes first, the other forms from them."""
