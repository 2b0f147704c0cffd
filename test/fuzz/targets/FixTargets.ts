import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { limitsWith, FetchLimits } from "../../../engine/evidence/FetchLimits.ts"
import { fixSite } from "../../../engine/fix/Fix.ts"
import { headEnd, withHead } from "../../../engine/fix/overlay/HeadInsertion.ts"
import { planOf } from "../../../engine/fix/plan/Plan.ts"
import { planJson } from "../../../engine/fix/plan/PlanData.ts"
import { planMarkdown } from "../../../engine/fix/plan/PlanMarkdown.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { parseRobots } from "../../../engine/site/wellknown/RobotsFile.ts"
import { parseSitemap } from "../../../engine/site/wellknown/SitemapDocument.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { rubric } from "../../audit/AuditOver.ts"
import { type FuzzTarget, holds, type SeedKind } from "../Target.ts"

/** Up to four audits, in each of which the input is read. */
const SLOW_MS = 15_000

const ORIGIN = "https://docs.acme-tools.dev"

const page = (title: string, body = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${`${title} is described here, in a sentence that is long enough. `.repeat(6)}</p>${body}</main></body></html>`

const SITE: FakeSite = {
  "/": page("Start", '<a href="/one/">One</a> <a href="/two/">Two</a> <a href="/input">Input</a>'),
  "/one/": page("One"),
  "/two/": page("Two")
}

/** Where the input is served from. */
const PLACES: Readonly<Record<string, ReadonlyArray<string>>> = {
  html: ["/input"],
  markdown: ["/one.md", "/llms-full.txt"],
  llms: ["/llms.txt"],
  robots: ["/robots.txt"],
  xml: ["/sitemap.xml"],
  json: ["/openapi.json", "/.well-known/api-catalog"]
}

/** What a site lacks is written from what it publishes, laid over it and audited again. */
const fixesWith =
  (kind: SeedKind) =>
  async (bytes: Uint8Array): Promise<void> => {
    const own = Object.fromEntries(
      (PLACES[kind] ?? []).map((place) => [place, kind === "html" ? { type: "text/html", body: bytes } : bytes])
    )
    const fixed = await Effect.runPromise(
      Effect.result(
        fixSite({
          audit: { url: ORIGIN, date: "2026-11-21", sampleSize: 6, canonicalOrigin: null, rubric: await rubric },
          options: { only: null, ai: "deny", host: "netlify" },
          isLive: false,
          pages: null
        })
      ).pipe(
        Effect.provide(Layer.mergeAll(layerFakeSite({ ...SITE, ...own }, { host: ORIGIN }), ParserPool.layerInline)),
        Effect.provideService(FetchLimits, limitsWith({ retriesPerAudit: 0, requests: 80 }))
      )
    )
    if (Result.isFailure(fixed)) return
    const {
      after,
      before,
      fixes: { files }
    } = fixed.success
    holds("a fix loses no points", after.total_score >= before.total_score)
    holds("each file is written once", new Set(files.map(({ path }) => path)).size === files.length)
    for (const { path, text } of files) {
      if (path.endsWith("robots.txt")) parseRobots(text)
      if (path.endsWith(".xml")) holds("a sitemap that is written is one", parseSitemap(text, 50_000).kind === "urlset")
    }
    const plan = planOf(fixed.success, "netlify", null)
    structuredClone(JSON.parse(planJson(plan)))
    planMarkdown(plan)
  }

const SNIPPET = '<link rel="alternate" type="text/markdown" href="/é.md">\n'

/** The page is as before but for the snippet, which is in its head as a parser finds it. */
const head = (bytes: Uint8Array): void => {
  for (const charset of ["utf-8", "windows-1252", "utf-16le"]) {
    const headed = withHead(bytes, SNIPPET, charset)
    if (headed === null) continue
    const at = headEnd(Buffer.from(bytes).toString("latin1"))
    const added = headed.length - bytes.length
    holds(
      "a page keeps its bytes",
      Buffer.compare(Buffer.concat([headed.subarray(0, at), headed.subarray(at + added)]), bytes) === 0
    )
  }
}

/** What `fix` reads of a site. */
export const fixTargets: ReadonlyArray<FuzzTarget> = [
  { name: "head of a page, to be added to", kinds: ["html", "markdown"], read: head },
  ...(["html", "markdown", "llms", "robots", "xml", "json"] as const).map((kind): FuzzTarget => ({
    name: `fixes, ${kind}`,
    kinds: [kind],
    slowMs: SLOW_MS,
    read: fixesWith(kind)
  }))
]
