/* Copying: the whole page as Markdown, and each block of code. Without a clipboard nothing appears. */
const clipboard = navigator.clipboard

const say = (button, text) => {
  const before = button.textContent
  button.textContent = text
  setTimeout(() => { button.textContent = before }, 1_500)
}

const copying = (button, read) => {
  button.addEventListener("click", async () => {
    try {
      await clipboard.writeText(await read())
      say(button, "Copied")
    } catch {
      say(button, "Not copied")
    }
  })
}

if (clipboard !== undefined) {
  const page = document.querySelector("[data-copy-markdown]")
  const link = document.querySelector("a[data-markdown]")
  if (page !== null && link !== null) {
    page.hidden = false
    copying(page, async () => {
      const answer = await fetch(link.href)
      if (!answer.ok) throw new Error(`${answer.status}`)
      return answer.text()
    })
  }
  for (const block of document.querySelectorAll("[data-code]")) {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = "Copy"
    button.setAttribute("aria-label", "Copy this code")
    copying(button, async () => block.querySelector("code").textContent)
    block.append(button)
  }
}
