import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { sampledPages } from "../../engine/criterion/SampledPages.ts"
import { counted, grouped, pathShown } from "../../engine/criterion/Wording.ts"
import { type Heading, isSubstantive, type Page } from "../../engine/site/Page.ts"

/** B5: a page can be read whole, and what matters comes first. */
export const b5PageSize = define({
  id: "b5-page-size",
  revision: 1,
  params: Schema.Struct({
    /** Longest main content, in characters, and body, in bytes, of a page that fits. */
    fit_characters: Schema.Int,
    fit_bytes: Schema.Int,
    /** Visible text before the main content: in characters, or as a share of all of it; either will do. */
    fit_lead_characters: Schema.Int,
    fit_lead_share: Schema.Finite,
    /** Share of code blocks of two lines or more that name a language. */
    fit_tagged_code: Schema.Finite,
    rough_characters: Schema.Int,
    rough_bytes: Schema.Int,
    rough_lead_characters: Schema.Int,
    rough_lead_share: Schema.Finite
  }),
  facts: {
    pages: count("pages of the sample that were fetched"),
    fitting: share("of those, substantive pages that fit"),
    roughly_fitting: share("of those, substantive pages that fit or roughly fit")
  },
  measure: Effect.fn("b5-page-size")(function*(site, params) {
    const { first, pages } = yield* sampledPages(site)
    const fit: Bounds = { characters: params.fit_characters, bytes: params.fit_bytes, lead: params.fit_lead_characters, leadShare: params.fit_lead_share }
    const rough: Bounds = { characters: params.rough_characters, bytes: params.rough_bytes, lead: params.rough_lead_characters, leadShare: params.rough_lead_share }
    const judged = pages.map((page) => ({
      page,
      faults: [...sizeFaults(page, fit), ...structureFaults(page, params.fit_tagged_code)],
      rough: sizeFaults(page, rough).length === 0
    }))
    const fitting = judged.filter(({ faults }) => faults.length === 0)
    const roughly = judged.filter((one) => one.rough)
    return {
      facts: {
        pages: pages.length,
        fitting: ratio(fitting.length, pages.length),
        roughly_fitting: ratio(roughly.length, pages.length)
      },
      findings: [
        {
          good: roughly.length > 0,
          message: summary(pages.length, fitting.length, roughly.length),
          proof: fitting[0]?.page.answer ?? roughly[0]?.page.answer ?? first
        },
        ...judged.filter(({ faults }) => faults.length > 0).slice(0, 4).map(({ faults, page }): Finding => ({
          good: false,
          message: `${pathShown(page.url)} ${faults.slice(0, 3).join(", ")}.`,
          proof: page.answer
        }))
      ]
    }
  })
})

const summary = (pages: number, fitting: number, roughly: number): string =>
  pages === 0
    ? "No page could be fetched."
    : `Of ${counted(pages, "sampled page")} ${fitting === 0 ? "none" : fitting} ${fitting > 1 ? "fit" : "fits"} a context window, and ${roughly === 0 ? "none" : roughly} roughly.`

interface Bounds {
  readonly characters: number
  readonly bytes: number
  readonly lead: number
  readonly leadShare: number
}

/** Why a page is too large or begins too late, as clauses. */
const sizeFaults = (page: Page, bounds: Bounds): ReadonlyArray<string> => {
  if (!isSubstantive(page)) return ["holds no content of its own"]
  const { answer, bytes, main, visibleCharacters } = page
  if (answer.cut) return [`is longer than the ${grouped(bytes)} bytes that were read`]
  const late = main.offset > bounds.lead && main.offset > bounds.leadShare * visibleCharacters
  return [
    ...(main.characters > bounds.characters ? [`has ${grouped(main.characters)} characters of main content`] : []),
    ...(bytes > bounds.bytes ? [`has ${grouped(bytes)} bytes`] : []),
    ...(late ? [`begins after ${grouped(main.offset)} characters of other text`] : [])
  ]
}

/** What is wrong with headings and code, as clauses. */
const structureFaults = (page: Page, taggedShare: number): ReadonlyArray<string> => {
  const tops = topHeadings(page)
  const skip = skippedLevel([...tops.filter(({ inMain }) => !inMain), ...page.headings.filter(({ inMain }) => inMain)])
  const code = page.codeBlocks.filter(({ lines }) => lines >= 2)
  const tagged = code.filter(({ language }) => language !== null)
  return [
    ...(tops.length === 1 ? [] : [`has ${tops.length === 0 ? "no H1" : `${tops.length} H1 headings`}`]),
    ...(skip === null ? [] : [`skips from H${skip[0]} to H${skip[1]}`]),
    ...(tagged.length >= taggedShare * code.length ? [] : [`names the language of ${tagged.length === 0 ? "none" : tagged.length} of ${code.length} code blocks`])
  ]
}

/** The H1s of the main content; where there is none, those of the page. */
const topHeadings = ({ headings }: Page): ReadonlyArray<Heading> => {
  const tops = headings.filter(({ level }) => level === 1)
  const inMain = tops.filter((heading) => heading.inMain)
  return inMain.length > 0 ? inMain : tops
}

/** The first step down by more than one level; `null` where there is none. */
const skippedLevel = (headings: ReadonlyArray<Heading>): readonly [number, number] | null => {
  for (const [index, { level }] of headings.entries()) {
    const before = headings[index - 1]
    if (before !== undefined && level > before.level + 1) return [before.level, level]
  }
  return null
}
