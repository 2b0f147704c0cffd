import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import Ajv2020 from "ajv/dist/2020.js"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { configJsonSchema } from "../../../cli/config/Config.ts"
import { reportJsonSchema } from "../../../engine/audit/Report.ts"
import { someReport } from "../../audit/SomeReport.ts"
import { runCli } from "../RunCli.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-config-"))
afterAll(() => rmSync(folder, { recursive: true }))

const inFolder = (name: string): string => join(folder, name)
const write = (text: string): void => writeFileSync(inFolder("docgauge.yaml"), text)
const docgauge = (...args: ReadonlyArray<string>) => runCli(args, { cwd: folder })

const page = (title: string): string => `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}</main></html>`

for (const name of ["one", "two"]) {
  mkdirSync(inFolder(name))
  writeFileSync(inFolder(`${name}/index.html`), page(name))
}

beforeEach(() => rmSync(inFolder("docgauge.yaml"), { force: true }))

const ONE = "sites:\n  - { url: https://docs.one.example, path: ./one }\n"
const TWO = `${ONE}  - { url: https://docs.two.example, path: ./two, goals: { score: 0 } }\n`

describe("docgauge.yaml in the working directory", () => {
  it("says what docgauge without a URL audits, and where each format goes", async () => {
    write(`${ONE}goals: { score: 1, categories: { E: 1 } }\nformats: { json: reports/d.json, junit: reports/d.xml, sarif: reports/d.sarif, html: reports/d.html, markdown: reports/d.md }\n`)
    const { code, stderr, stdout } = await docgauge()
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^https:\/\/docs\.one\.example/)
    expect(JSON.parse(readFileSync(inFolder("reports/d.json"), "utf8"))).toMatchObject({ base_url: "https://docs.one.example" })
    expect(readFileSync(inFolder("reports/d.xml"), "utf8")).toContain('<testcase name="category E at least 1"')
    expect(readFileSync(inFolder("reports/d.json"), "utf8")).toMatch(/^\{\n {2}"\$schema": "https:\/\/unpkg\.com\/docgauge@\d+\.\d+\.\d+\/dist\/report\.schema\.json",\n {2}"base_url"/)
    for (const name of ["d.sarif", "d.html", "d.md"]) expect(existsSync(inFolder(`reports/${name}`))).toBe(true)
  })

  it("fails with 1 for each missed goal and each waiver that has expired, with its reason", async () => {
    write(`${ONE}goals: { score: 99, categories: { A: 13 }, criteria: { A1: present, B1: partial } }\nwaivers:\n  - { criterion: B1, reason: Not before Q3, until: 2099-01-01 }\n  - { criterion: F1, reason: No MCP server yet, until: 2020-01-01 }\n`)
    const { code, stderr } = await docgauge("--quiet", "--format", "json")
    expect(code).toBe(1)
    expect(stderr).toMatch(/^docgauge: the score is \d+ \(5 more with the waivers\), below the goal of 99\.$/m)
    expect(stderr).toMatch(/^docgauge: category A Discovery has \d+ of 13 points, below the goal of 13\.$/m)
    expect(stderr).toMatch(/^docgauge: A1 \(Publish an llms\.txt in the standard format\) is absent, and the goal is present\. There is no llms\.txt/m)
    expect(stderr).toContain("docgauge: the waiver of F1 expired on 2020-01-01: No MCP server yet. Fix F1, or give the waiver a later date.")
    expect(stderr).not.toContain("B1 (")
  })

  it("audits several sites and gives one summary; a file for each site and format", async () => {
    write(`${TWO}goals: { score: 100 }\nformats: { json: all.json }\n`)
    const { code, stderr, stdout } = await docgauge("--quiet")
    expect(code).toBe(1)
    expect(stderr).toMatch(/^docgauge: https:\/\/docs\.one\.example: the score is \d+, below the goal of 100\.\n$/)
    expect(stdout).toMatch(/^https:\/\/docs\.one\.example\n {2}\d+ of 100, .*; 1 of 1 goal missed\n {2}Fix first: /)
    expect(stdout).toContain("2 sites: 1 meet their goals, 1 do not.")
    expect(JSON.parse(readFileSync(inFolder("all-docs.two.example.json"), "utf8"))).toMatchObject({ base_url: "https://docs.two.example" })
  })

  it("names the site in each annotation where there are several", async () => {
    write(`${TWO}goals: { score: 100 }\n`)
    const { stdout } = await docgauge("--quiet", "--format", "github")
    const annotations = stdout.trimEnd().split("\n").filter((line) => !line.startsWith("::notice "))
    expect(annotations.filter((line) => !/^::(?:error|warning) title=[^:]+::https:\/\/docs\.(?:one|two)\.example: [a-z]/i.test(line))).toEqual([])
    expect(stdout).toMatch(/^::error title=docgauge%3A goal missed::https:\/\/docs\.one\.example: the score is \d+, below the goal of 100\.$/m)
    expect(stdout).toMatch(/^::warning title=A1 .*::https:\/\/docs\.two\.example: There is no llms\.txt/m)
  })

  it("has an annotation for what could not be audited, with what to do", async () => {
    write("sites:\n  - { url: https://docs.one.example, path: ./missing }\n")
    const { code, stdout } = await docgauge("--quiet", "--format", "github")
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^::error title=docgauge%3A failed::.*missing.*\n$/)])
    write("site: []\n")
    expect((await docgauge("--quiet", "--format", "github")).stdout).toMatch(/^::error title=docgauge%3A failed::docgauge\.yaml has 1 problem; nothing was audited\.%0A%0Adocgauge\.yaml:1:1/)
  })

  it("repeats no missed goal of another site in the annotation for what could not be audited", async () => {
    write(`${ONE}  - { url: https://docs.two.example, path: ./none }\ngoals: { score: 100 }\n`)
    const { stderr, stdout } = await docgauge("--quiet", "--format", "github")
    expect(stderr).toContain("below the goal of 100")
    expect(stdout.match(/below the goal of 100/g)).toHaveLength(1)
    expect(stdout).toMatch(/^::error title=docgauge%3A failed::https:\/\/docs\.two\.example: [^%]*none/m)
  })

  it("still tells of the others if a site could not be audited, and ends with the worst exit code", async () => {
    write(`${ONE}  - { url: https://docs.two.example, path: ./none }\n`)
    const { code, stderr, stdout } = await docgauge("--quiet")
    expect([code, stderr]).toEqual([2, expect.stringContaining("https://docs.two.example: ")])
    expect(stdout).toContain("2 sites: 1 meet their goals, 0 do not, 1 could not be audited.")
  })
})

