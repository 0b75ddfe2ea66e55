"""Turns texts into unit vectors."""
