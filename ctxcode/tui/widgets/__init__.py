"""Widgets: values in through constructors and reactives, messages out."""