describe("a baseline that is not there yet", () => {
  it("is written by the command that the error names, also into a folder that is missing", async () => {
    write(ONE.replace(" }", ", baseline: .docgauge/base.json }"))
    const { code, stderr, stdout } = await docgauge()
    const [, command = ""] = /^docgauge: there is no baseline at \.docgauge\/base\.json yet\. Write it once, and keep it: docgauge (.*)\n$/.exec(stderr) ?? []
    expect([code, stdout, command]).toEqual([2, "", "one --as https://docs.one.example --format json --output .docgauge/base.json"])
    expect(await docgauge("one", "--as", "https://docs.one.example", "--baseline", "none.json")).toMatchObject({ code: 2, stderr: expect.stringContaining("docgauge one --as https://docs.one.example --format json --output none.json\n") })
    expect(await docgauge(...command.split(" "))).toEqual({ code: 0, stdout: "", stderr: "" })
    expect((await docgauge("--quiet")).code).toBe(0)
  })

  it("cannot be written where a file is in the place of its folder, which is said in one line", async () => {
    writeFileSync(inFolder("taken"), "")
    const { code, stderr } = await docgauge("one", "--as", "https://docs.one.example", "--format", "json", "--output", "taken/base.json")
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^docgauge: cannot write taken\/base\.json \(\w+\)\.\n$/)])
  })
})

