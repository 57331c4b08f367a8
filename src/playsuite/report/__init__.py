"""Stage 5: verdicts to tables and pages. Reads results and verdicts, writes `report/`."""
