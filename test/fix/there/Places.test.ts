import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Transport } from "../../../engine/evidence/Transport.ts"
import { type FixOutcome, fixSite } from "../../../engine/fix/Fix.ts"
import { planOf } from "../../../engine/fix/plan/Plan.ts"
import { planJson } from "../../../engine/fix/plan/PlanData.ts"
import { planMarkdown, planPrompt } from "../../../engine/fix/plan/PlanMarkdown.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { plugins } from "../../../plugins/index.ts"

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const ORIGIN = "https://docs.quill.example"

const SECTIONS = ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh"]
const PATHS = SECTIONS.flatMap((section) =>
  ["start", "send", "track", "errors", "limits"].map((page) => `/${section}/${page}/`)
)

const textOf = (path: string): string =>
  `Quill keeps what ${path} is about in a drawer of its own, and answers requests for ${path} in JSON within a second.`

const page = (path: string, links: ReadonlyArray<string> = []): FakeSite[string] => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><head><title>${path} | Quill</title></head><body><main><h1>About ${path}</h1><p>${textOf(path)}</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></body></html>`
})

const markdown = (path: string): FakeSite[string] => ({
  headers: { "content-type": "text/markdown; charset=utf-8" },
  body: `# About ${path}\n\n${textOf(path)}\n\nWritten by the owner.\n`
})

const HTML: FakeSite = { "/": page("/", PATHS), ...Object.fromEntries(PATHS.map((path) => [path, page(path)])) }

/** A section that has no page on which the audit learns where Markdown is. */
const UNSEEN = "cc"

/** The pages of one section have Markdown, and the audit does not find it. */
const PARTLY: FakeSite = {
  ...HTML,
  ...Object.fromEntries(
    PATHS.filter((path) => path.startsWith(`/${UNSEEN}/`)).map((path) => [`${path}index.md`, markdown(path)])
  )
}

interface Asked {
  readonly method: "GET" | "HEAD"
  readonly url: string
}

/** Fixes a site; `heads`: what it answers to HEAD in place of what it has. */
const fixed = async (site: FakeSite, { heads, isLive = true }: { heads?: number; isLive?: boolean } = {}) => {
  const asked: Array<Asked> = []
  const told: Array<number> = []
  const watched = Layer.effect(
    Transport,
    Effect.map(Transport, ({ send }) =>
      Transport.of({
        send: (request) => {
          asked.push({ method: request.headOnly === true ? "HEAD" : "GET", url: request.asked.url })
          return request.headOnly === true && heads !== undefined
            ? Effect.map(send(request), (hop) => (hop._tag === "HopAnswer" ? { ...hop, status: heads } : hop))
            : send(request)
        }
      })
    )
  ).pipe(Layer.provide(layerFakeSite(site, { host: ORIGIN })))
  const outcome = await Effect.runPromise(
    fixSite({
      audit: { url: `${ORIGIN}/`, date: "2026-11-28", sampleSize: 45, canonicalOrigin: null, rubric },
      options: { only: null, ai: null, host: null },
      isLive,
      pages: null,
      beforeAsking: (urls) => Effect.sync(() => void told.push(urls))
    }).pipe(Effect.provide(Layer.mergeAll(watched, ParserPool.layerInline)))
  )
  return { outcome, asked, told }
}

const newUrls = ({ fixes: { files } }: FixOutcome): ReadonlyArray<string> =>
  files.flatMap(({ completes, url }) => (completes === null && url !== null ? [url] : []))

const pathOf = (url: string): string => url.replace(ORIGIN, "")

