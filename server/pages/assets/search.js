/*
 * Searches while text is typed: asks the JSON endpoint a moment after the last key, drops the answer to what was typed
 * before, and keeps the address in step. Without it the form does the same, a page at a time.
 */

const DELAY_MS = 180
const MOST = 20
/** What is shown of a text that was not found. */
const QUOTED = 60

const field = document.querySelector("#q")
const status = document.querySelector("[data-search-status]")
const table = document.querySelector("[data-search-hits]")
const none = document.querySelector("[data-search-none]")
const body = document.querySelector("#hits")
const template = document.querySelector("#hit")
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })

let timer
let request = new AbortController()
let shown = field.value.trim()

const row = ({ avg_score: score, base_url: site, latest_run_at: latest, reliable, run_count: runs }) => {
  const copy = template.content.cloneNode(true)
  const part = (name) => copy.querySelector(`[data-hit="${name}"]`)
  part("site").textContent = site
  part("site").href = `/browse/site?${new URLSearchParams({ site })}`
  part("bar").setAttribute("width", `${score}%`)
  if (reliable) part("at-least").remove()
  part("score").textContent = String(score)
  part("runs").textContent = String(runs).replace(/\B(?=(?:\d{3})+$)/g, ",")
  part("latest").dateTime = new Date(latest).toISOString()
  part("latest").textContent = day.format(new Date(latest))
  return copy
}

const words = (text, count) => {
  if (text === "") return "Type part of a URL, such as a host or a path."
  if (count === 0) return `No audited site has “${text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text}” in its URL.`
  if (count === MOST) return `The ${MOST} most recently audited matches; type more to narrow the search.`
  return `${count} ${count === 1 ? "site" : "sites"}.`
}

const show = (text, hits) => {
  shown = text
  body.replaceChildren(...hits.map(row))
  table.hidden = hits.length === 0
  none.hidden = text === "" || hits.length > 0
  status.textContent = words(text, hits.length)
  history.replaceState(null, "", text === "" ? location.pathname : `${location.pathname}?${new URLSearchParams({ q: text })}`)
}

const search = async () => {
  const text = field.value.trim()
  request.abort()
  if (text === shown) return
  request = new AbortController()
  if (text === "") return show("", [])
  try {
    const answer = await fetch(`/api/public/browse/search?${new URLSearchParams({ q: text, limit: String(MOST) })}`, { signal: request.signal })
    if (answer.status === 429) return later(1_000 * Number(answer.headers.get("retry-after") ?? 1))
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    show(text, (await answer.json()).hits)
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = "The search did not come through. Press Enter to try again."
  }
}

const later = (milliseconds) => {
  clearTimeout(timer)
  timer = setTimeout(() => { void search() }, milliseconds)
}

field.addEventListener("input", () => { later(DELAY_MS) })
