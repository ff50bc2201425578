// Keeps games and latest mail fresh. Without it the page is the same, only not by itself.
const part = document.getElementById("live");

async function refresh() {
  if (!part || document.hidden || part.contains(document.activeElement)) return;
  try {
    const answer = await fetch(part.dataset.url);
    if (answer.ok) part.innerHTML = await answer.text();
  } catch (error) {
    // The server is being restarted: the next round finds it.
  }
}

setInterval(refresh, 3000);
