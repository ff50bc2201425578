"""Settings: one file, read from the environment and from `.env`; docs/operators.md explains each.

Without any variable the project runs on SQLite and on the embedded services of `make run`.
"""

from __future__ import annotations

import datetime as dt
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from diplomacy_server.discretion import without_words
from diplomacy_server.env_file import AskedEnv, load
from diplomacy_server.environment import MOST_DAYS, Environment, parts_of
from diplomacy_server.machine_size import is_small

BASE_DIR = Path(__file__).resolve().parent.parent

load(BASE_DIR / ".env")
env = AskedEnv()
read = Environment(env)
SETTING_NAMES = env.asked
# Values that make no sense: checks.py names them, and the server does not start.
SETTING_FAULTS = read.faults

VAR_DIR = read.folder("VAR_DIR", BASE_DIR / "var")
# A worker of one process, which does one thing at a time.
SMALL_MACHINE = read.switch("SMALL_MACHINE", default=is_small())

# --- `make run`: the demo with its embedded mail server, which must never face the world -------
DEMO = read.switch("DEMO", default=False)
WEB_PORT = read.port("WEB_PORT", 8000)
SMTP_PORT = read.port("SMTP_PORT", 8025)
IMAP_PORT = read.port("IMAP_PORT", 8143)

# --- Web -----------------------------------------------------------------------------------
UNSAFE_SECRET_KEY = "only-for-trying-it-out-on-one-machine-never-for-a-real-server"
# Commands given beside `make run` must know the key that it drew; otherwise they could not read its
# reply addresses.
DEMO_SECRET_KEY_FILE = VAR_DIR / "secret-key"
DEMO_PASSWORD_FILE = VAR_DIR / "admin-password"
SECRET_KEY = env.str("SECRET_KEY", "") or (
    DEMO_SECRET_KEY_FILE.read_text().strip() if DEMO_SECRET_KEY_FILE.exists() else UNSAFE_SECRET_KEY
)
DEBUG = read.switch("DEBUG", default=False)
SITE_URL = env.str("SITE_URL", f"http://127.0.0.1:{WEB_PORT}").rstrip("/")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
# If SITE_URL has no host, our checks say so in our words; Django would use its own.
CSRF_TRUSTED_ORIGINS = [SITE_URL] if parts_of(SITE_URL).netloc else []

INSTALLED_APPS = [
    "diplomacy_server.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "games",
    "mailer",
    "pages",
    "diplomacy_server",
]

MIDDLEWARE = [
    "diplomacy_server.bodiless.bodiless",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "diplomacy_server.uncached.uncached",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "diplomacy_server.no_nul.NoNulMiddleware",
    "diplomacy_server.signin.second_factor.SecondFactorMiddleware",
    "diplomacy_server.staff_nudges.nudge_after_acts",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "diplomacy_server.urls"
WSGI_APPLICATION = "diplomacy_server.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{one}"}
    for one in (
        "MinimumLengthValidator",
        "UserAttributeSimilarityValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_HASHERS = [
    f"django.contrib.auth.hashers.{one}" for one in ("Argon2PasswordHasher", "PBKDF2PasswordHasher")
]
PASSWORD_RESET_TIMEOUT = 3600
# Where to go after signing in, if the requested page is not ours.
LOGIN_REDIRECT_URL = "admin:index"
# A browser left open today is signed out by tomorrow.
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SITE_URL.startswith("https://")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if SESSION_COOKIE_SECURE else 0
# `check --deploy` would ask for more. But the proxy redirects to https, and we have no say over
# other hosts of the domain, or over a list in browsers that nobody ever leaves.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
SECURITY_CONTACT = env.str("SECURITY_CONTACT", "")
# Our pages bring all they need; only widths of bars are written into them.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    },
}

