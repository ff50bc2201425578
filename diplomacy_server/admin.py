"""What other packages add to the admin, and nobody is to look through: keys of phones, codes."""

from __future__ import annotations

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

admin.site.unregister([StaticDevice, TOTPDevice])
