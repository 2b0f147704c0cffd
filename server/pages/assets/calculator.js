/* Adds the points of the chosen levels up as they are chosen. Without it, the form asks the service for the total. */

const form = document.querySelector("[data-calculator]")
const status = form.querySelector("[data-verdicts]")
const verdicts = JSON.parse(status.dataset.verdicts)
const [total, verdict] = [status.querySelector("strong"), status.querySelector("span")]

form.addEventListener("change", () => {
  const points = [...form.querySelectorAll("select")].reduce((sum, { value }) => sum + Number(value), 0)
  total.textContent = points
  verdict.textContent = verdicts.find(([from]) => points >= from)?.[1] ?? ""
})
