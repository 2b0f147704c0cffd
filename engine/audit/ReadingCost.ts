import { grouped } from "../criterion/Wording.ts"
import type { AuditReport, ReadingCost, SampledPage } from "./Report.ts"

/** What an agent pays to read one page of the site: the median over the sample. Beside the score, never in it. */
export const readingCost = (pages: ReadonlyArray<Pick<SampledPage, "tokens">>): ReadingCost => ({
  html: median(pages.flatMap(({ tokens }) => tokens.html ?? [])),
  markdown: median(pages.flatMap(({ tokens }) => tokens.markdown ?? []))
})

/** The middle number, of two the lower; `null` of none. */
const median = (numbers: ReadonlyArray<number>): number | null =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? null

/** `Reading a page costs 11,400 tokens as HTML, 1,900 as Markdown (median; bytes divided by 4).`; empty if no page was read. */
export const readingCostText = ({ reading_cost: cost }: AuditReport): string => {
  const { html = null, markdown = null } = cost ?? {}
  const forms = [...(html === null ? [] : [`${grouped(html)} tokens as HTML`]), ...(markdown === null ? [] : [`${grouped(markdown)}${html === null ? " tokens" : ""} as Markdown`])]
  return forms.length === 0 ? "" : `Reading a page costs ${forms.join(", ")} (median; bytes divided by 4).`
}