describe("the pages of a site", () => {
  const CHAIN = Array.from({ length: 12 }, (_, index) => `page-${index}`)

  beforeAll(() => {
    mkdirSync(inFolder("many/api"), { recursive: true })
    writeFileSync(inFolder("many/index.html"), page("Home").replace("</main>", `${[...CHAIN, "api/orders"].map((name) => `<a href="/${name}.html">${name}</a>`).join(" ")}</main>`))
    for (const name of [...CHAIN, "api/orders", "hidden"]) writeFileSync(inFolder(`many/${name}.html`), page(name))
  })

  const site = (pages: string): string => `sites:\n  - { url: https://docs.one.example, path: ./many, pages: ${pages} }\nformats: { json: many.json }\n`
  const sampled = (): ReadonlyArray<{ readonly url: string; readonly named?: boolean }> => JSON.parse(readFileSync(inFolder("many.json"), "utf8")).pages

  it("are always in the sample, also those that nothing links to, and are marked in the report", async () => {
    write(site("[/hidden.html, /api/**]"))
    const { code, stderr } = await docgauge("--quiet", "--sample", "4")
    expect([code, stderr]).toEqual([0, ""])
    expect(sampled().map(({ named = false, url }) => [url.replace("https://docs.one.example", ""), named])).toEqual([["/", false], ["/api/orders.html", true], ["/hidden.html", true], expect.anything()])
  })

  it("fail the build where one does not exist or a glob matches none, with what to do", async () => {
    write(site("[/gone.html, /guides/**, /page-1.html]"))
    const { code, stderr } = await docgauge("--quiet", "--format", "json")
    expect(code).toBe(1)
    expect(stderr).toBe('docgauge: "pages" names /gone.html, which answers 404. Correct the path, or publish the page.\n' +
      'docgauge: "pages" names /guides/**, which matches none of the pages that llms.txt, sitemaps and links name. Correct the pattern, or link the pages.\n')
    expect(sampled().some(({ url }) => url.endsWith("/gone.html"))).toBe(false)
  })
})

