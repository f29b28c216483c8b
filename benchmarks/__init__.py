"""The scoreboard: one file per row, measured against peers (`python run.py bench`)."""
