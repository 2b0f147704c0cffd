/*
 * Searches while text is typed: asks for this very page a moment after the last key, drops the answer to what was typed before, and
 * keeps the address in step. Without it the form does the same, a page at a time.
 */

const DELAY_MS = 180

const field = document.querySelector("#q")
const status = document.querySelector("[data-search-status]")
const hits = document.querySelector("[data-search-hits]")

let timer
let request = new AbortController()
let shown = field.value.trim()

const pathFor = (text) => (text === "" ? location.pathname : `${location.pathname}?${new URLSearchParams({ q: text })}`)

const show = (text, page) => {
  shown = text
  hits.replaceChildren(...page.querySelector("[data-search-hits]").childNodes)
  status.textContent = page.querySelector("[data-search-status]").textContent
  history.replaceState(null, "", pathFor(text))
}

const search = async () => {
  const text = field.value.trim()
  request.abort()
  if (text === shown) return
  request = new AbortController()
  try {
    const answer = await fetch(pathFor(text), { headers: { accept: "text/html" }, signal: request.signal })
    if (answer.status === 429) return later(1_000 * Number(answer.headers.get("retry-after") ?? 1))
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    show(text, new DOMParser().parseFromString(await answer.text(), "text/html"))
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = "The search did not come through. Press Enter to try again."
  }
}

const later = (milliseconds) => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    void search()
  }, milliseconds)
}

field.addEventListener("input", () => {
  later(DELAY_MS)
})
