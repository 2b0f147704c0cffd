import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { httpServer, type Loopback } from "../../evidence/LoopbackServers.ts"
import { runHere } from "../RunHere.ts"

/* A generated site, served and as the folder that it was made in. */

const root = mkdtempSync(join(tmpdir(), "docgauge-same-"))
const build = join(root, "build")

const SECTIONS = ["guide", "reference", "errors"]
const TOPICS = ["orders", "refunds", "parcels", "stamps", "labels", "depots"]
const PATHS = SECTIONS.flatMap((section) => [`${section}/`, ...TOPICS.map((topic) => `${section}/${topic}/`)])

/** No menu has them: the page before each links to it. */
const CHAIN = ["deep/one/", "deep/two/", "deep/three/"]

const titleOf = (path: string): string => path.split("/").filter(Boolean).reverse().join(" in ") || "Start"

const pageOf = (path: string, more: ReadonlyArray<string>): string => {
  const menu = SECTIONS.map(
    (section) =>
      `<li><span>${section}</span><ul>${PATHS.filter((one) => one.startsWith(section))
        .map((one) => `<li><a href="/${one.replace(/\/$/, "")}">${titleOf(one)}</a></li>`)
        .join("")}</ul></li>`
  ).join("")
  const links = more.map((one) => `<a href="/${one}">More of ${titleOf(one)}</a>`).join(" ")
  return `<!doctype html><html lang="en"><head><title>${titleOf(path)} | Quill</title></head><body><nav><ul>${menu}</ul></nav><main><h1>About ${titleOf(path)}</h1><p>${titleOf(path)} tells what to send to Quill, and what comes back once it is accepted.</p><h2 id="send">What to send</h2><p>Send ${titleOf(path)} as JSON, with the key of the depot.</p><pre><code class="language-sh">curl https://api.quill.example/${path}</code></pre>${links}</main></body></html>`
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(build, path)), { recursive: true })
  writeFileSync(join(build, path), text)
}

/** A text of files by their paths: what both have, or a run wrote. */
const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:md|txt|xml)$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), "utf8")] as const)
  )

let site: Loopback
let url: string

beforeAll(async () => {
  write("index.html", pageOf("", ["gone/"]))
  for (const [index, path] of PATHS.entries())
    write(`${path}index.html`, pageOf(path, index === 5 ? CHAIN.slice(0, 1) : []))
  for (const [index, path] of CHAIN.entries())
    write(`${path}index.html`, pageOf(path, CHAIN.slice(index + 1, index + 2)))
  write("lost/index.html", pageOf("lost/", []))
  site = await httpServer(({ url: asked = "" }, response) => {
    const path = asked.replace(/^\//, "")
    const file = [path, `${path}index.html`].find(
      (one) => one !== "" && !one.endsWith("/") && existsSync(join(build, one))
    )
    const isFolder = !asked.endsWith("/") && existsSync(join(build, path, "index.html"))
    if (isFolder) response.writeHead(301, { location: `${asked}/` }).end()
    else if (file === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("not found")
    else response.writeHead(200, { "content-type": "text/html" }).end(readFileSync(join(build, file)))
  })
  url = `http://127.0.0.1:${site.port}/`
})

afterAll(async () => {
  await site.close()
  rmSync(root, { recursive: true })
})

test("a build whose pages are not all opened is not said to have files that nothing leads to", async () => {
  const { code, stdout } = await runHere(["fix", build, "--as", url, "--sample", "5", "--plan"], { cwd: root })
  expect(code).toBe(0)
  expect(stdout).toContain("not opened")
  expect(stdout).not.toContain("No link, sitemap or llms.txt")
})

describe("the same site, served, as a folder and patched", () => {
  test("gets the same llms.txt, sitemap and Markdown, and the plan names the pages that only one sees", async () => {
    const out = (name: string): ReadonlyArray<string> => ["--out", join(root, name)]
    const live = await runHere(["fix", url, "--allow-http", "--allow-private", ...out("live")], { cwd: root })
    const folder = await runHere(["fix", build, "--as", url, ...out("folder")], { cwd: root })
    expect([live.code, folder.code]).toEqual([0, 0])
    const files = filesIn(join(root, "live/site"))
    const pages = 1 + PATHS.length + CHAIN.length
    expect([...files.keys()].filter((path) => path.endsWith(".md"))).toHaveLength(pages)
    expect(filesIn(join(root, "folder/site"))).toEqual(files)
    expect(live.stderr).toMatch(/^Opening \d+ more pages: up to \d+ requests, at most \d+ seconds\.$/m)
    expect(folder.stderr).not.toContain("Opening")
    const said = folder.stdout.replaceAll(/\s+/g, " ")
    expect(said).toContain(`for ${pages} of ${pages} pages if you publish`)
    expect(said).toContain(
      "leads to 1 HTML file of the folder, so nothing is written for it (--patch writes into every page): lost/index.html."
    )
    expect(said).toContain(`1 page is linked or listed, and the folder has no file for it: ${url}gone/.`)

    const patched = join(root, "patched")
    cpSync(build, patched, { recursive: true })
    const patch = await runHere(["fix", patched, "--as", url, "--patch", patched], { cwd: root })
    expect(patch.code).toBe(0)
    const written = filesIn(patched)
    const known = [...files].filter(([path]) => path.endsWith(".md"))
    expect(known.filter(([path, text]) => written.get(path) !== text).map(([path]) => path)).toEqual([])
    const linesOf = (text = ""): ReadonlyArray<string> => text.split("\n").filter((line) => !line.includes("/lost/"))
    for (const name of ["llms.txt", "sitemap.xml"])
      expect(linesOf(written.get(name)), name).toEqual(linesOf(files.get(name)))
  })
})