# After ten wrong passwords for one name from one address, that pair waits a quarter of an hour. By
# name alone, anybody could lock a GM out; by address alone, a whole club.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = dt.timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "diplomacy_server.signin.addresses.client_address"
AXES_LOCKOUT_CALLABLE = "diplomacy_server.signin.locked.lockout_response"
AXES_DISABLE_ACCESS_LOG = True
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = AXES_ENABLE_ADMIN = False
# fail2ban needs the address. We do not log the name, because people type passwords into that field,
# too.
AXES_SENSITIVE_PARAMETERS = ["username"]

# A second step after the password, for staff: a code from an app on their phone.
SECOND_FACTOR = read.choice("SECOND_FACTOR", "OFFERED", ("OFF", "OFFERED", "REQUIRED"))
OTP_TOTP_ISSUER = f"Diplomacy by mail ({parts_of(SITE_URL).hostname})"

# What the demo adds to the public pages: links next to theirs, and a word on the front page.
PAGES_LINKS = [("/demo/", "Take part"), ("/mail/", "All mail")] if DEMO else []
PAGES_NOTICE = "demo/notice.html" if DEMO else ""

# --- Database ------------------------------------------------------------------------------
DATABASES = {"default": read.database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'server.sqlite3'}")}
# Connecting takes as long as half a mail, and a new connection has nothing prepared. At the
# beginning of each task and each page we ask whether the database is still there.
DATABASES["default"].setdefault("CONN_MAX_AGE", 600)
DATABASES["default"].setdefault("CONN_HEALTH_CHECKS", True)
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Immediate transactions take SQLite's only write lock when they start: two writers wait for
    # each other, instead of failing with "database is locked" halfway.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: what a receipt has confirmed survives a power cut. NORMAL would only keep the file
        # whole, and could lose the last commits before it.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    # A statement that came three times is not planned again: planning was half of the database's
    # work for a mail. Nor is any compiled: if a plan looks costly, compiling it took a second, and
    # running it a hundredth of one. What DATABASE_URL itself says overrides both. Locks of a
    # machine that lost its power, its network or its wits are soon free again: without these
    # settings PostgreSQL would ask only after two hours whether it is still there, and until then
    # its game would stand still. We, in turn, give up on a database that has gone silent.
    DATABASES["default"]["OPTIONS"] = {
        "server_side_binding": True,
        "prepare_threshold": 3,
        "options": " ".join(
            f"-c {wish}"
            for wish in (
                "jit=off",
                "tcp_keepalives_idle=30",
                "tcp_keepalives_interval=10",
                "tcp_keepalives_count=3",
                "tcp_user_timeout=60000",
                # Longer than any job may take.
                "idle_in_transaction_session_timeout=310000",
            )
        ),
        "connect_timeout": 10,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 60000,
        **DATABASES["default"].get("OPTIONS", {}),
    }
    # A cursor that outlives its transaction is lost behind a pool; none of our lists is that long.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Time and language: UTC inside, the reader's zone only in what they read -----------------
TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = False
FORMAT_MODULE_PATH = ["diplomacy_server.formats"]

STATIC_URL = "static/"
STATIC_ROOT = read.made("VAR_DIR", VAR_DIR / "static")
# The demo serves the packages' own files; a real server runs `manage.py collectstatic`.
WHITENOISE_USE_FINDERS = DEMO

# --- Broker: it only says "look now"; the database is the queue -----------------------------
EMBEDDED_BROKER_URL = f"redis+socket://{VAR_DIR / 'broker.sock'}"
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", EMBEDDED_BROKER_URL)

