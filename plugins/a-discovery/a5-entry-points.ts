import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, eitherUnless, flag, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { isItself, sampledPages, someSampled } from "../../engine/plugin/SampledPages.ts"
import { pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { onSite } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { Announcement, Page } from "../../engine/page/Page.ts"
import { spotOutcome } from "../../engine/site/sample/SpotCheck.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isMarkdownType } from "../../engine/text/UrlPath.ts"
import { missingVersions } from "../b-page-artifacts/MarkdownVersion.ts"

/** A5: pages link to what is made for agents: llms.txt, Markdown, the API description. */
export const a5EntryPoints = define({
  id: "a5-entry-points",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    pages: count("sampled pages that were fetched"),
    announcing: share("of those, pages that announce at least one entry point for machines on the site"),
    llms_txt: flag("the site has an llms.txt that pages could link to"),
    markdown: flag("a sampled page has a Markdown version at a URL of its own that it could announce"),
    description: flag("the site has an API description that pages could announce")
  },
  measure: Effect.fn("a5-entry-points")(function* (site) {
    const { first, missing, pages } = yield* sampledPages(site)
    const dead = yield* deadTargets(site)
    const entries = pages.map((page) => {
      const named = isItself(page) ? entryPoints(page, site.base.site) : []
      return { page, entry: named.find(({ url }) => !dead.has(url))?.noun ?? null, lost: named[0] }
    })
    const { file, missing: unreadFiles } = yield* site.llmsTxt
    const versions = yield* site.markdownVersions
    const search = yield* site.spec
    const has = {
      llms_txt: file !== null,
      markdown: versions.pages.some(({ version }) => version !== null && version.how !== "self"),
      description: search.best !== null
    }
    const announcing = entries.filter(({ entry }) => entry !== null)
    const silent = entries.filter(({ entry }) => entry === null)
    const example = announcing[0]
    const summary: Finding = {
      good: example !== undefined,
      message:
        example === undefined
          ? `${someSampled(0, pages, ["announces", "announce"])} an llms.txt, a Markdown version or an API description.`
          : `${someSampled(announcing.length, pages, ["announces", "announce"])} an entry point for agents. ${pathShown(example.page.url)} has ${example.entry}.`,
      proof: example?.page.answer ?? first
    }
    return {
      facts: { pages: pages.length, announcing: ratio(announcing.length, pages.length), ...has },
      uncertain: {
        pages: between(pages.length, pages.length + missing.length),
        announcing: shareBetween(announcing.length, pages.length, missing.length),
        llms_txt: eitherUnless(has.llms_txt || unreadFiles.length === 0),
        markdown: eitherUnless(has.markdown || missingVersions(versions).missing.length === 0),
        description: eitherUnless(has.description || (search.unobtainable === null && search.missingClues.length === 0))
      },
      unanswered: missing,
      findings: [
        summary,
        ...silent.map(({ lost, page }): Finding => ({
          good: false,
          message: `${pathShown(page.url)} ${lost === undefined ? "announces no entry point for agents" : `has ${lost.noun}, which leads nowhere`}.`,
          proof: (lost === undefined ? undefined : dead.get(lost.url)) ?? page.answer
        }))
      ]
    }
  })
})

const RELATIONS = new Set(["service-desc", "service-doc", "api-catalog", "describedby", "llms-txt"])

/** Of what the audit fetched anyway, the URLs that lead nowhere. */
const deadTargets = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<ReadonlyMap<string, Exchange>> {
  const notFoundProbe = yield* site.notFoundProbe
  const { candidates } = yield* site.llmsTxt
  const { pages } = yield* site.markdownVersions
  const { tried } = yield* site.spec
  const fetched = [...candidates, ...pages.flatMap(({ attempts }) => attempts)].map(({ exchange }) => exchange)
  return new Map(
    [...fetched, ...tried]
      .filter((exchange) => spotOutcome(notFoundProbe, exchange) === "error")
      .map((exchange) => [exchange.asked.url, exchange])
  )
})

interface EntryPoint {
  readonly url: string
  readonly noun: string
}

/** The entry points that the page announces on the site, and its first visible link to an llms.txt. */
const entryPoints = (page: Page, site: string): ReadonlyArray<EntryPoint> => {
  const announced = page.announcements.filter((one) => onSite(one.url, site) && isEntryPoint(one))
  const named = [...page.links.map(({ url }) => url), ...plainUrls(page)]
  const link = named.find((url) => /llms\.txt/i.test(url) && onSite(url, site) && LLMS_TXT.test(new URL(url).pathname))
  return [
    ...announced.map(({ from, rel, url }) => ({
      url,
      noun: `${from === "header" ? "a Link header" : "a link element"} that names ${pathShown(url)} (${rel.find((one) => RELATIONS.has(one)) ?? rel.find((one) => TYPED.has(one)) ?? ""})`
    })),
    ...(link === undefined ? [] : [{ url: link, noun: `a link to ${pathShown(link)}` }])
  ]
}

/** Whole segments: a relative link that was meant as a URL of another site has `http:` in its path. */
const LLMS_TXT = /^(?:\/[\w.~-]+)*\/llms\.txt$/i

/** In Markdown a bare URL is a link. */
const plainUrls = ({ format, main }: Page): ReadonlyArray<string> =>
  format === "markdown"
    ? (main.text.match(/https?:\/\/[^\s<>()"'`]{1,300}\/llms\.txt\b/gi) ?? []).filter((url) => URL.canParse(url))
    : []

/** Relations that name an entry point only where the type says so: feeds and translations are alternates, too, and many indexes are HTML. */
const TYPED = new Set(["alternate", "index"])

const isEntryPoint = ({ rel, type, url }: Announcement): boolean =>
  rel.some((one) => RELATIONS.has(one)) ||
  (rel.some((one) => TYPED.has(one)) && (isMarkdownType(type) || type === "text/plain")) ||
  (rel.includes("index") && LLMS_TXT.test(new URL(url).pathname))
