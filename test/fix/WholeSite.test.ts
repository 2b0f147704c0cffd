import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { retrievalsFor } from "../../engine/evidence/AuditBudget.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { runAudit } from "../../engine/audit/Audit.ts"
import { hopFault, Transport } from "../../engine/evidence/Transport.ts"
import { auditAndRead, type FixOutcome, type FixRequest, fixSite } from "../../engine/fix/Fix.ts"
import { openMore } from "../../engine/fix/open/OpenPages.ts"
import type { OpeningCost } from "../../engine/fix/open/OpeningCost.ts"
import { recordedFirst, recordedHops } from "../../engine/fix/overlay/OverlayTransport.ts"
import { planOf } from "../../engine/fix/plan/Plan.ts"
import { planData } from "../../engine/fix/plan/PlanData.ts"
import { planMarkdown } from "../../engine/fix/plan/PlanMarkdown.ts"
import { planHeadline, unopenedText } from "../../engine/fix/plan/PlanWords.ts"
import { asPlaceIsAsked } from "../../engine/fix/there/Places.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const ORIGIN = "https://docs.quay.example"
const SAMPLE = 4

const AUDIT = { url: `${ORIGIN}/`, date: "2026-11-29", sampleSize: SAMPLE, canonicalOrigin: null, rubric }

const html = (path: string, links: ReadonlyArray<string> = [], beside = "") => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><head><title>About ${path} | Quay</title></head><body>${beside}<main><h1>About ${path}</h1><p>Quay keeps what ${path} is about in a berth of its own, and answers requests for ${path} in JSON.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></body></html>`
})

const pages = (folder: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${folder}p${String(index).padStart(3, "0")}/`)

/** A start page that links to all others. */
const siteOf = (paths: ReadonlyArray<string>): FakeSite => ({
  "/": html("/", paths),
  ...Object.fromEntries(paths.map((path) => [path, html(path)]))
})

interface Fixed {
  readonly outcome: FixOutcome
  readonly told: ReadonlyArray<OpeningCost>
}

/** Fixes a site as the command line does, unless `options` say otherwise. */
const fixed = async (site: FakeSite, options: Partial<Pick<FixRequest, "options" | "pages">> = {}): Promise<Fixed> => {
  const told: Array<OpeningCost> = []
  const outcome = await Effect.runPromise(
    fixSite({
      audit: AUDIT,
      options: { only: new Set(["a1-llms-txt", "b1-markdown-twins"]), ai: null, host: null },
      isLive: true,
      pages: 300,
      onlyWhole: true,
      beforeOpening: (cost) => Effect.sync(() => void told.push(cost)),
      ...options
    }).pipe(
      Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)),
      Effect.provideService(FetchLimits, limitsWith({ requests: retrievalsFor(SAMPLE) }))
    )
  )
  return { outcome, told }
}

const converted = ({ fixes }: FixOutcome): ReadonlyArray<string> =>
  fixes.files.flatMap(({ versionOf }) => versionOf?.slice(ORIGIN.length) ?? []).sort()

