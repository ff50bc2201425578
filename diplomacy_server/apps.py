from django.apps import AppConfig


class DiplomacyServerConfig(AppConfig):
    name = "diplomacy_server"
