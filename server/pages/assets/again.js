/* Counts down on a page that was refused, and loads it again when it may be asked for. */
const shown = document.querySelector("[data-again]")
const end = Date.now() + Number(shown.dataset.again) * 1_000

const tell = () => {
  const left = Math.max(0, Math.ceil((end - Date.now()) / 1_000))
  shown.textContent = left === 1 ? "1 second" : `${left} seconds`
  if (left > 0) return
  clearInterval(counting)
  location.reload()
}

const counting = setInterval(tell, 250)
