// Says each moment in the reader's own zone; the page says it in UTC.
const parts = {
  weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
};
const soon = new Intl.DateTimeFormat(undefined, parts);
const longer = new Intl.DateTimeFormat(undefined, { ...parts, year: "numeric" });
for (const one of document.querySelectorAll("time")) {
  const at = new Date(one.dateTime);
  if (Number.isNaN(at.valueOf())) continue;
  one.title = one.textContent;
  const near = Math.abs(at - Date.now()) < 150 * 24 * 3600 * 1000;
  one.textContent = (near ? soon : longer).format(at);
}
