import type { Heading, Page } from "../../engine/page/Page.ts"

/** The h2 and h3 of main content, without those whose text repeats on the page: "Responses" below each operation. */
export const citableHeadings = (page: Page): ReadonlyArray<Heading> => {
  const headings = page.headings.filter(({ inMain, level }) => inMain && (level === 2 || level === 3))
  const times = tally(headings.map(({ text }) => text.toLowerCase()))
  return headings.filter(({ text }) => times.get(text.toLowerCase()) === 1)
}

/** Those of them that a fragment leads to: it must be no other heading's. */
export const anchoredHeadings = (page: Page): ReadonlyArray<Heading> => {
  const times = tally(page.headings.flatMap(({ anchor }) => (anchor === null ? [] : [anchor])))
  return citableHeadings(page).filter(({ anchor }) => anchor !== null && times.get(anchor) === 1)
}

const tally = (texts: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return times
}