describe("what a site has already", () => {
  it("is never written over: Markdown that the audit did not find is kept, named and linked", async () => {
    const { outcome } = await fixed(PARTLY)
    const there = PATHS.filter((path) => path.startsWith(`/${UNSEEN}/`)).map((path) => `${ORIGIN}${path}index.md`)
    expect(newUrls(outcome).filter((url) => there.includes(url))).toEqual([])
    expect(outcome.kept.toSorted()).toEqual(there.toSorted())
    expect(newUrls(outcome)).toContain(`${ORIGIN}/aa/start/index.md`)
    const plan = planOf(outcome, null)
    expect(planMarkdown(plan)).toContain(
      "5 files that the audit had not found are on the site already, and left as they are: "
    )
    expect(planPrompt(plan, "docgauge-fix")).toContain("These are on the site already. Leave them as they are: `")
    const llmsFull = plan.files.find(({ path }) => path === "site/llms-full.txt")
    expect(llmsFull?.text.match(/Written by the owner\./g)).toHaveLength(5)
  })

  it("is asked for with HEAD, and with GET only where that says that something is there, after the number was told", async () => {
    const { asked, outcome, told } = await fixed(PARTLY)
    // The first shows that the site tells by HEAD what is there.
    const [first, ...heads] = asked.filter(({ method }) => method === "HEAD").map(({ url }) => url)
    expect(first).toBe(`${ORIGIN}/`)
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(heads.length)
    // What the audit asked for itself is not asked for again.
    const gets = asked.filter(({ method }) => method === "GET").map(({ url }) => url)
    expect(
      heads.filter((url) =>
        gets
          .slice(
            0,
            asked.findIndex(({ method }) => method === "HEAD")
          )
          .includes(url)
      )
    ).toEqual([])
    for (const url of newUrls(outcome)) expect(heads.includes(url) || gets.includes(url)).toBe(true)
  })

  it.each([405, 404])("is found where each HEAD is answered with %d, too", async (heads) => {
    const { outcome } = await fixed(PARTLY, { heads })
    expect(newUrls(outcome).filter((url) => pathOf(url).startsWith(`/${UNSEEN}/`))).toEqual([])
    expect(outcome.kept).toHaveLength(5)
  })

  it("is nothing on a site that answers 200 to everything", async () => {
    const { outcome } = await fixed({
      ...HTML,
      "*": {
        headers: { "content-type": "text/html" },
        body: "<!doctype html><html><head><title>Quill</title></head><body><div id=app></div></body></html>"
      }
    })
    expect(outcome.kept).toEqual([])
    expect(newUrls(outcome)).toContain(`${ORIGIN}/aa/start/index.md`)
  })

  it("is not replaced by a Markdown version if it is another file, and the plan says so", async () => {
    const { outcome } = await fixed({
      ...HTML,
      "/aa/start/index.md": {
        headers: { "content-type": "text/markdown" },
        body: "# Notes of the editors\n\nDo not publish before Monday, please.\n"
      }
    })
    expect(newUrls(outcome)).not.toContain(`${ORIGIN}/aa/start/index.md`)
    expect(
      outcome.fixes.unwritten.find(({ reason }) => reason.startsWith("The URL of a page's Markdown version has"))?.pages
    ).toEqual([`${ORIGIN}/aa/start/`])
  })

  it("is asked for at the URLs of files for a section, too", async () => {
    const menu = (section: string, count: number): string =>
      `<h2>${section}</h2><ul>${Array.from({ length: count }, (_, step) => `<li><a href="/${section}/step-${step}/">${section} ${step}</a></li>`).join("")}</ul>`
    const nav = `<nav>${menu("guide", 60)}${menu("sdk", 60)}${menu("panel", 60)}</nav>`
    const site: FakeSite = {
      "/": {
        headers: { "content-type": "text/html" },
        body: `<!doctype html><html lang="en"><head><title>Quill</title></head><body>${nav}<main><h1>Quill</h1><p>${textOf("/")}</p></main></body></html>`
      },
      "/guide/llms.txt": "# The guide, by its editors\n\n- [Step](/guide/step-1/)\n",
      "*": ({ url }) => (/\/step-\d+\/$/.test(url) ? page(new URL(url).pathname) : { status: 404, body: "Not found" })
    }
    const { outcome } = await fixed(site)
    expect(newUrls(outcome)).toEqual(expect.arrayContaining([`${ORIGIN}/llms.txt`, `${ORIGIN}/sdk/llms.txt`]))
    expect(newUrls(outcome)).not.toContain(`${ORIGIN}/guide/llms.txt`)
    expect(outcome.kept).toContain(`${ORIGIN}/guide/llms.txt`)
  })

  it("is marked where it could not be asked for: in the plan, its JSON and the prompt", async () => {
    const unknown = Object.fromEntries(
      PATHS.filter((path) => path.startsWith(`/${UNSEEN}/`)).map((path): [string, FakeSite[string]] => [
        `${path}index.md`,
        { fault: "not_recorded" }
      ])
    )
    const { asked, outcome } = await fixed({ ...HTML, ...unknown }, { isLive: false })
    expect(asked.filter(({ method }) => method === "HEAD")).toEqual([])
    const plan = planOf(outcome, null)
    const marked = plan.files.filter(({ onlyIfAbsent }) => onlyIfAbsent === true).map(({ path }) => path)
    expect(marked).toContain("site/cc/start/index.md")
    expect(marked).not.toContain("site/llms.txt")
    expect(planMarkdown(plan)).toContain("`site/cc/start/index.md` (only if absent)")
    expect(planJson(plan)).toContain('"only_if_absent": true')
    expect(planPrompt(plan, "docgauge-fix")).toContain("Overwrite nothing: docgauge could not ask")
  })
})
