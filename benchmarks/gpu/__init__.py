"""The scoreboard on a GPU: `python3 run.py bench --cuda`."""
