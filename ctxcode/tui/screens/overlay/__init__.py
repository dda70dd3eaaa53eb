"""The context overlay's behaviour: which plan it shows, what its keys change, how it sits beside the conversation."""