describe("a preview whose production origin is not given", () => {
  const sitemap = ["/", "/orders", "/errors"].map((path) => `<url><loc>https://docs.example.com${path}</loc></url>`).join("")
  const PREVIEW = "sites:\n  - { url: https://preview.one.example, path: ./preview }\n"

  beforeAll(() => {
    mkdirSync(inFolder("preview"))
    writeFileSync(inFolder("preview/index.html"), page("Orders"))
    writeFileSync(inFolder("preview/sitemap.xml"), `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${sitemap}</urlset>`)
  })

  it("is told the key for it, and not a flag that would be refused", async () => {
    write(PREVIEW)
    const { stderr } = await docgauge()
    expect(stderr).toBe("docgauge: https://preview.one.example: the site's llms.txt, sitemap or canonical URLs point to https://docs.example.com. If this is a preview of that site, add canonical_origin: https://docs.example.com to it in docgauge.yaml.\n")
    write(PREVIEW.replace(" }", ", canonical_origin: https://docs.example.com }"))
    expect((await docgauge()).stderr).toBe("")
  })

  it("is told so by an annotation in a workflow, which is not progress that --quiet leaves out", async () => {
    write(PREVIEW)
    const { stderr, stdout } = await docgauge("--format", "github", "--quiet")
    expect(stdout).toMatch(/^::notice title=docgauge::https:\/\/preview\.one\.example: the site's llms\.txt, .*add canonical_origin: https:\/\/docs\.example\.com to it in docgauge\.yaml\.$/m)
    expect(stderr).toBe("")
    const alone = await docgauge("./preview", "--as", "https://preview.one.example", "--format", "github", "--quiet")
    expect(alone.stdout).toMatch(/^::notice title=docgauge::The site's llms\.txt, .*add --canonical-origin https:\/\/docs\.example\.com$/m)
  })
})

describe("in a GitHub log", () => {
  it("neither a report nor a message has a command of a site", async () => {
    mkdirSync(inFolder("commands"), { recursive: true })
    writeFileSync(inFolder("commands/index.html"), page("##[error]Orders"))
    write("sites:\n  - { url: https://docs.one.example, path: ./commands }\nwaivers:\n  - { criterion: F1, reason: \"##[error]late\", until: 2020-01-01 }\n")
    const env = { ...process.env, GITHUB_ACTIONS: "true" }
    const text = await runCli(["--verbose"], { cwd: folder, env })
    expect(text.stderr).toContain("the waiver of F1 expired on 2020-01-01: # #[error]late")
    const json = await runCli(["--format", "json", "--quiet"], { cwd: folder, env })
    expect(json.stdout).toContain("#\\u0023[error]Orders")
    for (const { stderr, stdout } of [text, json]) expect(stdout + stderr).not.toMatch(/^\s*::|##\[/m)
    expect(JSON.parse(json.stdout).pages[0].title).toBe("##[error]Orders")
  })
})

describe("docgauge --write", () => {
  it("writes further formats, each to its file, with and without a configuration", async () => {
    write(ONE)
    const { code, stdout } = await docgauge("--quiet", "--format", "github", "--write", "json=out/r.json", "--write", "sarif=out/r.sarif")
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^::notice /)])
    expect([existsSync(inFolder("out/r.json")), existsSync(inFolder("out/r.sarif"))]).toEqual([true, true])
    expect((await docgauge("one", "--as", "https://docs.one.example", "--quiet", "--write", "markdown=out/r.md")).code).toBe(0)
    expect(readFileSync(inFolder("out/r.md"), "utf8")).toContain("docs.one.example")
  })

  it.each([["json"], ["jsn=a"], ["json="]])("refuses %s", async (text) => {
    expect(await docgauge("https://docs.one.example", "--write", text)).toMatchObject({ code: 2, stderr: expect.stringContaining("--write takes a format (text, json, markdown, junit, sarif, html) and a file") })
  })

  it("refuses one file for two formats", async () => {
    expect(await docgauge("https://docs.one.example", "--write", "json=a", "--write", "html=./a")).toMatchObject({ code: 2, stderr: "docgauge: --write names ./a twice. Name another file.\n" })
  })

  it.each([
    [["--output", "a.json"], "json=./A.json"],
    [["--output", "a", "--format", "both"], "markdown=a.md"]
  ])("refuses a file of %j", async (output, text) => {
    const [, path = ""] = text.split("=")
    expect(await docgauge("https://docs.one.example", ...output, "--write", text)).toMatchObject({ code: 2, stderr: `docgauge: --output and --write both name ${path}. Name another file.\n` })
  })

  it("refuses a file of the configuration, and one file for two sites", async () => {
    write(`${ONE}formats: { json: out/r.json }\n`)
    expect(await docgauge("--write", "html=out/r.json")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^docgauge: "formats" and --write would write out\/r\.json twice: json of https:\/\/docs\.one\.example, and html of https:\/\/docs\.one\.example\. Name another file\.\n$/) })
    write("sites:\n  - { url: https://docs.one.example/a-b, path: ./one }\n  - { url: https://docs.one.example/a/b, path: ./two }\n")
    expect(await docgauge("--write", "json=r.json")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^docgauge: --write would write r-docs\.one\.example-a-b\.json twice: .*Audit one of these sites with a configuration of its own\.\n$/) })
  })
})

