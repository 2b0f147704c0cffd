/*
 * Tells how far an audit is, and reloads the page once it is over: then it is the report, or says what went wrong.
 */

const place = document.querySelector("[data-run]")
const bar = place.querySelector("[data-progress]")
const count = place.querySelector("[data-count]")
const state = place.querySelector("[data-state]")

/** In milliseconds; after a failed request twice as long each time. */
const PAUSE = 2_000
const LONGEST_PAUSE = 30_000

const show = ({ progress: { done, total }, status }) => {
  if (status === "running") state.textContent = "Fetching pages, politely, and measuring what they offer to agents."
  if (total === 0) return
  bar.max = total
  bar.value = done
  count.textContent = `${done} of ${total} criteria measured.`
}

const look = async (pause) => {
  try {
    const answer = await fetch(`/api/public/audit/${place.dataset.run}`, { headers: { accept: "application/json" } })
    if (!answer.ok) throw new Error(String(answer.status))
    const run = await answer.json()
    if (run.status === "done" || run.status === "error") {
      location.reload()
      return
    }
    show(run)
    lookAfter(PAUSE, PAUSE)
  } catch {
    lookAfter(pause, Math.min(LONGEST_PAUSE, pause * 2))
  }
}

/** `next` is the pause after a failed request. */
const lookAfter = (milliseconds, next) => {
  setTimeout(() => { void look(next) }, milliseconds)
}

lookAfter(PAUSE, PAUSE)
