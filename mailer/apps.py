from django.apps import AppConfig


class MailerConfig(AppConfig):
    name = "mailer"
    verbose_name = "Mail"