describe("a mistake in docgauge.yaml", () => {
  it.each([
    ["an unknown key", `${ONE}goals: { scor: 3 }\n`, ['docgauge.yaml:3:10: unknown key "scor"', 'did you mean "score"?']],
    ["an unknown key of a site", "sites:\n  - { url: https://docs.one.example, pth: ./one }\n", ['unknown key "pth"', 'did you mean "path"?']],
    ["an unknown criterion", `${ONE}goals: { criteria: { B9: present } }\n`, ['docgauge.yaml:3:22: the rubric has no criterion "B9"']],
    ["an unknown criterion of a waiver", `${ONE}waivers: [{ criterion: Z1, reason: later }]\n`, ['the rubric has no criterion "Z1"']],
    ["an unknown category of a site's goals", "sites: [{ url: https://docs.one.example, path: ./one, goals: { categories: { Z: 1 } } }]\n", ['the rubric has no category "Z"']],
    ["a rubric that is not there", `${ONE}rubric: ./none.yaml\n`, ["none.yaml. Pass the path of a rubric file."]],
    ["a status that is no goal", `${ONE}goals: { criteria: { B1: absent } }\n`, ['"B1" cannot be "absent"']],
    ["a score beyond 100", `${ONE}goals: { score: 101 }\n`, ['docgauge.yaml:3:17: "score" must be']],
    ["no sites", "goals: { score: 3 }\n", ['"sites" is missing']],
    ["a list", "- url\n", ['the file must be a map with the key "sites"']],
    ["a site that is named twice", `${ONE}  - { url: https://docs.one.example, path: ./two }\n`, ["names https://docs.one.example twice"]],
    ["a site that is named twice in two ways", `${ONE}  - { url: "https://docs.one.example/", path: ./two }\n`, ["names https://docs.one.example and https://docs.one.example/, which are the same site"]],
    ["two sites whose reports would be one file", "sites: [{ url: https://docs.one.example/a/b, path: ./one }, { url: https://docs.one.example/a-b, path: ./two }]\nformats: { json: d.json }\n", ["d-docs.one.example-a-b.json twice: json of https://docs.one.example/a/b, and json of https://docs.one.example/a-b"]],
    ["two formats in one file", `${ONE}formats: { json: d.out, text: ./d.out }\n`, ["d.out twice: text of https://docs.one.example, and json of https://docs.one.example. Name another file."]],
    ["a drop without a baseline", `${ONE}goals: { max_drop: 2 }\n`, ["the goal max_drop of https://docs.one.example needs the report to compare with"]],
    ["headers of a folder", "sites: [{ url: https://docs.one.example, path: ./one, headers: { X-Preview: one } }]\n", ['https://docs.one.example has "path", which audits a folder without a network, so "headers" cannot be used with it']],
    ["a login of a folder", "sites: [{ url: https://docs.one.example, path: ./one, basic_auth: \"${USER}:${PASSWORD}\" }]\n", ['so "basic_auth" cannot be used with it']],
    ["a page that is no path", "sites: [{ url: https://docs.one.example, pages: [quickstart] }]\n", ['must be a path such as /quickstart, or a glob such as /api/**']],
    ["one baseline for several sites", `${TWO}baseline: b.json\n`, ["Give each site its own"]]
  ])("is refused with its place, and nothing is audited: %s", async (_, text, messages) => {
    write(text)
    const { code, stderr, stdout } = await docgauge()
    expect([code, stdout]).toEqual([2, ""])
    for (const message of messages) expect(stderr).toContain(message)
  })

  it("is a flag that it decides itself", async () => {
    write(ONE)
    expect(await docgauge("--min-score", "80")).toEqual({ code: 2, stdout: "", stderr: "docgauge: docgauge.yaml says what is audited and which goals it must reach, so --min-score cannot be used with it.\n" })
    expect((await docgauge("https://docs.one.example", "--config", "docgauge.yaml")).stderr).toContain("so a URL cannot be used with it")
  })

  it("is an environment variable that is not set, which is named", async () => {
    write("sites:\n  - { url: https://docs.one.example, headers: { Authorization: \"Bearer ${DOCGAUGE_TEST_UNSET}\" } }\n")
    const { code, stderr } = await docgauge("--resolve", "*:443:127.0.0.1:9")
    expect([code, stderr]).toEqual([2, expect.stringContaining("the header Authorization needs the environment variable DOCGAUGE_TEST_UNSET, which is not set. Nothing was audited.")])
  })
})

describe("the JSON Schemas of the package", () => {
  const valid = (schema: object, value: unknown): unknown => new Ajv2020.default({ strict: false, validateFormats: false }).compile(schema)(value)

  it("accept what docgauge accepts, and refuse unknown keys of a configuration", () => {
    expect(valid(configJsonSchema(), parse(`${TWO}goals: { score: 3, criteria: { A1: present } }\nwaivers: [{ criterion: F1, reason: later }]\n`))).toBe(true)
    expect(valid(configJsonSchema(), parse(`${ONE}goal: { score: 3 }\n`))).toBe(false)
    expect(valid(reportJsonSchema(), someReport())).toBe(true)
    expect(valid(reportJsonSchema(), { ...someReport(), later: 1 })).toBe(true)
    expect(valid(reportJsonSchema(), { ...someReport(), total_score: "6" })).toBe(false)
  })
})
