/*
 * Sends the form of the first page without leaving it, so that a refusal stands beside the field at once. Without this
 * script the form does the same by itself.
 */

const form = document.querySelector("[data-audit-form]")
const field = form.querySelector("input")
const button = form.querySelector("button")
const error = form.querySelector("[data-audit-error]")

/** Whoever types `docs.example.com` means the site. */
const addressOf = (typed) => (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed) ? typed : `https://${typed}`)

/** The same words without the name that the field has for programs. */
const forPeople = (text) => text.replace(/^base_url cannot be/, "This URL cannot be").replace(/^base_url is missing: send/, "Enter a URL: give")

const show = (text, report) => {
  error.replaceChildren(text)
  if (report !== undefined) {
    const link = document.createElement("a")
    link.href = report
    link.textContent = "Read that report"
    error.append(" ", link)
  }
  error.hidden = text === ""
  field.setAttribute("aria-describedby", text === "" ? "base-url-hint" : "base-url-error base-url-hint")
  if (text === "") field.removeAttribute("aria-invalid")
  else {
    field.setAttribute("aria-invalid", "true")
    field.focus()
  }
}

const busy = (isBusy) => {
  button.disabled = isBusy
  button.textContent = isBusy ? "Asking…" : "Audit"
}

const submit = async () => {
  const answer = await fetch("/audit?async=true", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ base_url: addressOf(field.value.trim()) })
  })
  const body = await answer.json()
  if (answer.status === 202) location.assign(body.share_url)
  else {
    show(forPeople(body.error), body.share_url)
    busy(false)
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  show("")
  busy(true)
  submit().catch(() => {
    show("The service did not answer. Check the connection and try again.")
    busy(false)
  })
})

// A page that comes back from the history is not busy any more.
addEventListener("pageshow", () => busy(false))
