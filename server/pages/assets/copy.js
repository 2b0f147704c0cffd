/*
 * Copying, for all pages: buttons with `data-copy`, the id of what they copy, or `data-copy-url`, whose text they copy; and each
 * block with `data-code` gets a button for its code. Styles show the buttons only where there is a clipboard.
 */
const SHOWN_MS = 1_500

const told = Object.assign(document.createElement("p"), { className: "visually-hidden" })
told.setAttribute("role", "status")
document.body.append(told)

for (const block of document.querySelectorAll("[data-code]")) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "button button-quiet button-small copy",
    textContent: block.dataset.code || "Copy"
  })
  if (block.dataset.code === "") button.setAttribute("aria-label", "Copy this code")
  button.dataset.copy = ""
  block.append(button)
}

const textAt = async (url) => {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${answer.status}`)
  return answer.text()
}

/** The element whose text a button copies. */
const sourceOf = ({ dataset, parentElement }) =>
  dataset.copy === "" ? parentElement.querySelector("code") : document.getElementById(dataset.copy)

const textOf = (source) => source.value ?? source.textContent

const copy = async (button) => {
  const { copyUrl } = button.dataset
  const before = button.textContent
  let said = "Copied"
  try {
    await navigator.clipboard.writeText(copyUrl === undefined ? textOf(sourceOf(button)) : await textAt(copyUrl))
  } catch {
    said = "Not copied"
    if (copyUrl === undefined) getSelection().selectAllChildren(sourceOf(button))
  }
  told.textContent = said
  button.textContent = said
  button.dataset.copied = ""
  setTimeout(() => {
    button.textContent = before
    delete button.dataset.copied
    told.textContent = ""
  }, SHOWN_MS)
}

// On the document, because a script may put more buttons into the page.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy], [data-copy-url]")
  // A disabled button would lose the focus, so one that has just copied only ignores clicks.
  if (button !== null && button.dataset.copied === undefined) void copy(button)
})
