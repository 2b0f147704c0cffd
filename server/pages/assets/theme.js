/*
 * Light or dark, as the reader chose here; else as the system says. Runs before anything is painted, so that nothing
 * flashes, and says what this browser can do, by which styles show the buttons that need it.
 */
{
  const root = document.documentElement
  root.dataset.scripts = ""
  if (navigator.clipboard !== undefined) root.dataset.copies = ""

  const KEY = "docgauge-theme"

  const kept = () => {
    try {
      return localStorage.getItem(KEY)
    } catch {
      return null
    }
  }

  const keep = (theme) => {
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // The choice holds for this page, then.
    }
  }

  const choice = kept()
  if (choice === "light" || choice === "dark") root.dataset.theme = choice

  const current = () => root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]")
    const label = document.querySelector("[data-theme-label]")
    const say = () => {
      label.textContent = current() === "dark" ? "Switch to light theme" : "Switch to dark theme"
    }
    say()
    button.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark"
      keep(root.dataset.theme)
      say()
    })
  })
}
