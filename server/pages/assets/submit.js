/*
 * Sends the form of the first page without leaving it, so that a refusal is shown at the field at once. Without this
 * script the form does the same by itself.
 */

const form = document.querySelector("[data-audit-form]")
const field = form.querySelector("input")
const button = form.querySelector("button")
const error = form.querySelector("[data-audit-error]")

/** `docs.example.com` means the site. */
const addressOf = (typed) => (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed) ? typed : `https://${typed}`)

/** The same words without the name that the field has for programs. */
const forPeople = (text) =>
  text
    .split(" If the site is yours, publish", 1)[0]
    .replace(/^base_url cannot be/, "This URL cannot be")
    .replace(/^base_url is missing: send/, "Enter a URL: give")

const show = (text, report) => {
  error.replaceChildren(text)
  if (report !== undefined) {
    const link = document.createElement("a")
    link.href = report
    link.textContent = "Open the report"
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

const next = form.querySelector("[data-next-audit]")
const owner = form.querySelector("[data-owner]")

/** `7:03:09`, `3:09` or `0:09`. */
const clock = (seconds) => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return [
    ...(hours > 0 ? [hours] : []),
    hours > 0 ? String(minutes).padStart(2, "0") : minutes,
    String(seconds % 60).padStart(2, "0")
  ].join(":")
}

let counting

/** Counts down to when the next audit is possible. */
const countDown = (seconds) => {
  clearInterval(counting)
  const end = Date.now() + seconds * 1_000
  const tell = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1_000))
    next.textContent = left === 0 ? "You can audit this site again now." : `Next audit possible in ${clock(left)}.`
    if (left > 0) return
    clearInterval(counting)
    show("")
  }
  next.hidden = false
  tell()
  counting = setInterval(tell, 1_000)
}

const line = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })

/** For the owner of the site: the same as the page without this script has. */
const showOwner = ({ file, meta, then, token }) => {
  const details = document.createElement("details")
  details.className = "owner"
  const more = Object.assign(line("a", "More about verified sites"), { href: "/docs/v1/verify-site" })
  details.append(
    line("summary", `Is this your site? Have it audited ${then}.`),
    line("p", `Publish this token in a text file at ${file}, on a line of its own:`),
    line("pre", token),
    line("p", "Or put this element into the head of the page that is audited:"),
    line("pre", meta),
    more
  )
  owner.replaceChildren(details)
}

const forget = () => {
  clearInterval(counting)
  next.hidden = true
  owner.replaceChildren()
}

if (next.dataset.nextAudit !== "") countDown(Number(next.dataset.nextAudit))

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
  else if (body.code === "http_not_supported") {
    field.value = field.value.trim().replace(/^http:/i, "https:")
    show("We only audit https URLs, so we changed it to https. Audit this URL?")
    busy(false)
  } else {
    show(forPeople(body.error), body.share_url)
    if (answer.status === 429) countDown(body.retry_after)
    if (body.verification !== undefined) showOwner(body.verification)
    busy(false)
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  show("")
  forget()
  busy(true)
  submit().catch(() => {
    show("The service did not answer. Check the connection and try again.")
    busy(false)
  })
})

// A page that comes back from the history is not busy any more.
addEventListener("pageshow", () => busy(false))
