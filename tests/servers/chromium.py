"""Headless Chromium or Chrome, driven as a person would: by keys, mouse and fingers."""

from __future__ import annotations

import json
import os
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.servers.process import MissingServer

BROWSERS = (
    "/usr/lib/chromium/chromium-headless-shell",
    *("chromium", "google-chrome", "google-chrome-stable"),
)
"""The first draws no tabs and no menus around a page, which nobody would see: that took half of the
browser's processor time. What it does with a page is the same code. It is named by its path, since
the script in /usr/bin stays in between, and would die in its place when the driver ends it."""
AXE = "axe.min.js"
SECONDS = 30
OFTEN = 0.1
"""Seconds between two looks at what is waited for."""
QUICK = "--js-flags=--no-opt,--no-maglev"
"""Our pages run scripts for a moment: to compile them better in the background, as for those that
run for long, took a quarter of the browser's processor time."""
ONE_PROCESS = "--process-per-site"
"""Otherwise pages that are opened one after the other get new processes, which took a fifth of the
browser's processor time."""
FEWER_FRAMES = ("--disable-threaded-compositing", "--disable-smooth-scrolling")
"""Otherwise it draws every step of what moves, which nobody sees: a tenth of its processor time. It
cannot be photographed so."""
PICTURES = os.environ.get("PICTURES", "")
"""A folder in which to leave a picture of each page, for people to look at."""
BARRIERS = """
const done = arguments[arguments.length - 1], grave = ["serious", "critical"];
const {rules, data} = axe._audit;
const can = one => one.impact ? grave.includes(one.impact) : [...one.any, ...one.all, ...one.none]
    .some(check => grave.includes(data.checks[check.id || check].impact));
const never = rules.filter(one => !can(one)).map(one => [one.id, {enabled: false}]);
axe.run({
    resultTypes: ["violations"], preload: false, elementRef: false,
    rules: Object.fromEntries(never),
}).then(found => done(JSON.stringify(
    found.violations.filter(one => grave.includes(one.impact)))));
"""
"""Those of axe's rules that can find something serious. Style sheets it need not fetch again: only
a rule about turned screens reads them, which is an experiment of axe's and not asked."""
SMALL_TARGETS = """
const in_text = one => getComputedStyle(one).display === "inline" && one.parentElement
    && [...one.parentElement.childNodes].some(node => node.nodeType === Node.TEXT_NODE
        && node.textContent.trim().length > 2);
const seen = one => one.checkVisibility() && !one.closest(".unseen, .skip, .skip-to-content-link,"
    + " .visually-hidden, thead, svg");
return [...document.querySelectorAll("a, button, summary, select, input[type=submit]")]
    .filter(one => seen(one) && !in_text(one)
        && one.getBoundingClientRect().height < arguments[0] - .5)
    .map(one => one.outerHTML.slice(0, 90));
"""


def _found(*names: str) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def _can_be_installed() -> bool:
    """Debian packages Chromium and its driver; elsewhere `.ci/install` does not try."""
    release = Path("/etc/os-release")
    return release.exists() and "ID=debian" in release.read_text().splitlines()


def can_run() -> bool:
    """Whether there is a browser here, or should be: without one the tests fail on Debian."""
    return bool(_found(*BROWSERS) and _found("chromedriver")) or _can_be_installed()


class Browser:
    """A browser with one window."""

    def __init__(self) -> None:
        program, driver = _found(*BROWSERS), _found("chromedriver")
        if program is None or driver is None:
            raise MissingServer("chromium and chromedriver are not installed: run .ci/install")
        options = Options()
        options.binary_location = program
        for argument in (
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            QUICK,
            ONE_PROCESS,
            *([] if PICTURES else FEWER_FRAMES),
        ):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_page_load_timeout(SECONDS)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()

    def reset(self) -> None:
        """Make it a new window: 1280 pixels wide, light, with scripts."""
        self.looks(1280, "light")
        self.scripts(True)
        self.driver.get("about:blank")
        self.complaints()

    def looks(self, width: int, scheme: str) -> None:
        """Give the window a width in CSS pixels, and its person a liking for light or dark."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        liking = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", liking)
        self.run("document.getAnimations().forEach(one => one.finish())")  # from light to dark

    def scripts(self, on: bool) -> None:
        """Let pages run scripts, or not."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not on})

    def open(self, address: str) -> None:
        """Go to an address."""
        self.driver.get(address)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def press_at_once(self, *keys: str) -> None:
        """Press keys, one after the other, in one command to the browser: much quicker."""
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def tab_to(self, selector: str, most: int = 60) -> int:
        """Press Tab until something has the focus; return how often."""
        for times in range(1, most + 1):
            self.press(Keys.TAB)
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return times
        raise AssertionError(f"{selector} is not reached by {most} times Tab")

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script and return what it returns."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        """Return the first element of this kind, as soon as the page that is coming has one."""
        self.wait_for("return document.querySelector(arguments[0]) !== null", selector)
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """Return the text of the first element of this kind, as soon as there is one."""
        self.wait_for("return document.querySelector(arguments[0]) !== null", selector)
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def wait_for(self, script: str, *arguments: object) -> None:
        """Wait until a script returns something true on a page that is there to its end.

        Keys and clicks may leave a page, and nothing says when the browser begins to: what is
        asked in between may find the old page, half of the new one, or none.
        """
        between = (JavascriptException, StaleElementReferenceException)
        wait = WebDriverWait(self.driver, SECONDS, OFTEN, ignored_exceptions=between)
        there = "return document.readyState === 'complete'"
        wait.until(
            lambda _: self.run(script, *arguments) and self.run(there),
            f"waited in vain for: {script}",
        )

    def arrive(self, address: str) -> None:
        """Wait until the browser is at an address."""
        self.wait_for("return location.href === arguments[0]", address)

    def complaints(self) -> list[str]:
        """Return what the console has said since it was last asked."""
        return [str(one["message"]) for one in self.driver.get_log("browser")]

    def small_targets(self, least: int = 24) -> list[str]:
        """Return what a finger misses: links and buttons, but those in a sentence, that are not so
        many pixels high."""
        return [str(one) for one in self.run(SMALL_TARGETS, least)]

    def on_paper(self) -> None:
        """Show the page as it is printed by somebody who likes dark screens."""
        dark = {"name": "prefers-color-scheme", "value": "dark"}
        medium = {"media": "print", "features": [dark]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", medium)

    def barriers(self) -> list[str]:
        """Return what axe finds serious or worse on the page: the rule and where."""
        if not self.run("return 'axe' in window"):  # half a megabyte
            self.run(files("axe_core_python").joinpath(AXE).read_text())
        found = json.loads(self.driver.execute_async_script(BARRIERS))
        return [
            f"{one['id']}: {node['html'][:200]} ({node['failureSummary'][:200]})"
            for one in found
            for node in one["nodes"]
        ]