# --- Mail ----------------------------------------------------------------------------------
IMAP_URLS = env.str("IMAP_URL", f"imap://judge:judge@127.0.0.1:{IMAP_PORT}/INBOX").split()
EMAIL_URL = env.str("EMAIL_URL", f"smtp://127.0.0.1:{SMTP_PORT}")
JUDGE_ADDRESS = env.str("JUDGE_ADDRESS", "judge@localhost")
# Scripted players write faster than people.
MAILS_PER_HOUR = read.count("MAILS_PER_HOUR", 100_000 if DEMO else 300)
STRANGERS_PER_HOUR = read.count("STRANGERS_PER_HOUR", 100_000 if DEMO else 100)
REFUSALS_PER_DAY = read.count("REFUSALS_PER_DAY", 50, least=0)
# To one domain; 0: no limit.
DOMAIN_MAILS_PER_MINUTE = read.count("DOMAIN_MAILS_PER_MINUTE", 0, least=0)
# Days; 0: for ever (docs/privacy.md).
MAIL_DAYS = read.count("MAIL_DAYS", 0, least=0, most=MOST_DAYS)
PRESS_DAYS = read.count("PRESS_DAYS", 0, least=0, most=MOST_DAYS)
VERP = read.switch("VERP", default=True)
TRUSTED_AUTHSERV_ID = env.str("TRUSTED_AUTHSERV_ID", "")
CHECK_DKIM = read.switch("CHECK_DKIM", default=False)
POLL_SECONDS = read.seconds("POLL_SECONDS", 60.0, least=0.1)
TICK_SECONDS = read.seconds("TICK_SECONDS", 5.0, least=0.1)
# 0: no mail to ourselves.
PROBE_SECONDS = read.seconds("PROBE_SECONDS", 0.0, least=0.0)
MAIL_RETRY_SECONDS = read.seconds("MAIL_RETRY_SECONDS", 15.0, least=0.1)
SETTLE_SECONDS = read.seconds("SETTLE_SECONDS", 120.0, least=0.0)
OUTAGE_SECONDS = read.seconds("OUTAGE_SECONDS", 7200.0, least=1.0)
OPERATOR_ADDRESSES = env.list("OPERATOR_ADDRESSES", default=[])

# --- Proofs: the key that signs receipts, a file of its own; the list of all keys lies beside it --
RECEIPT_KEY_FILE = Path(env.str("RECEIPT_KEY_FILE", "") or VAR_DIR / "receipts.key")

# --- Health --------------------------------------------------------------------------------
METRICS_FROM = env.list("METRICS_FROM", default=["127.0.0.1", "::1"])
PING_URL = env.str("PING_URL", "")

# --- Errors and logs -----------------------------------------------------------------------
SENTRY_DSN = env.str("SENTRY_DSN", "")
SENTRY_IS_INSTALLED = find_spec("sentry_sdk") is not None
if SENTRY_DSN and SENTRY_IS_INSTALLED:
    # Mails, addresses and their secrets stay here: only the trace of an error leaves.
    try:
        import_module("sentry_sdk").init(
            dsn=SENTRY_DSN,
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            before_send=without_words,
        )
    except ValueError:  # sentry_sdk.utils.BadDsn
        read.fault("SENTRY_DSN", SENTRY_DSN, "https://key@host/project")

LOG_LEVEL = read.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
LOG_FORMAT = read.choice("LOG_FORMAT", "TEXT", ("TEXT", "JSON"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            **({} if DEBUG else {"()": "diplomacy_server.discretion.Discreet"}),
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "diplomacy_server.discretion.JsonLines"},
    },
    "filters": {
        "repeated": {"()": "diplomacy_server.log_limits.RepeatedFaults"},
        "refused": {"()": "diplomacy_server.log_limits.RefusedRequests"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_FORMAT == "JSON" else "line",
            "filters": ["repeated"],
        },
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    # SQL and IMAP contain orders and press, so they are never logged, whatever the level.
    "loggers": {
        "django.db.backends": {"level": "INFO"},
        "celery": {"level": "WARNING"},  # below that it names each tick twice
        "imapclient": {"level": "WARNING"},  # below that it says when it hangs up, and no more
        **{
            f"django.{name}": {"filters": ["refused"]}
            for name in (
                "request",
                "security.DisallowedHost",
                "security.DisallowedModelAdminLookup",
                "security.DisallowedModelAdminToField",
                "security.RequestDataTooBig",
                "security.TooManyFieldsSent",
                "security.TooManyFilesSent",
                "security.SuspiciousMultipartForm",
            )
        },
    },
}
DEFAULT_EXCEPTION_REPORTER = "diplomacy_server.error_reports.Reporter"