describe("fix of a whole site", () => {
  test("opens pages that only the pages which it opened link to, however far away", async () => {
    const chain = pages("/chain/", 12)
    const site = {
      ...siteOf(pages("/", 10)),
      "/p000/": html("/p000/", chain.slice(0, 1)),
      ...Object.fromEntries(chain.map((path, index) => [path, html(path, chain.slice(index + 1, index + 2))]))
    }
    const { outcome } = await fixed(site)
    expect(converted(outcome)).toEqual(["/", ...chain, ...pages("/", 10)])
    expect(outcome.coverage).toMatchObject({ known: 23, unopened: 0, limited: 0, all: null, section: null })
  })

  test("opens all pages, though they have more bytes together than an audit may keep", async () => {
    const large = pages("/large/", 60)
    const site = {
      ...siteOf(pages("/", 10)),
      "/p000/": html("/p000/", large),
      ...Object.fromEntries(large.map((path) => [path, html(path, [], `<!-- ${"x".repeat(60_000)} -->`)]))
    }
    const opened = await Effect.runPromise(
      Effect.gen(function* () {
        const { send } = yield* Transport
        const first = yield* auditAndRead(AUDIT, send)
        const request = { audit: AUDIT, options: { only: null, ai: null, host: null }, isLive: true, pages: 300 }
        return yield* openMore(request, first, recordedHops(first.journal), send).pipe(
          Effect.provideService(FetchLimits, limitsWith({ auditBytes: 3_000_000, documentBytes: 100_000 }))
        )
      }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
    )
    expect(opened.pages.filter(({ url }) => url.includes("/large/"))).toHaveLength(60)
    expect(opened.pages.filter(({ answer }) => answer.body.length > 0)).toEqual([])
  })

  test("converts no page that it opens where the pages are converted later", async () => {
    const opened = await Effect.runPromise(
      Effect.gen(function* () {
        const { send } = yield* Transport
        const first = yield* auditAndRead(AUDIT, send)
        const request = { audit: AUDIT, options: { only: null, ai: null, host: null }, isLive: true, pages: 300 }
        const open = (converts: boolean) => openMore({ ...request, converts }, first, recordedHops([]), send)
        return [yield* open(true), yield* open(false)].map(({ conversions, pages }) => [pages.length, conversions.size])
      }).pipe(
        Effect.provide(Layer.mergeAll(layerFakeSite(siteOf(pages("/", 10)), { host: ORIGIN }), ParserPool.layerInline))
      )
    )
    expect(opened).toEqual([
      [7, 7],
      [7, 0]
    ])
  })

  test("says before each opening how many pages, requests and seconds it takes", async () => {
    const { told } = await fixed({
      ...siteOf(pages("/", 10)),
      "/p004/": html("/p004/", ["/further/"]),
      "/further/": html("/further/")
    })
    expect(told).toEqual([
      { pages: 7, requests: 21, seconds: 104 },
      { pages: 1, requests: 3, seconds: 101 }
    ])
  })

  test("keeps to the sample where the site names 300 pages, and says what all of them and one section would take", async () => {
    const { outcome, told } = await fixed({
      ...siteOf([...pages("/api/", 200), ...pages("/guide/", 120), "/api/"]),
      "/api/": html("/api/")
    })
    expect(told).toEqual([])
    expect(converted(outcome)).toHaveLength(SAMPLE)
    const plan = planOf(outcome, null)
    expect(planData(plan)).toMatchObject({
      pages: { known: 322, with_files: SAMPLE },
      unopened_pages: 318,
      opening: {
        all: { pages: 318, requests: 954, seconds: 259 },
        section: { url: `${ORIGIN}/api/`, pages: 201, requests: 603, seconds: 201 }
      }
    })
    expect(planHeadline(plan)).toContain(`of 100 for ${SAMPLE} of 322 pages if you publish`)
    expect(unopenedText(plan)).toBe(
      `318 of 322 known pages were not opened, so no file is written for them. Without --all, at most 300 pages are opened, and of a site that names more a sample. --all opens them, too (up to 954 requests, at most 5 minutes). One section of 201 pages: docgauge fix ${ORIGIN}/api/ (up to 603 requests, at most 4 minutes).`
    )
    expect(planMarkdown(plan)).toContain(`One section of 201 pages: docgauge fix <${ORIGIN}/api/>`)
  })

  test("opens no more than 300 pages where links lead to more, and says so", async () => {
    const found = pages("/found/", 320)
    const { outcome } = await fixed({
      ...siteOf(pages("/", 10)),
      "/p000/": html("/p000/", found),
      ...Object.fromEntries(found.map((path) => [path, html(path)]))
    })
    expect(converted(outcome)).toHaveLength(300)
    expect(outcome.coverage).toMatchObject({ known: 331, unopened: 31 })
    expect(unopenedText(planOf(outcome, null))).toContain(
      "31 of 331 known pages were not opened, so no file is written for them. Without --all, at most 300 pages are opened"
    )
  })

  test("says of pages that our time ended before that it is our limit, and lists them as pages of the site", async () => {
    const paths = pages("/", 40)
    const { outcome } = await fixed({
      ...siteOf(paths),
      "/p001/": html("/p001/"),
      ...Object.fromEntries(paths.slice(20).map((path) => [path, { fault: "too_many_bytes" as const }]))
    })
    const { coverage } = outcome
    expect(coverage.limited).toBeGreaterThan(10)
    expect(coverage.unopened).toBe(coverage.limited)
    expect(coverage.known).toBe(41)
    expect(unopenedText(planOf(outcome, null))).toContain("left out by a limit of ours (time, requests or bytes)")
  })

  test("names no page as part of the site that was opened and is gone or leads to another", async () => {
    const { outcome } = await fixed({
      ...siteOf([...pages("/", 10), "/gone/", "/old/"]),
      "/gone/": { status: 404 },
      "/old/": { redirect: "/p001/" }
    })
    expect(outcome.coverage).toMatchObject({ known: 11, unopened: 0 })
    const llms = outcome.fixes.files.find(({ path }) => path === "llms.txt")?.text ?? ""
    expect(llms).toContain("/p009/")
    expect(llms).not.toMatch(/\/(?:gone|old)\//)
  })

  test("uses all pages of an archive, those that were read beside the sample among them", async () => {
    const paths = pages("/", 10)
    const layer = Layer.mergeAll(layerFakeSite(siteOf(paths), { host: ORIGIN }), ParserPool.layerInline)
    const { journal } = await Effect.runPromise(Effect.provide(runAudit(AUDIT), layer))
    const recorded = recordedHops(journal)
    const archived = paths.filter((path) => recorded.has(asPlaceIsAsked(`${ORIGIN}${path}`)))
    expect(archived.length).toBeGreaterThan(SAMPLE)
    const outcome = await Effect.runPromise(
      fixSite({ audit: AUDIT, options: { only: null, ai: null, host: null }, isLive: false, pages: null }).pipe(
        Effect.provide(
          Layer.mergeAll(
            Layer.succeed(Transport, {
              send: recordedFirst(recorded, () => Effect.succeed(hopFault("not_recorded", "not in the archive")))
            }),
            ParserPool.layerInline
          )
        )
      )
    )
    expect(converted(outcome)).toEqual(["/", ...archived])
  })

  test("opens a copy of the start page as no page of its own, whatever was added to the head of one of them", async () => {
    const site = { ...siteOf([...pages("/", 10), "/start.html"]) }
    const start = { ...html("/", [...pages("/", 10), "/start.html"]) }
    const headed = { ...start, body: start.body.replace("</head>", `<link rel="canonical" href="${ORIGIN}/"></head>`) }
    const [plain, changed] = await Promise.all([
      fixed({ ...site, "/start.html": start, "/": start }),
      fixed({ ...site, "/start.html": start, "/": headed })
    ])
    expect([plain.outcome.coverage.known, changed.outcome.coverage.known]).toEqual([11, 11])
  })

  test("has no rule that sends the owner's Markdown of the start page where that leads nowhere", async () => {
    const paths = pages("/", 6)
    const markdown = (path: string, rest = "") => ({
      headers: { "content-type": "text/markdown; charset=utf-8" },
      body: `# About ${path}\n\nQuay keeps what ${path} is about in a berth of its own, and answers requests for ${path} in JSON.\n${rest}`
    })
    const site: FakeSite = {
      ...siteOf(paths),
      ...Object.fromEntries(["/", ...paths].map((path) => [`${path}index.md`, markdown(path)]))
    }
    const options = { only: null, ai: null, host: "nginx" } as const
    const { outcome } = await fixed(site, { options })
    expect(outcome.fixes.rules?.rewrites ?? []).toEqual([])
    expect(outcome.fixes.unwritten.map(({ reason }) => reason).join()).toContain("leads to none of the pages")
    const lower = outcome.before.criteria.filter(
      ({ id, score }) => (outcome.after.criteria.find((one) => one.id === id)?.score ?? 0) < score
    )
    expect(lower).toEqual([])
    const led = await fixed({ ...site, "/index.md": markdown("/", `\n[Next](${ORIGIN}/p000/)\n`) }, { options })
    expect(led.outcome.fixes.rules?.rewrites).not.toEqual([])
  })

  test("adds no second title to a page whose title is empty, and leaves that to its owner", async () => {
    const paths = pages("/", 10)
    const untitled = (path: string, title: string) => {
      const page = html(path)
      return { ...page, body: page.body.replace(/<title>.*<\/title>/, title) }
    }
    const site = {
      ...siteOf(paths),
      "/p004/": untitled("/p004/", "<title></title>"),
      "/p005/": untitled("/p005/", "")
    }
    const { outcome } = await fixed(site, { options: { only: new Set(["b4-metadata"]), ai: null, host: null } })
    const titled = outcome.fixes.heads.filter(({ text }) => text.includes("<title>")).map(({ url }) => url)
    expect(titled).toEqual([`${ORIGIN}/p005/`])
    expect(outcome.fixes.unwritten).toContainEqual(
      expect.objectContaining({
        reason: "Write a title: the page has none, or an empty `<title>`.",
        pages: [`${ORIGIN}/p004/`]
      })
    )
  })

  test("keeps to the sample if that alone is asked for", async () => {
    const { outcome, told } = await fixed(siteOf(pages("/", 10)), { pages: null })
    expect([told, converted(outcome).length]).toEqual([[], SAMPLE])
    expect(unopenedText(planOf(outcome, null))).toBe(
      `7 of 11 known pages were not opened, so no file is written for them. docgauge fix ${ORIGIN}/ opens them (up to 21 requests, at most 104 seconds).`
    )
  })
})
