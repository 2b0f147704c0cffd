import type { Widget } from "../../api/DashboardBody.ts"

/** Widgets that need the whole width of the page. */
const WIDE: ReadonlySet<Widget["kind"]> = new Set(["category_comparison", "site_trend", "corpus"])

/**
 * Which widgets take the whole width: those that need it, and the last of an odd number of others in a row, because beside it there
 * would be a hole.
 */
export const wideWidgets = (kinds: ReadonlyArray<Widget["kind"]>): ReadonlyArray<boolean> => {
  const wide: Array<boolean> = []
  let narrow = 0
  for (const [index, kind] of kinds.entries()) {
    narrow = WIDE.has(kind) ? 0 : narrow + 1
    const next = kinds[index + 1]
    wide.push(WIDE.has(kind) || (narrow % 2 === 1 && (next === undefined || WIDE.has(next))))
  }
  return wide
}
