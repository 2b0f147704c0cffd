/* Opens and closes all criteria at once. */

const expand = document.querySelector("[data-expand]")
const criteria = [...document.querySelectorAll("details.criterion")]

expand.addEventListener("click", () => {
  const isOpen = criteria.every(({ open }) => open)
  for (const criterion of criteria) criterion.open = !isOpen
  expand.textContent = isOpen ? "Expand all" : "Collapse all"
})
