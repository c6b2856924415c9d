"""Parts of `campaigns/hostile.py`: hostile values and files of each kind, judged in child processes with limits."""
