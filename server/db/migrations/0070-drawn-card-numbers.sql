-- New cards have numbers drawn at random: one tells nothing of the next.
drop sequence card_serial_holder;
drop sequence card_serial_professional;
