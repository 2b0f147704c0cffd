import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, ofPages, sampledPages } from "../../engine/criterion/SampledPages.ts"
import { pathShown } from "../../engine/criterion/Wording.ts"
import { onSite } from "../../engine/evidence/Address.ts"
import type { Announcement, Page } from "../../engine/site/Page.ts"

/** A5: pages say where agents find what is made for them. */
export const a5EntryPoints = define({
  id: "a5-entry-points",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    pages: count("pages of the sample that were fetched"),
    announcing: share("of those, pages that announce at least one machine entry point on the site")
  },
  measure: Effect.fn("a5-entry-points")(function*(site) {
    const { first, pages } = yield* sampledPages(site)
    const entries = pages.map((page) => ({ page, entry: isItself(page) ? entryPoint(page, site.base.site) : null }))
    const announcing = entries.filter(({ entry }) => entry !== null)
    const silent = entries.filter(({ entry }) => entry === null)
    const example = announcing[0]
    const summary: Finding = {
      good: example !== undefined,
      message: `An entry point for machines is announced on ${ofPages(announcing.length, pages)}${example === undefined ? "" : `, such as ${example.entry}`}.`,
      proof: example?.page.answer ?? first
    }
    return {
      facts: { pages: pages.length, announcing: ratio(announcing.length, pages.length) },
      findings: [
        summary,
        ...(example === undefined ? [] : silent.slice(0, 4)).map(({ page }): Finding => ({
          good: false,
          message: `${pathShown(page.url)} announces none.`,
          proof: page.answer
        }))
      ]
    }
  })
})

const RELATIONS = new Set(["service-desc", "service-doc", "api-catalog", "describedby", "llms-txt"])
const TEXT_TYPES = new Set(["text/markdown", "text/x-markdown", "text/plain"])

/** The first that the page announces on the site, in a few words; `null` where there is none. */
const entryPoint = (page: Page, site: string): string | null => {
  const announced = page.announcements.find((one) => onSite(one.url, site) && isEntryPoint(one))
  if (announced !== undefined) {
    const { from, rel, url } = announced
    return `${pathShown(url)} as ${rel.find((one) => RELATIONS.has(one)) ?? "alternate"} in ${from === "header" ? "a Link header" : "a link element"}`
  }
  const named = [...page.links.map(({ url }) => url), ...writtenAddresses(page)]
  const link = named.find((url) => /llms\.txt/i.test(url) && onSite(url, site) && LLMS_TXT.test(new URL(url).pathname))
  return link === undefined ? null : `a link to ${pathShown(link)}`
}

/** Whole segments: a relative link that was meant to be another site's address has `http:` in its path. */
const LLMS_TXT = /^(?:\/[\w.~-]+)*\/llms\.txt$/i

/** In Markdown an address is a link without any mark-up. */
const writtenAddresses = ({ format, main }: Page): ReadonlyArray<string> =>
  format === "markdown" ? (main.text.match(/https?:\/\/[^\s<>()"'`]{1,300}\/llms\.txt\b/gi) ?? []).filter((address) => URL.canParse(address)) : []

/** Feeds and translations are alternates too, of other types. */
const isEntryPoint = ({ rel, type }: Announcement): boolean =>
  rel.some((one) => RELATIONS.has(one)) || (rel.includes("alternate") && TEXT_TYPES.has(type))
