import { isDeadEnd, type Start } from "../site/markdown/StartWays.ts"
import type { Finding } from "./Criterion.ts"
import { flag } from "./Fact.ts"
import { EITHER } from "./Uncertain.ts"
import { counted, grouped, pathShown } from "./Wording.ts"

/** The fact of criteria that a dead end costs their points. */
export const deadEndFact = flag(
  "the audited page answers a request for Markdown with one that names no index and links to none of the pages that it leads to"
)

/** The fact, what it may be while the answer is missing, and the sentence on it where it holds. */
export const deadEnd = (way: Start) => ({
  dead_end: isDeadEnd(way),
  uncertain: way.missing.length > 0 ? EITHER : undefined,
  findings: isDeadEnd(way) ? lostWays(way) : []
})

/** What is lost on the start page, with an example. */
export const lostWays = ({ start }: Start): ReadonlyArray<Finding> => {
  const [example] = start?.lost ?? []
  if (start === null || example === undefined) return []
  const { links, lost, version } = start
  const pages = `${counted(links, "page")} of the documentation`
  const name = pathShown(version.page.url)
  const message =
    lost.length === links
      ? `The Markdown of ${name} is a dead end: it names no index, and links to none of the ${pages} that the page leads to, such as ${pathShown(example)}.`
      : `The Markdown of ${name} names no index, and does not link to ${grouped(lost.length)} of the ${pages} that ${name} links to, such as ${pathShown(example)}.`
  return [{ good: false, message, proof: version.answer }]
}
