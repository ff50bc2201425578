// Says each moment in the reader's own zone; the page says it in UTC.
const form = new Intl.DateTimeFormat(undefined, {
  weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
  timeZoneName: "short",
});
for (const one of document.querySelectorAll("time")) {
  const at = new Date(one.dateTime);
  if (Number.isNaN(at.valueOf())) continue;
  one.title = one.textContent;
  one.textContent = form.format(at);
}
