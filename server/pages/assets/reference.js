/* The reader's choice of theme, for the frame and for the viewer, before either is drawn. Runs ahead of the viewer. */
{
  const chosen = () => {
    try {
      const theme = localStorage.getItem("docgauge-theme")
      return theme === "light" || theme === "dark" ? theme : null
    } catch {
      return null
    }
  }
  const theme = chosen()
  if (theme !== null) document.documentElement.dataset.theme = theme
  const mount = document.getElementById("api-reference")
  const settings = JSON.parse(mount.dataset.configuration)
  const shown = theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")
  mount.dataset.configuration = JSON.stringify({ ...settings, forceDarkModeState: shown, hideDarkModeToggle: true })

  // The viewer's copy buttons have an icon and no name.
  const named = () => {
    for (const button of document.querySelectorAll("#viewer button:not([aria-label], [aria-labelledby])"))
      if (button.textContent.trim() === "") button.setAttribute("aria-label", "Copy")
  }
  new MutationObserver(named).observe(document.getElementById("viewer"), { childList: true, subtree: true })
}
