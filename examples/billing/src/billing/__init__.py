"""The billing team's service; other teams post payments to its ledger."""
