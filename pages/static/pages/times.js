// Says each moment in the reader's own zone and words; the page says it in UTC. Hours go to 24, and in
// English the day stands before the month's name: nobody has to guess which number is the day.
const words = /^en\b/.test(navigator.language) ? "en-GB" : undefined;
const parts = {
  weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
};
const soon = new Intl.DateTimeFormat(words, parts);
const longer = new Intl.DateTimeFormat(words, { ...parts, year: "numeric" });
const away = new Intl.RelativeTimeFormat(words);
// How long something that is to come is away, in its largest unit, rounded down.
function left(at) {
  const minutes = (at - Date.now()) / 60000;
  if (minutes < 60) return away.format(Math.ceil(minutes), "minute");
  return minutes < 2880 ? away.format(Math.floor(minutes / 60), "hour") : away.format(Math.floor(minutes / 1440), "day");
}
for (const one of document.querySelectorAll("time")) {
  const at = new Date(one.dateTime);
  if (Number.isNaN(at.valueOf())) continue;
  one.title = one.textContent;
  const near = Math.abs(at - Date.now()) < 150 * 24 * 3600 * 1000;
  const said = (near ? soon : longer).format(at);
  // English puts a comma after the day of the week where there is a year: our mails never do.
  one.textContent = words ? said.replace(/^(\w+),/, "$1") : said;
  if (at > Date.now()) one.after(` (${left(at)})`);
}
