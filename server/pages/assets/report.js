/* Copying the command that repeats a request. Without a clipboard nothing appears. */
const clipboard = navigator.clipboard

const LABEL = "Copy as curl"

const copying = (button, read) => {
  button.addEventListener("click", async () => {
    try {
      await clipboard.writeText(read())
      button.textContent = "Copied"
    } catch {
      button.textContent = "Not copied"
    }
    setTimeout(() => { button.textContent = LABEL }, 1_500)
  })
}

if (clipboard !== undefined) {
  for (const block of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button")
    button.type = "button"
    button.className = "button button-quiet"
    button.textContent = LABEL
    copying(button, () => block.querySelector("code").textContent)
    block.after(button)
  }
}
