"""Runs the official Python clients, unchanged, against the local engine and checks what comes back."""
