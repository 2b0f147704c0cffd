/*
 * Shows the plan in the page of the report. Without this script the plan is a page of its own.
 */

const PAUSE = 2_000

/** The plan's section; `null`: it is being made. */
const planAt = async (href, signal) => {
  const answer = await fetch(href, { headers: { accept: "text/html" }, signal })
  if (answer.status === 202) return null
  if (answer.status !== 200) throw new Error(String(answer.status))
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fix-it")
}

const show = async (link, signal) => {
  link.textContent = "Making the plan…"
  link.setAttribute("aria-busy", "true")
  for (;;) {
    const plan = await planAt(link.href, signal)
    if (plan !== null) {
      document.getElementById("fix-it").replaceWith(plan)
      plan.querySelector("h2").focus()
      return
    }
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE)
    })
  }
}

const link = document.querySelector("[data-fix]")
const label = link?.textContent
/** Ends what waits for the plan; `null`: nothing does. */
let waiting = null

const begin = async () => {
  waiting = new AbortController()
  const { signal } = waiting
  try {
    await show(link, signal)
    waiting = null
  } catch {
    if (signal.aborted) return
    waiting = null
    link.textContent = label
    link.removeAttribute("aria-busy")
    // The page of the plan says what went wrong.
    location.assign(link.href)
  }
}

link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  if (waiting === null) void begin()
})

// The browser drops the request of a page that it keeps in its back/forward cache, so a restored page asks again.
addEventListener("pagehide", () => waiting?.abort())
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && waiting !== null) void begin()
})
