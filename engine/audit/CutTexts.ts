import * as Effect from "effect/Effect"
import { isOverlong } from "../evidence/Address.ts"
import type { Page } from "../page/Page.ts"
import { derivations } from "../site/Derivations.ts"
import type { SiteUnderAudit } from "../site/Site.ts"
import type { LlmsTxt } from "../site/wellknown/LlmsTxt.ts"
import type { MeasuredCriterion } from "./Measure.ts"
import type { Reliability } from "./Report.ts"

type Skipped = Reliability["skipped"][number]

/** The collector that `skipped` names for links that were left out because their URLs are longer than what is read. */
export const OVERLONG_LINKS = "site/links"

/**
 * What was fetched whole and read in part: Markdown pages, their Markdown versions and llms.txt files that are longer than
 * what is read of one, full texts, files that criteria fetched, pages that take too much time or memory, and links that were left out. Empty
 * for nearly every site.
 */
export const cutTexts = Effect.fn("CutTexts.of")(function* (
  audited: SiteUnderAudit,
  outcomes: ReadonlyArray<readonly [id: string, Pick<MeasuredCriterion, "filesCut">]>
): Effect.fn.Return<ReadonlyArray<Skipped>> {
  const site = audited.for("site/audit")
  // What no criterion of the rubric asked for is not fetched for this.
  const isUsed = (name: "fullText" | "topicPages" | "markdownVersions"): boolean =>
    audited.callersOf(derivations[name].collector).length > 0
  const llmsFiles = filesOf(yield* site.llmsTxt)
  const { pages } = yield* site.sample
  const topicPages = isUsed("topicPages") ? yield* site.topicPages : []
  const fullTexts = isUsed("fullText") ? (yield* site.fullText).files : []
  const { dirt } = yield* site.sitemaps
  const pairs = isUsed("markdownVersions") ? (yield* site.markdownVersions).pages : []
  const versions = pairs.flatMap(({ version }) =>
    version === null || version.how === "self" ? [] : [version.document()]
  )
  const linksOf = (some: ReadonlyArray<Page>): number => some.reduce((sum, page) => sum + page.overlongLinks, 0)
  const inLlms = llmsFiles.reduce((sum, { links }) => sum + links.filter(({ href }) => isOverlong(href)).length, 0)
  const cut = (collector: string, count: number): ReadonlyArray<Skipped> =>
    count === 0 ? [] : [{ collector, reason: "size", count }]
  return [
    ...cut(OVERLONG_LINKS, linksOf(pages) + linksOf(topicPages) + inLlms + dirt.overlong),
    ...cut(derivations.llmsTxt.collector, llmsFiles.filter(({ document }) => document.cut).length),
    ...cut(derivations.fullText.collector, fullTexts.filter(({ textCut }) => textCut).length),
    ...cut(derivations.sample.collector, pages.filter(({ textCut }) => textCut).length),
    ...cut(derivations.topicSearch.collector, topicPages.filter(({ textCut }) => textCut).length),
    ...cut(derivations.markdownVersions.collector, versions.filter((document) => document.cut).length),
    ...outcomes.flatMap(([id, { filesCut = 0 }]) => cut(id, filesCut))
  ]
})

const filesOf = ({ file, nested }: LlmsTxt): LlmsTxt["nested"] => (file === null ? [] : [file, ...nested])

/** Two lists as one, each collector and reason once, in their order. */
export const joined = (one: Reliability["skipped"], other: Reliability["skipped"]): Reliability["skipped"] => {
  const all = new Map<string, Skipped>()
  for (const item of [...one, ...other]) {
    const key = `${item.collector} ${item.reason}`
    all.set(key, { ...item, count: item.count + (all.get(key)?.count ?? 0) })
  }
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)
}
