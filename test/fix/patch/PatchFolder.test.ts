import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { folderTransport } from "../../../engine/evidence/folder/FolderTransport.ts"
import { openFolder, type SiteFolder } from "../../../engine/evidence/folder/SiteFolder.ts"
import { Transport } from "../../../engine/evidence/Transport.ts"
import { auditAndRead } from "../../../engine/fix/Fix.ts"
import { type FileChange, patchFolder } from "../../../engine/fix/patch/PatchFolder.ts"
import type { FixOptions } from "../../../engine/fix/write/Wish.ts"
import type { WritablePlugin } from "../../../engine/fix/site/WritablePlugins.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-patch-"))
afterAll(() => rmSync(root, { recursive: true }))

const URL_OF_SITE = "https://docs.example.com/"

const PARAGRAPH =
  "Harbour is a small service that stores parcels and tells you where they are. You send it requests over https, and it answers in JSON."

const pageOf = (title: string, links: ReadonlyArray<string> = [], head = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Harbour</title>${head}</head><body><main><h1>${title}</h1><p>${title}. ${PARAGRAPH}</p>` +
  `<h2 id="more">More about ${title}</h2><p>What is said here about ${title} is said nowhere else in this documentation.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></body></html>`

const SITE: Readonly<Record<string, string>> = {
  "index.html": pageOf("Start", ["/guide/", "/parcels.html", "/errors.html"]),
  "guide/index.html": pageOf("Guide"),
  "parcels.html": pageOf(
    "Parcels",
    [],
    '<meta name="description" content="The owner wrote this description of parcels, and it stays as it is.">'
  ),
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
const patch = (
  path: string,
  unreadable: ReadonlyArray<string> = [],
  host: FixOptions["host"] = "netlify",
  refused: ReadonlyArray<string> = [],
  only: FixOptions["only"] = null
) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const rubric = yield* loadRubric(
        readFileSync(new URL("../../../rubric.yaml", import.meta.url)),
        "rubric.yaml",
        plugins
      )
      const folder = yield* openFolder(path)
      const { send } = yield* Effect.provide(Transport, folderTransport(folder, URL_OF_SITE))
      const { report, site } = yield* auditAndRead(
        { url: URL_OF_SITE, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, folder: true, rubric },
        send
      )
      const changes: Array<FileChange> = []
      const guarded: SiteFolder = {
        ...folder,
        read: (file, limit) => (unreadable.includes(file) ? Effect.succeed(null) : folder.read(file, limit))
      }
      const { skipped, unwritten } = yield* patchFolder(
        { folder: guarded, site, more: [], report, options: { only, ai: "search-only", host, folder: true } },
        (change) =>
          Effect.sync(() => {
            if (refused.includes(change.path)) return false
            changes.push(change)
            mkdirSync(dirname(join(path, change.path)), { recursive: true })
            writeFileSync(join(path, change.path), change.body)
            return true
          })
      )
      return {
        report,
        changes,
        skipped: skipped.map(({ path }) => path),
        reasons: [...skipped, ...unwritten].map(({ reason }) => reason)
      }
    }).pipe(Effect.provide(Layer.mergeAll(ParserPool.layerInline)))
  )

describe("a static build that is patched", () => {
  test("has a Markdown version of each page, and the next patch finds nothing to write", async () => {
    const path = folderOf("twice", SITE)
    const first = await patch(path)
    expect(
      first.changes
        .filter(({ kind }) => kind === "version")
        .map(({ path }) => path)
        .sort()
    ).toEqual(["errors.html.md", "guide/index.md", "index.md", "parcels.html.md"])
    expect(first.changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt", "_headers"])
    )
    const second = await patch(path)
    expect(second.changes.map(({ path }) => path)).toEqual([])
    expect(second.report.total_score).toBeGreaterThan(first.report.total_score + 15)
    expect(
      second.report.criteria
        .filter(({ id, score }) => score < (first.report.criteria.find((one) => one.id === id)?.score ?? 0))
        .map(({ id }) => id)
    ).toEqual([])
  })

  test("keeps what the owner wrote", async () => {
    const llms = "# Harbour\n\n> Parcels.\n\nRead this first.\n"
    const path = folderOf("kept", {
      ...SITE,
      "llms.txt": llms,
      "guide/index.md": "# Guide\n\nThe owner's own words.\n",
      _headers: "/*\n  X-Own: yes\n"
    })
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
    const path = folderOf("unreadable", {
      ...SITE,
      _headers: "/*\n  X-Own: yes\n",
      "guide/index.md": "# Guide\n\nThe owner's own words.\n"
    })
    const { changes, skipped } = await patch(path, ["_headers", "guide/index.md"])
    expect(skipped.sort()).toEqual(["_headers", "guide/index.md"])
    expect(changes.map(({ path }) => path)).not.toContain("_headers")
    expect(changes.map(({ path }) => path)).not.toContain("guide/index.md")
    expect(readFileSync(join(path, "_headers"), "utf8")).toBe("/*\n  X-Own: yes\n")
  })

  test("announces no file that could not be written", async () => {
    const path = folderOf("refused", SITE)
    await patch(path, [], "netlify", ["parcels.html.md"])
    const read = (file: string): string => readFileSync(join(path, file), "utf8")
    expect(read("errors.html")).toContain("errors.html.md")
    for (const file of ["parcels.html", "llms.txt", "llms-full.txt"])
      expect(read(file)).not.toContain("parcels.html.md")
    const none = folderOf("refused-all", SITE)
    await patch(none, [], "netlify", ["index.md", "guide/index.md", "parcels.html.md", "errors.html.md"])
    expect(readFileSync(join(none, "_headers"), "utf8")).toBe(
      '# Written by docgauge fix.\n/*\n  Link: </llms.txt>; rel="describedby"\n# End of what docgauge fix wrote.\n'
    )
    const { changes } = await patch(folderOf("refused-index", SITE), [], "netlify", ["llms.txt"])
    expect(
      changes
        .filter(({ kind }) => kind === "host")
        .map(({ body }) => Buffer.from(body).toString())
        .join("")
    ).not.toContain("llms.txt")
  })

  test("takes no template of a theme for a page", async () => {
    const path = folderOf("templates", {
      ...SITE,
      "_overrides/main.html": `{% extends "base.html" %}{% block announce %}<p>${PARAGRAPH}</p>{% endblock %}`,
      "partials/head.html": `<p>${PARAGRAPH} It is a part of a page.</p>`
    })
    const { changes } = await patch(path)
    expect(
      changes.filter(({ body, path: file }) => /_overrides|partials/.test(`${file} ${Buffer.from(body).toString()}`))
    ).toEqual([])
  })

  test("gives Markdown versions their way on, and writes none a second time", async () => {
    const path = folderOf("ways", SITE)
    await patch(path)
    expect(readFileSync(join(path, "guide/index.md"), "utf8")).toMatch(
      /\n---\n\nUp: \[Start\]\(https:\/\/docs\.example\.com\/\).* · Index: \[llms\.txt\]\(https:\/\/docs\.example\.com\/llms\.txt\)\n$/
    )
    expect((await patch(path)).changes.map(({ path: file }) => file)).toEqual([])
  })

  test("names no sitemap in robots.txt that was not written", async () => {
    const read = (path: string, file: string): string => readFileSync(join(path, file), "utf8")
    const whole = folderOf("named-files", SITE)
    await patch(whole)
    expect(read(whole, "robots.txt")).toContain("Sitemap: https://docs.example.com/sitemap.xml")
    const refused = folderOf("unnamed-files", SITE)
    await patch(refused, [], "netlify", ["sitemap.xml", "llms.txt"])
    expect(read(refused, "robots.txt")).toContain("User-agent: Claude-User")
    expect(read(refused, "robots.txt")).not.toContain("Sitemap:")
    const unlike = folderOf("unlike-files", { ...SITE, "sitemap.xml": '<?xml version="1.0"?><urlset></urlset>' })
    await patch(unlike)
    expect(read(unlike, "robots.txt")).not.toContain("Sitemap:")
  })

  test("links to no llms-full.txt in llms.txt that was not written", async () => {
    const long = pageOf("Start").replace(
      "</main>",
      `${"<p>A parcel is where it was scanned last, and a scan names the harbour, the pier and the hour.</p>".repeat(20)}</main>`
    )
    const isNamed = async (
      name: string,
      files: Readonly<Record<string, string>>,
      refused: ReadonlyArray<string>
    ): Promise<boolean> =>
      (await patch(folderOf(name, files), [], "netlify", refused)).changes.some(
        ({ body, path }) => path === "llms.txt" && Buffer.from(body).includes("https://docs.example.com/llms-full.txt")
      )
    expect(await isNamed("full-text", { "index.html": long }, [])).toBe(true)
    expect(await isNamed("full-text-refused", { "index.html": long }, ["llms-full.txt"])).toBe(false)
    expect(
      await isNamed(
        "full-text-unlike",
        { "index.html": long, "llms-full.txt": "<!doctype html><html><body>Not found</body></html>" },
        []
      )
    ).toBe(false)
  })

  test("leaves a file that is not what its name says as it is, and says so", async () => {
    const path = folderOf("unlike", {
      ...SITE,
      "sitemap.xml": '<?xml version="1.0"?><urlset></urlset>',
      "llms-full.txt": "<!doctype html><html><body>Not found</body></html>"
    })
    const { changes, skipped } = await patch(path)
    expect(skipped.sort()).toEqual(["llms-full.txt", "sitemap.xml"])
    expect(changes.map(({ path }) => path).filter((file) => skipped.includes(file))).toEqual([])
  })

  test("keeps the bytes of files that are not in UTF-8", async () => {
    const latin = (text: string): Uint8Array => Buffer.from(text, "latin1")
    const own = {
      "robots.txt": latin("# Geh\u00e4use\nUser-agent: *\nDisallow: /private/\n"),
      "llms.txt": latin("# Harbour\n\n> Geb\u00fchren.\n"),
      "sitemap.xml": latin(
        '<?xml version="1.0" encoding="ISO-8859-1"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><!-- \u00e4 --><url><loc>https://docs.example.com/</loc></url></urlset>'
      ),
      _headers: latin("# Gr\u00fc\u00dfe\n/*\n  X-Own: yes\n")
    }
    const path = folderOf("latin", { ...SITE, ...own })
    const { changes } = await patch(path)
    expect(
      changes.map(({ path }) => path).filter((file) => ["robots.txt", "llms.txt", "sitemap.xml"].includes(file))
    ).toEqual([])
    const headers = readFileSync(join(path, "_headers"))
    expect(headers.subarray(0, own._headers.length).equals(own._headers)).toBe(true)
    expect(headers.length).toBeGreaterThan(own._headers.length)
  })

  test("takes URLs without .html only where most of its pages are linked to so", async () => {
    const links = ["/guide", "/parcels.html", "/errors.html", "/keys.html"]
    const site = {
      "index.html": pageOf("Start", links),
      "guide.html": pageOf("Guide"),
      "parcels.html": pageOf("Parcels"),
      "errors.html": pageOf("Errors"),
      "keys.html": pageOf("Keys")
    }
    await patch(folderOf("named", site))
    expect(readFileSync(join(root, "named", "errors.html"), "utf8")).toContain(
      `<link rel="canonical" href="${URL_OF_SITE}errors.html">`
    )
    await patch(
      folderOf("clean", {
        ...site,
        "index.html": pageOf(
          "Start",
          links.map((link) => (link === "/guide" ? "/guide.html" : link.replace(".html", "")))
        )
      })
    )
    expect(readFileSync(join(root, "clean", "errors.html"), "utf8")).toContain(
      `<link rel="canonical" href="${URL_OF_SITE}errors">`
    )
  })

  test.each([
    ["netlify", "_headers", "Link: "],
    ["apache", ".htaccess", "Header add Link "]
  ] as const)(
    "has the rules that an earlier run wrote for %s updated, and what its owner wrote around them kept",
    async (host, name, line) => {
      const path = folderOf(`rules-${host}`, { ...SITE, [name]: "# Mine\n" })
      await patch(path, [], host)
      const before = readFileSync(join(path, name), "utf8")
      expect(before).toContain(`${line}${host === "netlify" ? "" : '"'}</llms.txt>`)
      writeFileSync(join(path, name), `${before}# Mine, too\n`)
      mkdirSync(join(path, "reference"))
      writeFileSync(
        join(path, "reference", "openapi.json"),
        JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Harbour", version: "1" },
          servers: [{ url: "https://api.example.com" }],
          paths: { "/parcels": { get: { summary: "List parcels", responses: { 200: { description: "Parcels" } } } } }
        })
      )
      writeFileSync(
        join(path, "parcels.html"),
        pageOf("Parcels").replace("</main>", '<redoc spec-url="/reference/openapi.json"></redoc></main>')
      )
      await patch(path, [], host)
      const after = readFileSync(join(path, name), "utf8")
      expect(after).toMatch(
        /<\/llms\.txt>; rel=\\?"describedby\\?", <\/reference\/openapi\.json>; rel=\\?"service-desc\\?"/
      )
      expect(after.startsWith("# Mine\n")).toBe(true)
      expect(after.endsWith("# Mine, too\n")).toBe(true)
      expect(after.match(/Written by docgauge fix/g)).toHaveLength(1)
      expect((await patch(path, [], host)).changes.map((change) => change.path)).toEqual([])
    }
  )

  test("removes the rules that an earlier run wrote once nothing needs them, and nothing else", async () => {
    const rules =
      '# Written by docgauge fix.\n/*\n  Link: </llms.txt>; rel="describedby"\n  Vary: Accept\n# End of what docgauge fix wrote.\n'
    const path = folderOf("unneeded-rules", {
      ...SITE,
      _headers: `# Mine\n\n${rules}# Mine, too\n`,
      ".htaccess": rules
    })
    const changed = async (only: ReadonlyArray<WritablePlugin>): Promise<ReadonlyArray<string>> =>
      (await patch(path, [], "netlify", [], new Set(only))).changes.flatMap(({ kind, path }) =>
        kind === "removal" || kind === "host" ? [`${kind} ${path}`] : []
      )
    expect(await changed(["b4-metadata"])).toEqual([])
    expect(await changed(["a5-entry-points"])).toEqual(["removal _headers", "removal .htaccess"])
    expect(readFileSync(join(path, "_headers"), "utf8")).toBe("# Mine\n# Mine, too\n")
    expect(readFileSync(join(path, ".htaccess"), "utf8")).toBe("")
    expect(await changed(["a5-entry-points"])).toEqual([])
    const cut = folderOf("unneeded-cut", { ...SITE, _headers: rules.replace(/# End.*\n/, "X-Own: yes\n") })
    const { changes, skipped } = await patch(cut, [], "netlify", [], new Set(["a5-entry-points"]))
    expect([changes.filter(({ kind }) => kind === "removal"), skipped]).toEqual([[], ["_headers"]])
  })

  test("takes no comment of the owner's for rules of docgauge, and loses nothing between two blocks of which the first does not end", async () => {
    const comment =
      "# Written by docgauge fix. We changed it by hand.\n/*\n  X-Own: yes\n# End of what docgauge fix wrote. Ours again:\n  X-Too: yes\n"
    const path = folderOf("comment-rules", { ...SITE, _headers: comment })
    await patch(path)
    await patch(path)
    const headers = readFileSync(join(path, "_headers"), "utf8")
    expect(headers.startsWith(comment)).toBe(true)
    expect(headers.match(/Link: <\/llms\.txt>/g)).toHaveLength(1)
    const rules = (file: string): string =>
      `# Written by docgauge fix.\r\n/*\r\n  Link: </${file}>; rel="describedby"\r\n`
    const twice = `${rules("old.txt")}  X-Own: yes\r\n\r\n${rules("older.txt")}# End of what docgauge fix wrote.\r\n`
    const cut = folderOf("two-rules", { ...SITE, _headers: twice })
    const { reasons, skipped } = await patch(cut)
    expect(skipped).toEqual(["_headers"])
    expect(reasons.join(" ")).toContain("without the line that ends them")
    expect(readFileSync(join(cut, "_headers"), "utf8")).toBe(twice)
  })

  test("keeps rules of docgauge whose last line is missing, and says so", async () => {
    const path = folderOf("cut-rules", {
      ...SITE,
      _headers: '# Written by docgauge fix.\n/*\n  Link: </old.txt>; rel="describedby"\n'
    })
    const { reasons, skipped } = await patch(path)
    expect(skipped).toEqual(["_headers"])
    expect(reasons.join(" ")).toContain("Delete these rules and run this again.")
  })

  test("reads a page in the charset that it declares, and keeps its bytes", async () => {
    const text =
      "F\u00fcr die Geb\u00fchren gelten die \u00fcblichen S\u00e4tze, und gro\u00dfe Pakete kosten mehr als kleine."
    const latin = Buffer.from(
      pageOf("Geb\u00fchren")
        .replace("<title>", "<meta charset=iso-8859-1><title>")
        .replace("<h2", `<p>${text}</p><h2`),
      "latin1"
    )
    const path = folderOf("charset", {
      ...SITE,
      "index.html": pageOf("Start", ["/guide/", "/parcels.html", "/errors.html", "/fees.html"]),
      "fees.html": latin
    })
    const { report } = await patch(path)
    expect(readFileSync(join(path, "fees.html.md"), "utf8")).toContain(text)
    const after = readFileSync(join(path, "fees.html"))
    const end = latin.indexOf("</head>")
    expect(after.subarray(0, end).equals(latin.subarray(0, end))).toBe(true)
    expect(after.subarray(after.length - (latin.length - end)).equals(latin.subarray(end))).toBe(true)
    expect(after.length).toBeGreaterThan(latin.length)
    expect(report.pages?.some(({ title }) => title.includes("Geb\u00fchren"))).toBe(true)
  })

  test("leaves a page in UTF-16 as it is but for its Markdown version, and says so", async () => {
    const wide = Buffer.from(`\ufeff${pageOf("Fees")}`, "utf16le")
    const path = folderOf("wide", { ...SITE, "fees.html": wide })
    const { reasons, skipped } = await patch(path)
    expect(skipped).toEqual(["fees.html"])
    expect(reasons).toContain("is in UTF-16LE, so its head was left as it is. Convert it to UTF-8 and run this again.")
    expect(readFileSync(join(path, "fees.html")).equals(wide)).toBe(true)
    expect(readFileSync(join(path, "fees.html.md"), "utf8")).toContain("# Fees")
  })

  test("finds the end of a head that has no tag", async () => {
    const bare = pageOf("Fees").replace("<head>", "").replace("</head><body>", "")
    const path = folderOf("bare", { ...SITE, "fees.html": bare })
    await patch(path)
    expect(readFileSync(join(path, "fees.html"), "utf8")).toMatch(
      /^<!doctype html><html lang="en"><title>Fees \| Harbour<\/title><meta name="description"[^]*<\/script>\n<link rel="alternate"[^>]*>\n<main>/
    )
  })

  test("writes no two files to one path, where case is ignored, too", async () => {
    const path = folderOf("taken", { ...SITE, "API.html": pageOf("Interface"), "api.html": pageOf("Application") })
    const { changes, reasons } = await patch(path)
    const paths = changes.filter(({ kind }) => kind === "version").map((change) => change.path.toLowerCase())
    expect(new Set(paths).size).toBe(paths.length)
    expect(reasons.filter((reason) => reason.includes("file name of another file"))).toHaveLength(1)
  })

  test("writes no Markdown version of a page that it does not read to its end, and says so", async () => {
    const path = folderOf("elements", {
      ...SITE,
      "long.html": pageOf("Long").replace("</main>", `${"<i>a</i> ".repeat(61_000)}</main>`)
    })
    const { changes, reasons } = await patch(path)
    expect(changes.map((change) => change.path)).not.toContain("long.html.md")
    expect(reasons.join(" ")).toContain("A page is too long or too deeply nested to be read to its end")
  })

  test("does not complete a file that it did not read to its end", async () => {
    const path = folderOf("long", {
      ...SITE,
      "robots.txt": `User-agent: *\nDisallow: /private/\n${"# a line of a comment\n".repeat(100_000)}`
    })
    const { changes } = await patch(path)
    expect(changes.map(({ path }) => path)).not.toContain("robots.txt")
  })
})
