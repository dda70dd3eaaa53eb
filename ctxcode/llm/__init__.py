"""Language models behind one port: litellm, the offline navigator, token counts, the model catalogue."""
