import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, describe, expect, test } from "vitest"
import { httpServer } from "../../evidence/LoopbackServers.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { runCli } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-fix-cli-"))
afterAll(() => rmSync(root, { recursive: true }))

const build = join(root, "build")
mkdirSync(build)
for (const name of ["index", "guide", "errors", "keys"]) {
  writeFileSync(
    join(build, `${name}.html`),
    `<!doctype html><html lang="en"><head><title>${name} | Orders API</title></head><body><main><h1>${name}</h1>` +
      `<p>What ${name} means for an order, and what comes back when the order ${name} is accepted by the service.</p><h2 id="more">More of ${name}</h2><p>Orders with ${name} are kept for a while.</p>` +
      `<a href="guide.html">Guide</a> <a href="errors.html">Errors</a> <a href="keys.html">Keys</a></main></body></html>`
  )
}

const AS = ["--as", "https://docs.example.com"]

describe("docgauge fix", () => {
  test("writes nothing with --plan, names the folder of --out where it would write, and the next run writes there", async () => {
    const out = join(root, "out")
    const planned = await runCli(["fix", build, ...AS, "--ai", "allow", "--plan", "--out", out], { cwd: root })
    expect([planned.code, planned.stderr]).toEqual([0, ""])
    expect(planned.stdout.replaceAll(/\s+/g, " ")).toContain(
      `Run this command without --plan to write the files to ${out}/.`
    )
    expect(existsSync(out)).toBe(false)
    expect(readdirSync(root)).toEqual(["build"])
    const written = await runCli(["fix", build, ...AS, "--ai", "allow", "--out", out], { cwd: root })
    expect(written.stdout).not.toContain("without --plan")
    expect(readdirSync(out).sort()).toEqual([
      ".docgauge-fix.json",
      "PLAN.json",
      "PLAN.md",
      "QUESTIONS.md",
      "head",
      "site"
    ])
  })

  test("says once why promises could not be checked where the reason is the same", async () => {
    const out = join(root, "unreachable")
    await runCli(["fix", build, ...AS, "--ai", "allow", "--out", out], { cwd: root })
    const { code, stdout } = await runCli(
      ["fix", "--verify", join(out, "PLAN.json"), "--resolve", "docs.example.com:443:127.0.0.1:1"],
      { cwd: root }
    )
    expect(code).toBe(4)
    expect(stdout.match(/the connection was refused/g)).toHaveLength(1)
    expect(stdout.match(/could not be checked, for the same reason as above/g)?.length).toBeGreaterThan(5)
  })

  test("tells how many pages it opens, and is interrupted there without writing a file or a branch", async () => {
    const folder = join(root, "checkout")
    mkdirSync(join(folder, "static"), { recursive: true })
    writeFileSync(join(folder, "docusaurus.config.js"), "module.exports = {}\n")
    writeFileSync(join(folder, "static/.nojekyll"), "")
    const git = (...args: ReadonlyArray<string>): string =>
      execFileSync("git", ["-C", folder, "-c", "user.name=Writer", "-c", "user.email=w@example.com", ...args], {
        encoding: "utf8"
      })
    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    git("commit", "--quiet", "-m", "Begin")
    let isSlow = false
    const paths = Array.from({ length: 12 }, (_, index) => `/p${index}/`)
    const site = await httpServer(({ url = "" }, response) => {
      if (isSlow) return
      const isPage = url === "/" || paths.includes(url)
      response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
      response.end(
        `<!doctype html><html lang="en"><title>${url}</title><main><h1>About ${url}</h1><p>What ${url} means for an order, and what comes back when it is accepted by the service.</p>${paths.map((path) => `<a href="${path}">${path}</a>`).join("")}</main></html>`
      )
    })
    const args = ["fix", `http://127.0.0.1:${site.port}/`, "--all", "--sample", "4", "--pull-request"]
    const child = spawn(process.execPath, [PROGRAM, ...args, "--allow-http", "--allow-private"], { cwd: folder })
    let told = ""
    let printed = ""
    child.stdout.on("data", (text: Buffer) => (printed += text.toString()))
    child.stderr.on("data", (text: Buffer) => {
      told += text.toString()
      if (!told.includes("Opening") || isSlow) return
      isSlow = true
      child.kill("SIGINT")
    })
    const [code] = await once(child, "close")
    await site.close()
    expect(told).toContain("Opening 9 more pages: up to 27 requests, at most 105 seconds.")
    expect([code, printed]).toEqual([130, ""])
    expect(readdirSync(folder).sort()).toEqual([".git", "docusaurus.config.js", "static"])
    expect([git("branch", "--list").trim(), git("status", "--porcelain")]).toEqual(["* main", ""])
  })

  test("says that a preview needs its production origin, or files would name the preview", async () => {
    const path = join(root, "preview")
    cpSync(build, path, { recursive: true })
    const locations = ["", "guide", "errors"]
      .map((page) => `<url><loc>https://docs.example.com/${page}</loc></url>`)
      .join("")
    writeFileSync(
      join(path, "sitemap.xml"),
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations}</urlset>`
    )
    const fix = (...flags: ReadonlyArray<string>) =>
      runHere(["fix", path, "--as", "https://preview.example.net", "--plan", ...flags], { cwd: root })
    const HINT =
      "docgauge: the site's llms.txt, sitemap or canonical URLs point to https://docs.example.com. If this is a preview of that site, add --canonical-origin https://docs.example.com\n"
    expect((await fix()).stderr).toBe(HINT)
    expect((await fix("--patch", path)).stderr).toBe(HINT)
    expect((await fix("--canonical-origin", "https://docs.example.com")).stderr).toBe("")
    rmSync(path, { recursive: true })
  })

  test("counts with --patch all dead links of an llms.txt, and not only those that the audit tried", async () => {
    const folder = join(root, "dead")
    cpSync(build, folder, { recursive: true })
    const links = Array.from({ length: 30 }, (_, index) => `- [Gone ${index}](/gone-${index})\n`)
    writeFileSync(join(folder, "llms.txt"), `# Orders\n\n> Orders.\n\n## Docs\n\n${links.join("")}`)
    const { stdout } = await runHere(["fix", folder, ...AS, "--patch", folder])
    expect(stdout).toContain("30 dead links are left: no pages were found for them.")
  })

  test("says with --patch which page is meant, and how many, once", async () => {
    const path = join(root, "named")
    cpSync(build, path, { recursive: true })
    const { stdout } = await runHere(["fix", path, ...AS, "--patch", path, "--plan"], { cwd: root })
    expect(stdout).toMatch(
      /^A4: (\d+) pages do not say when they were changed, .* \(such as https:\/\/docs\.example\.com\/[a-z.]*\)$/m
    )
  })

  test("says with --patch how many pages are in other languages, for which nothing is written", async () => {
    const path = join(root, "spoken")
    cpSync(build, path, { recursive: true })
    cpSync(build, join(path, "de"), { recursive: true })
    const run = (...flags: ReadonlyArray<string>) =>
      runHere(["fix", path, ...AS, "--patch", path, "--plan", ...flags], { cwd: root })
    const count = readdirSync(build).filter((file) => file.endsWith(".html")).length
    expect((await run()).stdout).toContain(
      `${count} pages are in other languages than the start page: nothing is written for them.`
    )
    expect(JSON.parse((await run("--format", "json")).stdout)).toMatchObject({ other_languages: count })
    rmSync(path, { recursive: true })
  })

  test("says with --plan that --patch would remove rules of an earlier run that nothing is left for", async () => {
    const path = join(root, "ruled")
    cpSync(build, path, { recursive: true })
    const rules =
      '# Written by docgauge fix.\n/*\n  Link: </llms.txt>; rel="describedby"\n# End of what docgauge fix wrote.\n'
    writeFileSync(join(path, "_headers"), rules)
    const run = (...flags: ReadonlyArray<string>) =>
      runHere(["fix", path, ...AS, "--patch", path, "--only", "A5", ...flags], { cwd: root })
    expect((await run("--plan")).stdout).toContain("Would remove from _headers the rules that an earlier run wrote")
    expect(readFileSync(join(path, "_headers"), "utf8")).toBe(rules)
    expect((await run("--force")).stdout).toContain("Removed from _headers the rules that an earlier run wrote")
    expect(readFileSync(join(path, "_headers"), "utf8")).toBe("")
    rmSync(path, { recursive: true })
  })

  test("says of a folder that is published below a host's root for which files there nothing was written", async () => {
    const path = join(root, "manual")
    cpSync(build, path, { recursive: true })
    const { stdout } = await runHere(["fix", path, "--as", "https://example.com/manual/", "--patch", path], {
      cwd: root
    })
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "A1, A2, A3, A4, F2 could not be checked, so nothing is written for them. Their summaries in the report say why. Run docgauge fix with the URL"
    )
    rmSync(path, { recursive: true })
  })

  test.each([
    [["--from", "a.warc.gz", "--all"], "--from reads an archive and uses no network, so --all cannot be used with it."],
    [
      ["--from", "a.warc.gz", "--timeout", "5"],
      "--from reads an archive and uses no network, so --timeout cannot be used with it."
    ],
    [["--from", "a.warc.gz"], "a.warc.gz: "],
    [
      ["--verify", "PLAN.json", "--all"],
      "--verify checks what is published and writes nothing, so --all cannot be used"
    ],
    [["--verify", "none.json"], "cannot read none.json. Pass the path of a PLAN.json"],
    [[build, ...AS, "--patch", build, "--out", "x"], "--patch writes into the build, so --out cannot be used with it."],
    [[join(build, "index.html"), ...AS], `${join(build, "index.html")}: this is a file, not a folder.`],
    [[build, ...AS, "--concurrency", "2"], "--as audits a folder, so --concurrency cannot be used with it."],
    [
      [build],
      `${build} is a folder. Say where it will be published: docgauge fix ${build} --as https://docs.example.com`
    ]
  ])("refuses %j in the words of its own flags", async (args, message) => {
    const { code, stderr } = await runHere(["fix", ...args], { cwd: root })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain("--replay")
  })
})
