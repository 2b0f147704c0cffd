/*
 * Shows the plan in the page of the report, and copies its prompt. Without this script the plan is a page of its own, and the
 * prompt is in a text area.
 */

const PAUSE = 2_000

const offerCopying = (root) => {
  const prompt = root.querySelector("[data-prompt]")
  if (prompt === null || navigator.clipboard === undefined) return
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-quiet", textContent: "Copy prompt" })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(prompt.value)
      button.textContent = "Copied"
    } catch {
      prompt.select()
      button.textContent = "Not copied: press Ctrl+C"
    }
    setTimeout(() => { button.textContent = "Copy prompt" }, 3_000)
  }
  button.addEventListener("click", () => { void copy() })
  prompt.after(button)
}

/** The plan's section; `null`: it is being made. */
const planAt = async (href) => {
  const answer = await fetch(href, { headers: { accept: "text/html" } })
  if (answer.status === 202) return null
  if (answer.status !== 200) throw new Error(String(answer.status))
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fix-it")
}

const showError = (link, text) => {
  // A browser may show this page again as it was left, from its back/forward cache.
  isShowing = false
  link.textContent = text
  link.removeAttribute("aria-busy")
  // The page of the plan says what went wrong.
  location.assign(link.href)
}

const show = async (link) => {
  link.textContent = "Making the plan…"
  link.setAttribute("aria-busy", "true")
  for (;;) {
    const plan = await planAt(link.href)
    if (plan !== null) {
      document.getElementById("fix-it").replaceWith(plan)
      offerCopying(plan)
      plan.querySelector("h2").focus()
      return
    }
    await new Promise((resolve) => { setTimeout(resolve, PAUSE) })
  }
}

const link = document.querySelector("[data-fix]")
let isShowing = false

link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  if (isShowing) return
  isShowing = true
  const text = link.textContent
  show(link).catch(() => showError(link, text))
})

offerCopying(document)
