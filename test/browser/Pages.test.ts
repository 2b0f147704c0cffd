import { PAGES } from "./EveryPage.ts"
import { testThatPagesKeepNobodyOut, WAYS } from "./EveryWay.ts"

/** Whether a page is shown in the frame of another: those of the documentation in that of its first page, and `report-long-name` in that of `report`. */
const sharesFrame = (name: string): boolean =>
  (name.startsWith("docs-") && name !== "docs-index") || PAGES.some((page) => name.startsWith(`${page.name}-`))

/** Each page that shares its frame is looked at in one way, in turn; Pages.endurance.ts looks at all in every way. */
testThatPagesKeepNobodyOut(
  PAGES.map((page, index) => ({
    ...page,
    ways: sharesFrame(page.name) ? WAYS.filter((_, way) => way === index % WAYS.length) : WAYS
  }))
)
