/*
 * Shows how far an audit is, by asking for this very page again, and becomes the report once the audit is over. The time is
 * counted here between answers.
 */

const place = document.querySelector("[data-run]")

/** In milliseconds: often at first, when most happens, then so that two tabs stay within the rate limit; after a failed request twice as long each time. */
const SOON = 500
const LATER = 2_500
const SOON_TIMES = 4
const LONGEST = 30_000

const PARTS = ["[data-state]", "[data-count]", "[data-live]"]

const counter = place.querySelector("[data-seconds]")

const counted = (count, unit) => (count === 1 ? `1 ${unit}` : `${count} ${unit}s`)

/** In the words of the server. */
const tell = (seconds) => {
  counter.dataset.seconds = String(seconds)
  counter.textContent =
    seconds < 100 ? counted(Math.max(1, seconds), "second") : counted(Math.round(seconds / 60), "minute")
}

const show = (next) => {
  for (const part of PARTS) {
    const [shown, made] = [place.querySelector(part), next.querySelector(part)]
    if (shown.innerHTML !== made.innerHTML) shown.replaceChildren(...made.childNodes)
  }
  const [bar, made] = [place.querySelector("[data-progress]"), next.querySelector("[data-progress]")]
  if (made.hasAttribute("value")) Object.assign(bar, { max: made.max, value: made.value })
  tell(Number(next.querySelector("[data-seconds]").dataset.seconds))
}

const look = async (times, pause) => {
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } })
    if (!answer.ok) throw new Error(String(answer.status))
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-run]")
    if (next === null) {
      location.reload()
      return
    }
    show(next)
    lookAfter(times < SOON_TIMES ? SOON : LATER, times + 1, LATER)
  } catch {
    lookAfter(pause, SOON_TIMES, Math.min(LONGEST, pause * 2))
  }
}

/** `pause` is what a failed request waits for. */
const lookAfter = (milliseconds, times, pause) => {
  setTimeout(() => {
    void look(times, pause)
  }, milliseconds)
}

setInterval(() => tell(Number(counter.dataset.seconds) + 1), 1_000)

lookAfter(SOON, 1, LATER)
