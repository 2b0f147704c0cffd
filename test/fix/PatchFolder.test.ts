import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { folderTransport } from "../../engine/evidence/folder/FolderTransport.ts"
import { openFolder, type SiteFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { auditAndRead } from "../../engine/fix/Fix.ts"
import { type Change, patchFolder } from "../../engine/fix/patch/PatchFolder.ts"
import { markdownOf } from "../../engine/page/conversion/PageMarkdown.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-patch-"))
afterAll(() => rmSync(root, { recursive: true }))

const URL_OF_SITE = "https://docs.example.com/"

const PARAGRAPH = "Harbour is a small service that stores parcels and tells you where they are. You send it requests over https, and it answers in JSON."

const pageOf = (title: string, links: ReadonlyArray<string> = [], head = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Harbour</title>${head}</head><body><main><h1>${title}</h1><p>${title}. ${PARAGRAPH}</p>`
  + `<h2 id="more">More about ${title}</h2><p>What is said here about ${title} is said nowhere else in this documentation.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></body></html>`

const SITE: Readonly<Record<string, string>> = {
  "index.html": pageOf("Start", ["/guide/", "/parcels.html", "/errors.html"]),
  "guide/index.html": pageOf("Guide"),
  "parcels.html": pageOf("Parcels", [], "<meta name=\"description\" content=\"The owner wrote this description of parcels, and it stays as it is.\">"),
  "errors.html": pageOf("Errors"),
  "robots.txt": "User-agent: *\nDisallow: /private/\n"
}

const folderOf = (name: string, files: Readonly<Record<string, string | Uint8Array>>): string => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true })
    writeFileSync(join(root, name, file), text)
  }
  return join(root, name)
}

/** Patches a folder in place, and tells the score before it and what was written. */
const patch = (path: string, unreadable: ReadonlyArray<string> = []) =>
  Effect.runPromise(Effect.gen(function*() {
    const rubric = yield* loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
    const folder = yield* openFolder(path)
    const { send } = yield* Effect.provide(Transport, folderTransport(folder, URL_OF_SITE))
    const { report, site } = yield* auditAndRead({ url: URL_OF_SITE, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, folder: true, rubric }, send)
    const changes: Array<Change> = []
    const guarded: SiteFolder = { ...folder, read: (file, limit) => unreadable.includes(file) ? Effect.succeed(null) : folder.read(file, limit) }
    const { skipped } = yield* patchFolder({ folder: guarded, site, report, options: { only: null, ai: "search-only", host: "netlify", folder: true }, markdownOf }, (change) =>
      Effect.sync(() => {
        changes.push(change)
        mkdirSync(dirname(join(path, change.path)), { recursive: true })
        writeFileSync(join(path, change.path), change.body)
      }))
    return { report, changes, skipped: skipped.map(({ path }) => path) }
  }).pipe(Effect.provide(Layer.mergeAll(ParserPool.layerInline))))

describe("a static build that is patched", () => {
  test("has a Markdown version of each page, and the next patch finds nothing to write", async () => {
    const path = folderOf("twice", SITE)
    const first = await patch(path)
    expect(first.changes.filter(({ kind }) => kind === "version").map(({ path }) => path).sort()).toEqual(["errors.html.md", "guide/index.md", "index.md", "parcels.html.md"])
    expect(first.changes.map(({ path }) => path)).toEqual(expect.arrayContaining(["llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt", "_headers"]))
    const second = await patch(path)
    expect(second.changes.map(({ path }) => path)).toEqual([])
    expect(second.report.total_score).toBeGreaterThan(first.report.total_score + 15)
    expect(second.report.criteria.filter(({ id, score }) => score < (first.report.criteria.find((one) => one.id === id)?.score ?? 0)).map(({ id }) => id)).toEqual([])
  })

  test("keeps what the owner wrote", async () => {
    const llms = "# Harbour\n\n> Parcels.\n\nRead this first.\n"
    const path = folderOf("kept", { ...SITE, "llms.txt": llms, "guide/index.md": "# Guide\n\nThe owner's own words.\n", "_headers": "/*\n  X-Own: yes\n" })
    await patch(path)
    const read = (file: string): string => readFileSync(join(path, file), "utf8")
    expect(read("llms.txt").startsWith(llms.trimEnd())).toBe(true)
    expect(read("llms.txt")).toContain("## Pages")
    expect(read("guide/index.md")).toBe("# Guide\n\nThe owner's own words.\n")
    expect(read("robots.txt").startsWith("User-agent: *\nDisallow: /private/\n")).toBe(true)
    expect(read("robots.txt")).toMatch(/User-agent: Claude-User\n(?:User-agent: .*\n)*Disallow: \/private\/\n/)
    expect(read("_headers").startsWith("/*\n  X-Own: yes\n")).toBe(true)
    expect(read("parcels.html").match(/name="description"/g)).toHaveLength(1)
  })

  test("leaves a file that cannot be read as it is, and says so", async () => {
    const path = folderOf("unreadable", { ...SITE, "_headers": "/*\n  X-Own: yes\n", "guide/index.md": "# Guide\n\nThe owner's own words.\n" })
    const { changes, skipped } = await patch(path, ["_headers", "guide/index.md"])
    expect(skipped.sort()).toEqual(["_headers", "guide/index.md"])
    expect(changes.map(({ path }) => path)).not.toContain("_headers")
    expect(changes.map(({ path }) => path)).not.toContain("guide/index.md")
    expect(readFileSync(join(path, "_headers"), "utf8")).toBe("/*\n  X-Own: yes\n")
  })

  test("leaves a file that is not what its name says as it is, and says so", async () => {
    const path = folderOf("unlike", { ...SITE, "sitemap.xml": "<?xml version=\"1.0\"?><urlset></urlset>", "llms-full.txt": "<!doctype html><html><body>Not found</body></html>" })
    const { changes, skipped } = await patch(path)
    expect(skipped.sort()).toEqual(["llms-full.txt", "sitemap.xml"])
    expect(changes.map(({ path }) => path).filter((file) => skipped.includes(file))).toEqual([])
  })

  test("keeps the bytes of files that are not in UTF-8", async () => {
    const latin = (text: string): Uint8Array => Buffer.from(text, "latin1")
    const own = {
      "robots.txt": latin("# Geh\u00e4use\nUser-agent: *\nDisallow: /private/\n"),
      "llms.txt": latin("# Harbour\n\n> Geb\u00fchren.\n"),
      "sitemap.xml": latin("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!-- \u00e4 --><url><loc>https://docs.example.com/</loc></url></urlset>"),
      "_headers": latin("# Gr\u00fc\u00dfe\n/*\n  X-Own: yes\n")
    }
    const path = folderOf("latin", { ...SITE, ...own })
    const { changes } = await patch(path)
    expect(changes.map(({ path }) => path).filter((file) => ["robots.txt", "llms.txt", "sitemap.xml"].includes(file))).toEqual([])
    const headers = readFileSync(join(path, "_headers"))
    expect(headers.subarray(0, own._headers.length).equals(own._headers)).toBe(true)
    expect(headers.length).toBeGreaterThan(own._headers.length)
  })

  test("does not complete a file that it did not read to its end", async () => {
    const path = folderOf("long", { ...SITE, "robots.txt": `User-agent: *\nDisallow: /private/\n${"# a line of a comment\n".repeat(100_000)}` })
    const { changes } = await patch(path)
    expect(changes.map(({ path }) => path)).not.toContain("robots.txt")
  })
})
