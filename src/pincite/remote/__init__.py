"""Clients of model servers, for the steps that use one. Nothing here is imported unless a configuration names one."""
