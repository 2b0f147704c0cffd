import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { fixSite } from "../../../engine/fix/Fix.ts"
import { withHead } from "../../../engine/fix/overlay/HeadInsertion.ts"
import { planOf } from "../../../engine/fix/plan/Plan.ts"
import { planDataText, PlanPromises } from "../../../engine/fix/plan/PlanData.ts"
import { type CheckedPromise, verifyPlan } from "../../../engine/fix/verify/VerifyPlan.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { contentTypeOf } from "../../../engine/text/HttpValues.ts"
import { plugins } from "../../../plugins/index.ts"

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const ORIGIN = "https://docs.quill.example"

const PATHS = ["/", "/start/", "/track/", "/errors/"]

const htmlOf = (path: string): string =>
  `<!doctype html><html lang="en"><head><title>${path} | Quill</title></head><body><main><h1>About ${path}</h1><p>Quill keeps what ${path} is about in a drawer of its own, and answers requests for ${path} in JSON.</p>${PATHS.map((link) => `<a href="${link}">About ${link}</a>`).join(" ")}</main></body></html>`

const page = (body: string) => ({ headers: { "content-type": "text/html; charset=utf-8" }, body })

const HTML: FakeSite = Object.fromEntries(PATHS.map((path) => [path, page(htmlOf(path))]))

const plan = planOf(
  await Effect.runPromise(
    fixSite({
      audit: { url: `${ORIGIN}/`, date: "2026-11-28", sampleSize: 20, canonicalOrigin: null, rubric },
      options: { only: null, ai: "allow", host: "nginx" },
      isLive: true,
      pages: null
    }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(HTML, { host: ORIGIN }), ParserPool.layerInline)))
  ),
  "nginx"
)

const promises = Schema.decodeUnknownSync(Schema.fromJsonString(PlanPromises))(planDataText(plan))

const LINK = { link: plan.rules?.link ?? "" }

/** The site as it is once everything is published; `changed`: what is not as it was planned. */
const publishedAt = (origin: string, changed: FakeSite = {}): FakeSite => {
  const files = Object.fromEntries(
    plan.files
      .filter(({ path }) => path.startsWith("site/"))
      .map(({ path, text }) => [
        `/${path.slice("site/".length)}`,
        { headers: { ...LINK, "content-type": contentTypeOf(path) ?? "application/json" }, body: text }
      ])
  )
  const pages = Object.fromEntries(
    PATHS.map((path) => {
      const head = plan.files.find(({ path: file, url }) => file.startsWith("head/") && url === `${ORIGIN}${path}`)
      const body = Buffer.from(htmlOf(path))
      const markdown = files[`${path}index.md`]?.body ?? ""
      return [
        path,
        {
          headers: { ...LINK, "content-type": "text/html; charset=utf-8", vary: "Accept" },
          body: withHead(body, head?.text ?? "", "utf-8") ?? body,
          byAccept: { "text/markdown": { headers: { ...LINK, "content-type": "text/markdown" }, body: markdown } }
        }
      ]
    })
  )
  return Object.fromEntries(
    Object.entries({ ...pages, ...files, ...changed }).map(([path, answer]) => [`${origin}${path}`, answer])
  )
}

const verified = (site: FakeSite, at = `${ORIGIN}/`): Promise<ReadonlyArray<CheckedPromise>> =>
  Effect.runPromise(
    verifyPlan(promises, at).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site), ParserPool.layerInline)))
  )

const notKept = (checked: ReadonlyArray<CheckedPromise>): ReadonlyArray<string> =>
  checked.flatMap(({ outcome, says, what }) => (outcome === "kept" ? [] : [`${outcome} ${what}: ${says}`]))

describe("a published plan", () => {
  it("has a line for each file, each head, the Link header and each page that is negotiated, all of them kept", async () => {
    const checked = await verified(publishedAt(ORIGIN))
    expect(notKept(checked)).toEqual([])
    const inSite = plan.files.filter(({ path }) => !path.startsWith("host/"))
    const versions = plan.files.filter(({ isVersion }) => isVersion)
    expect(versions).toHaveLength(PATHS.length)
    expect(checked).toHaveLength(inSite.length + 1 + versions.length)
    expect(checked.find(({ what }) => what === "site/start/index.md")?.says).toMatch(
      /^text\/markdown, \d+ bytes; \d+ links followed, none is dead$/
    )
  })

  it("is kept by a preview that is served from another host, and with other line ends", async () => {
    const llms = plan.files.find(({ path }) => path === "site/llms.txt")?.text ?? ""
    const preview = "https://preview.example.net"
    const site = publishedAt(preview, {
      "/llms.txt": {
        headers: { ...LINK, "content-type": "text/plain" },
        body: llms.replaceAll("\n", "\r\n")
      }
    })
    expect(notKept(await verified(site, `${preview}/`))).toEqual([])
  })

  it.each<readonly [string, FakeSite, string]>([
    ["is missing", { "/llms.txt": { status: 404 } }, "broken site/llms.txt: answers 404"],
    [
      "has another text",
      { "/llms.txt": { headers: { "content-type": "text/plain" }, body: "# Quill\n" } },
      "broken site/llms.txt: has another text: 8 bytes in place of"
    ],
    [
      "has another type",
      {
        "/sitemap.xml": {
          headers: { "content-type": "text/html" },
          body: plan.files.find(({ path }) => path === "site/sitemap.xml")?.text ?? ""
        }
      },
      "broken site/sitemap.xml: is served as text/html, not as application/xml"
    ],
    [
      "links to what is not there",
      { "/track/": { status: 410, byAccept: { "text/markdown": { status: 410 } } } },
      `broken site/llms-full.txt: links to a URL that is not there: ${ORIGIN}/track/`
    ],
    ["did not get its head", { "/start/": page(htmlOf("/start/")) }, "broken head/start/index.html: lacks "],
    [
      "is not negotiated",
      { "/start/": page(htmlOf("/start/")) },
      "broken Accept: text/markdown: answers 200 with text/html, not with Markdown"
    ],
    ["has no Link header", { "/": page(htmlOf("/")) }, "broken Link header: lacks </llms.txt>"],
    [
      "does not answer",
      { "/robots.txt": { status: 503 } },
      "open site/robots.txt: answers 503, so it could not be checked"
    ]
  ])("that %s is named with what is wrong", async (_what, changed, line) => {
    const lines = notKept(await verified(publishedAt(ORIGIN, changed)))
    expect(lines.filter((one) => one.startsWith(line))).toHaveLength(1)
  })

  it("may have a file of the site's own where ours was only to be published if there was none", async () => {
    const marked = { ...promises, files: promises.files.map((file) => ({ ...file, only_if_absent: true as const })) }
    const site = publishedAt(ORIGIN, {
      "/start/index.md": { headers: { ...LINK, "content-type": "text/markdown" }, body: "# The owner's\n" }
    })
    const checked = await Effect.runPromise(
      verifyPlan(marked, `${ORIGIN}/`).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site), ParserPool.layerInline)))
    )
    expect(checked.find(({ what }) => what === "site/start/index.md")).toMatchObject({ outcome: "kept" })
  })
})
