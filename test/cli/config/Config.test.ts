import Ajv2020 from "ajv/dist/2020.js"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type AuditReport, reportJsonSchema, rubricName } from "../../../engine/audit/Report.ts"
import { configJsonSchema } from "../../../cli/config/Config.ts"
import { someReport } from "../../audit/SomeReport.ts"
import { runCli } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-config-"))
afterAll(() => rmSync(folder, { recursive: true }))

const inFolder = (name: string): string => join(folder, name)
const write = (text: string): void => writeFileSync(inFolder("docgauge.yaml"), text)
const docgauge = (...args: ReadonlyArray<string>) => runHere(args, { cwd: folder })

const page = (title: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}</main></html>`

writeFileSync(inFolder("foreign.json"), JSON.stringify(someReport({ base_url: "https://docs.example.com/docs" })))
for (const name of ["one", "two"]) {
  mkdirSync(inFolder(name))
  writeFileSync(inFolder(`${name}/index.html`), page(name))
}

beforeEach(() => rmSync(inFolder("docgauge.yaml"), { force: true }))

const ONE = "sites:\n  - { url: https://docs.one.example, path: ./one }\n"
const TWO = `${ONE}  - { url: https://docs.two.example, path: ./two, goals: { score: 0 } }\n`

describe("docgauge.yaml in the working directory", () => {
  it("says what docgauge without a URL audits, and where each format goes", async () => {
    write(
      `${ONE}goals: { score: 1, categories: { E: 1 } }\nformats: { json: reports/d.json, junit: reports/d.xml, sarif: reports/d.sarif, html: reports/d.html, markdown: reports/d.md }\n`
    )
    const { code, stderr, stdout } = await runCli([], { cwd: folder })
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^https:\/\/docs\.one\.example/)
    expect(JSON.parse(readFileSync(inFolder("reports/d.json"), "utf8"))).toMatchObject({
      base_url: "https://docs.one.example"
    })
    expect(readFileSync(inFolder("reports/d.xml"), "utf8")).toContain('<testcase name="category E at least 1"')
    expect(readFileSync(inFolder("reports/d.json"), "utf8")).toMatch(
      /^\{\n {2}"\$schema": "https:\/\/unpkg\.com\/docgauge@\d+\.\d+\.\d+\/dist\/report\.schema\.json",\n {2}"base_url"/
    )
    for (const name of ["d.sarif", "d.html", "d.md"]) expect(existsSync(inFolder(`reports/${name}`))).toBe(true)
  })

  it("fails with 1 for each missed goal and each waiver that has expired, with its reason", async () => {
    write(
      `${ONE}goals: { score: 99, categories: { A: 10 }, criteria: { A1: present, B1: partial } }\nwaivers:\n  - { criterion: B1, reason: Not before Q3, until: 2099-01-01 }\n  - { criterion: F1, reason: No MCP server yet, until: 2020-01-01 }\n`
    )
    const { code, stderr } = await docgauge("--quiet", "--format", "json")
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^docgauge: the score is \d+ \(5 more with the waivers\), below the goal of 99\. Only \d+ points apply to this site, so no fix reaches it: set a goal of at most \d+, or waive what does not apply\.$/m
    )
    expect(stderr).toMatch(/^docgauge: category A Discovery has \d+ of 10 points, below the goal of 10\.$/m)
    expect(stderr).toMatch(
      /^docgauge: A1 \(Publish an llms\.txt in the standard format\) is absent, and the goal is present\. There is no llms\.txt/m
    )
    expect(stderr).toContain(
      "docgauge: the waiver of F1 expired on 2020-01-01: No MCP server yet. Fix F1, or give the waiver a later date."
    )
    expect(stderr).not.toContain("B1 (")
  })

  it("fails with drift: true of a site if a call is false, with the goal drift if too many are, and with drift: false never", async () => {
    const spec = {
      openapi: "3.1.0",
      info: { title: "Orders", version: "1.0.0" },
      servers: [{ url: "https://api.one.example" }],
      paths: {
        "/orders": {
          get: {
            parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
            responses: { 200: { description: "Orders" } }
          }
        }
      }
    }
    mkdirSync(inFolder("false"))
    writeFileSync(inFolder("false/openapi.json"), JSON.stringify(spec))
    writeFileSync(
      inFolder("false/index.html"),
      page("one").replace(
        "</main>",
        '<pre><code>curl "https://api.one.example/orders?limits=3"</code></pre><a href="/openapi.json">OpenAPI</a></main>'
      )
    )
    const ended = async (site: string, goals: string) => {
      write(`sites:\n  - { url: https://docs.one.example, path: ./false${site} }\n${goals}`)
      const { code, stderr } = await docgauge("--quiet", "--format", "json")
      return [code, stderr]
    }
    const missed = expect.stringMatching(
      /^docgauge: 1 of \d+ compared examples, calls, table rows and figures is false, and the goal is at most 0\. \/, line 1, sends limits in the query of GET \/orders; the description has limit\. To list all, run docgauge drift https:\/\/docs\.one\.example\n$/
    )
    expect(await ended("", "")).toEqual([0, ""])
    expect(await ended(", drift: true", "")).toEqual([1, missed])
    expect(await ended("", "goals: { drift: 0 }\n")).toEqual([1, missed])
    expect(await ended(", drift: true", "goals: { drift: 1 }\n")).toEqual([0, ""])
    expect(await ended(", drift: false", "goals: { drift: 0 }\n")).toEqual([0, ""])
  })

  it("says which waivers forgive how many points when all goals are met", async () => {
    write(
      `${ONE}goals: { criteria: { B1: present } }\nwaivers:\n  - { criterion: B1, reason: Not before Q3, until: 2099-01-01 }\n`
    )
    const { code, stderr } = await docgauge("--format", "json")
    expect(code).toBe(0)
    expect(stderr).toContain("docgauge: the goals are met with waivers: B1 (5 points, until 2099-01-01).\n")
    const quiet = await docgauge("--quiet", "--format", "github", "--write", "markdown=waived.md")
    expect([quiet.code, quiet.stderr]).toEqual([0, ""])
    expect(quiet.stdout).toContain(
      "::notice title=docgauge%3A waivers::The goals are met with waivers: B1 (5 points, until 2099-01-01).\n"
    )
    expect(readFileSync(inFolder("waived.md"), "utf8")).toMatch(
      /^\*\*Goals met with waivers:\*\* B1 \(5 points, until 2099-01-01\)\.$/m
    )
  })

  it("audits several sites and gives one summary; a file for each site and format", async () => {
    write(`${TWO}goals: { score: 100 }\nformats: { json: all.json }\n`)
    const { code, stderr, stdout } = await docgauge("--quiet")
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^docgauge: https:\/\/docs\.one\.example: the score is \d+, below the goal of 100\. Only \d+ points apply .*\n$/
    )
    expect(stdout).toMatch(
      /^https:\/\/docs\.one\.example\n {2}\d+ of the 69 that apply, .*; 1 of 1 goal missed\n {2}Fix first: /
    )
    expect(stdout).toContain("2 sites: 1 meet their goals, 1 do not.")
    expect(JSON.parse(readFileSync(inFolder("all-docs.two.example.json"), "utf8"))).toMatchObject({
      base_url: "https://docs.two.example"
    })
  })

  it("prints the whole report of each of several sites with -v, before the summary", async () => {
    write(TWO)
    const { code, stdout } = await docgauge("--quiet", "-v")
    expect(code).toBe(0)
    for (const name of ["one", "two"])
      expect(stdout).toMatch(new RegExp(`^https://docs\\.${name}\\.example {2}\\d{4}-\\d\\d-\\d\\d$`, "m"))
    expect(stdout).toContain("\n\nhttps://docs.two.example")
    expect(stdout).toMatch(/\n\n2 sites: 2 meet their goals, 0 do not\.\n$/)
  })

  it("names the site in each annotation where there are several", async () => {
    write(`${TWO}goals: { score: 100 }\n`)
    const { stdout } = await docgauge("--quiet", "--format", "github")
    const annotations = stdout
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("::notice "))
    expect(
      annotations.filter(
        (line) => !/^::(?:error|warning) title=[^:]+::https:\/\/docs\.(?:one|two)\.example: [a-z]/i.test(line)
      )
    ).toEqual([])
    expect(stdout).toMatch(
      /^::error title=docgauge%3A goal missed::https:\/\/docs\.one\.example: the score is \d+, below the goal of 100\. Only \d+ points apply .*$/m
    )
    expect(stdout).toMatch(/^::warning title=A1 .*::https:\/\/docs\.two\.example: There is no llms\.txt/m)
    // GitHub shows ten warnings of a step.
    for (const name of ["one", "two"])
      expect(stdout.match(new RegExp(`^::warning .*::https://docs\\.${name}\\.example: `, "gm"))).toHaveLength(5)
  })

  it("has an annotation for what could not be audited, with what to do", async () => {
    write("sites:\n  - { url: https://docs.one.example, path: ./missing }\n")
    const { code, stdout } = await docgauge("--quiet", "--format", "github")
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^::error title=docgauge%3A failed::.*missing.*\n$/)])
    write("site: []\n")
    expect((await docgauge("--quiet", "--format", "github")).stdout).toMatch(
      /^::error title=docgauge%3A failed::docgauge\.yaml has 1 problem; nothing was audited\.%0A%0Adocgauge\.yaml:1:1/
    )
  })

  it("repeats no missed goal of another site in the annotation for what could not be audited", async () => {
    write(`${ONE}  - { url: https://docs.two.example }\ngoals: { score: 100 }\n`)
    const { stderr, stdout } = await docgauge("--quiet", "--format", "github", "--resolve", "*:443:127.0.0.1:9")
    expect(stderr).toContain("below the goal of 100")
    expect(stdout.match(/below the goal of 100/g)).toHaveLength(1)
    expect(stdout).toMatch(/^::error title=docgauge%3A failed::https:\/\/docs\.two\.example: /m)
  })

  it("still tells of the others if a site could not be audited, and ends with the worst exit code", async () => {
    write(`${ONE}  - { url: https://docs.two.example }\ngoals: { score: 100 }\n`)
    const { code, stderr, stdout } = await docgauge("--quiet", "--resolve", "*:443:127.0.0.1:9")
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /^docgauge: https:\/\/docs\.one\.example: the score is .*\ndocgauge: https:\/\/docs\.two\.example: /
      )
    ])
    expect(stdout).toContain("2 sites: 0 meet their goals, 1 do not, 1 could not be audited.")
  })
})

describe("a baseline that is not there yet", () => {
  it("is written by the command that the error names, also into a folder that is missing", async () => {
    write(ONE.replace(" }", ", baseline: .docgauge/base.json }"))
    const { code, stderr, stdout } = await docgauge()
    const [, command = ""] =
      /^docgauge\.yaml:2:51: there is no baseline at \.docgauge\/base\.json yet\n[^]*^ {2}Write it once, and keep it: docgauge (.*)\n$/m.exec(
        stderr
      ) ?? []
    expect([code, stdout, command]).toEqual([
      2,
      "",
      "one --as https://docs.one.example --format json --output .docgauge/base.json"
    ])
    expect(await docgauge("one", "--as", "https://docs.one.example", "--baseline", "none.json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("docgauge one --as https://docs.one.example --format json --output none.json\n")
    })
    expect(await docgauge(...command.split(" "))).toEqual({ code: 0, stdout: "", stderr: "" })
    expect((await docgauge("--quiet")).code).toBe(0)
  })

  it("cannot be written where a file is in the place of its folder, which is said in one line", async () => {
    writeFileSync(inFolder("taken"), "")
    const { code, stderr } = await docgauge(
      "one",
      "--as",
      "https://docs.one.example",
      "--format",
      "json",
      "--output",
      "taken/base.json"
    )
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^docgauge: cannot write taken\/base\.json \(\w+\)\.\n$/)])
  })
})

describe("a baseline", () => {
  /** Writes the report of ./one as the baseline, changed. */
  const baseline = async (change: (report: AuditReport) => object): Promise<AuditReport> => {
    const { stdout } = await docgauge("one", "--as", "https://docs.one.example", "--format", "json")
    const report: AuditReport = JSON.parse(stdout)
    writeFileSync(inFolder("base.json"), JSON.stringify({ ...report, ...change(report) }))
    return report
  }
  const withFullA1 = ({ criteria }: AuditReport) =>
    criteria.map((criterion) => (criterion.id === "A1" ? { ...criterion, score: criterion.max } : criterion))
  const LOST = "Lost points: A1 Publish an llms.txt in the standard format (3 → 0)."

  it("is told what changed since it where no goal for it is missed, with its site where there are several, unless --quiet", async () => {
    const { total_score: score } = await baseline((report) => ({ criteria: withFullA1(report) }))
    const said = `the score was ${score} in the baseline and is ${score} now. ${LOST}\n`
    write(ONE.replace(" }", ", baseline: base.json }"))
    expect(await docgauge()).toMatchObject({ code: 0, stderr: `docgauge: ${said}` })
    write(TWO.replace(" }", ", baseline: base.json }"))
    expect(await docgauge()).toMatchObject({ code: 0, stderr: `docgauge: https://docs.one.example: ${said}` })
    expect(await docgauge("--quiet")).toMatchObject({ code: 0, stderr: "" })
  })

  it("that another rubric judged is told of in annotations, summary and Markdown, whether the score dropped or not", async () => {
    const { rubric, total_score: score } = await baseline((report) => ({
      total_score: report.total_score + 7,
      rubric: { ...report.rubric, version: "3.0.1", digest: "sha256:other" }
    }))
    const rubrics = `The baseline was judged by ${rubricName({ ...rubric, version: "3.0.1" })}, this report by ${rubricName(rubric)};`
    const env = { ...process.env, GITHUB_STEP_SUMMARY: inFolder("summary.md") }
    for (const [drop, code, annotation] of [
      [0, 1, "error title=docgauge%3A goal missed::The score dropped by 7, "],
      [9, 0, `notice title=docgauge%3A since the baseline::The score was ${score + 7} `]
    ] as const) {
      writeFileSync(inFolder("summary.md"), "")
      write(
        `${ONE.replace(" }", ", baseline: base.json }")}goals: { max_drop: ${drop} }\nformats: { markdown: changed.md }\n`
      )
      const { code: ended, stdout } = await runHere(["--quiet", "--format", "github"], { cwd: folder, env })
      expect([ended, stdout.split("\n").find((line) => line.startsWith(`::${annotation}`))]).toEqual([
        code,
        expect.stringContaining(rubrics)
      ])
      for (const file of ["summary.md", "changed.md"])
        expect(readFileSync(inFolder(file), "utf8")).toMatch(
          new RegExp(
            `^\\*\\*Since the baseline:\\*\\* the score was ${score + 7} in the baseline and is ${score} now\\. The baseline was judged by`,
            "m"
          )
        )
    }
  })
})

describe("the pages of a site", () => {
  const CHAIN = Array.from({ length: 12 }, (_, index) => `page-${index}`)

  beforeAll(() => {
    mkdirSync(inFolder("many/api"), { recursive: true })
    writeFileSync(
      inFolder("many/index.html"),
      page("Home").replace(
        "</main>",
        `${[...CHAIN, "api/orders"].map((name) => `<a href="/${name}.html">${name}</a>`).join(" ")}</main>`
      )
    )
    for (const name of [...CHAIN, "api/orders", "hidden"]) writeFileSync(inFolder(`many/${name}.html`), page(name))
  })

  const site = (pages: string): string =>
    `sites:\n  - { url: https://docs.one.example, path: ./many, pages: ${pages} }\nformats: { json: many.json }\n`
  const sampled = (): ReadonlyArray<{ readonly url: string; readonly named?: boolean }> =>
    JSON.parse(readFileSync(inFolder("many.json"), "utf8")).pages

  it("are always in the sample, also those that nothing links to, and are marked in the report", async () => {
    write(site("[/hidden.html, /api/**]"))
    const { code, stderr } = await docgauge("--quiet", "--sample", "4")
    expect([code, stderr]).toEqual([0, ""])
    expect(sampled().map(({ named = false, url }) => [url.replace("https://docs.one.example", ""), named])).toEqual([
      ["/", false],
      ["/api/orders.html", true],
      ["/hidden.html", true],
      expect.anything()
    ])
  })

  it("fail the build where one does not exist or a glob matches none, with what to do", async () => {
    write(site("[/gone.html, /guides/**, /page-1.html]"))
    const { code, stderr } = await docgauge("--quiet", "--format", "json")
    expect(code).toBe(1)
    expect(stderr).toBe(
      'docgauge: "pages" names /gone.html, which answers 404. Correct the path, or publish the page.\n' +
        'docgauge: "pages" names /guides/**, which matches none of the pages that llms.txt, sitemaps and links name. Correct the pattern, or link the pages.\n'
    )
    expect(sampled().some(({ url }) => url.endsWith("/gone.html"))).toBe(false)
  })
})

describe("a preview whose production origin is not given", () => {
  const sitemap = ["/", "/orders", "/errors"]
    .map((path) => `<url><loc>https://docs.example.com${path}</loc></url>`)
    .join("")
  const PREVIEW = "sites:\n  - { url: https://preview.one.example, path: ./preview }\n"

  beforeAll(() => {
    mkdirSync(inFolder("preview"))
    writeFileSync(inFolder("preview/index.html"), page("Orders"))
    writeFileSync(
      inFolder("preview/sitemap.xml"),
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${sitemap}</urlset>`
    )
  })

  it("is told the key for it, and not a flag that would be refused", async () => {
    write(PREVIEW)
    const { stderr } = await docgauge()
    expect(stderr).toBe(
      "docgauge: https://preview.one.example: the site's llms.txt, sitemap or canonical URLs point to https://docs.example.com. If this is a preview of that site, add canonical_origin: https://docs.example.com to it in docgauge.yaml.\n"
    )
    write(PREVIEW.replace(" }", ", canonical_origin: https://docs.example.com }"))
    expect((await docgauge()).stderr).toBe("")
  })

  it("is told so by an annotation in a workflow, which is not progress that --quiet leaves out", async () => {
    write(PREVIEW)
    const { stderr, stdout } = await docgauge("--format", "github", "--quiet")
    expect(stdout).toMatch(
      /^::notice title=docgauge::https:\/\/preview\.one\.example: the site's llms\.txt, .*add canonical_origin: https:\/\/docs\.example\.com to it in docgauge\.yaml\.$/m
    )
    expect(stderr).toBe("")
    const alone = await docgauge("./preview", "--as", "https://preview.one.example", "--format", "github", "--quiet")
    expect(alone.stdout).toMatch(
      /^::notice title=docgauge::The site's llms\.txt, .*add --canonical-origin https:\/\/docs\.example\.com$/m
    )
  })
})

describe("in a GitHub log", () => {
  it("neither a report nor a message has a command of a site", async () => {
    mkdirSync(inFolder("commands"), { recursive: true })
    writeFileSync(inFolder("commands/index.html"), page("##[error]Orders"))
    write(
      'sites:\n  - { url: https://docs.one.example, path: ./commands }\nwaivers:\n  - { criterion: F1, reason: "##[error]late", until: 2020-01-01 }\n'
    )
    const env = { ...process.env, GITHUB_ACTIONS: "true" }
    const text = await runHere(["--verbose"], { cwd: folder, env })
    expect(text.stderr).toContain("the waiver of F1 expired on 2020-01-01: # #[error]late")
    const json = await runHere(["--format", "json", "--quiet"], { cwd: folder, env })
    expect(json.stdout).toContain("#\\u0023[error]Orders")
    for (const { stderr, stdout } of [text, json]) expect(stdout + stderr).not.toMatch(/^\s*::|##\[/m)
    expect(JSON.parse(json.stdout).pages[0].title).toBe("##[error]Orders")
  })
})

describe("docgauge --write", () => {
  it("writes further formats, each to its file, with and without a configuration", async () => {
    write(ONE)
    const { code, stdout } = await docgauge(
      "--quiet",
      "--format",
      "github",
      "--write",
      "json=out/r.json",
      "--write",
      "sarif=out/r.sarif"
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^::notice /)])
    expect([existsSync(inFolder("out/r.json")), existsSync(inFolder("out/r.sarif"))]).toEqual([true, true])
    expect(
      (await docgauge("one", "--as", "https://docs.one.example", "--quiet", "--write", "markdown=out/r.md")).code
    ).toBe(0)
    expect(readFileSync(inFolder("out/r.md"), "utf8")).toContain("docs.one.example")
  })

  it.each([["json"], ["jsn=a"], ["json="]])("refuses %s", async (text) => {
    expect(await docgauge("https://docs.one.example", "--write", text)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--write takes a format (text, json, markdown, junit, sarif, html) and a file")
    })
  })

  it("refuses one file for two formats", async () => {
    expect(await docgauge("https://docs.one.example", "--write", "json=a", "--write", "html=./a")).toMatchObject({
      code: 2,
      stderr: "docgauge: --write names ./a twice. Name another file.\n"
    })
  })

  it.each([
    [["--output", "a.json"], "json=./A.json"],
    [["--output", "a", "--format", "both"], "markdown=a.md"]
  ])("refuses a file of %j", async (output, text) => {
    const [, path = ""] = text.split("=")
    expect(await docgauge("https://docs.one.example", ...output, "--write", text)).toMatchObject({
      code: 2,
      stderr: `docgauge: --output and --write both name ${path}. Name another file.\n`
    })
  })

  it("refuses a file of the configuration, and one file for two sites", async () => {
    write(`${ONE}formats: { json: out/r.json }\n`)
    expect(await docgauge("--write", "html=out/r.json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'docgauge.yaml:3:18: "formats" and --write would write out/r.json twice: json of https://docs.one.example, and html of https://docs.one.example\n'
      )
    })
    write(
      "sites:\n  - { url: https://docs.one.example/a-b, path: ./one }\n  - { url: https://docs.one.example/a/b, path: ./two }\n"
    )
    expect(await docgauge("--write", "json=r.json")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /docgauge\.yaml:3:12: --write would write r-docs\.one\.example-a-b\.json twice: [^]*audit one of these sites with a configuration of its own\n$/
      )
    })
  })
})

describe("a mistake in docgauge.yaml", () => {
  it.each([
    [
      "an unknown key",
      `${ONE}goals: { scor: 3 }\n`,
      ['docgauge.yaml:3:10: unknown key "scor"', 'did you mean "score"?']
    ],
    [
      "an unknown key of a site",
      "sites:\n  - { url: https://docs.one.example, pth: ./one }\n",
      ['unknown key "pth"', 'did you mean "path"?']
    ],
    [
      "an unknown criterion",
      `${ONE}goals: { criteria: { B9: present } }\n`,
      ['docgauge.yaml:3:22: the rubric has no criterion "B9"']
    ],
    [
      "an unknown criterion of a waiver",
      `${ONE}waivers: [{ criterion: Z1, reason: later }]\n`,
      ['the rubric has no criterion "Z1"']
    ],
    [
      "an unknown category of a site's goals",
      "sites: [{ url: https://docs.one.example, path: ./one, goals: { categories: { Z: 1 } } }]\n",
      ['the rubric has no category "Z"']
    ],
    ["a rubric that is not there", `${ONE}rubric: ./none.yaml\n`, ["none.yaml. Pass the path of a rubric file."]],
    ["a status that is no goal", `${ONE}goals: { criteria: { B1: absent } }\n`, ['"B1" cannot be "absent"']],
    ["a score beyond 100", `${ONE}goals: { score: 101 }\n`, ['docgauge.yaml:3:17: "score" must be']],
    [
      "a date that is none",
      `${ONE}waivers: [{ criterion: F1, reason: later, until: 2027-13-01 }]\n`,
      ['"until" must be a date, such as 2027-09-30']
    ],
    [
      "a day that no calendar has",
      `${ONE}waivers: [{ criterion: F1, reason: later, until: 2027-02-31 }]\n`,
      ['docgauge.yaml:3:50: "until" must be a day that exists, such as 2027-09-30']
    ],
    ["no sites", "goals: { score: 3 }\n", ['"sites" is missing']],
    ["a list", "- url\n", ['the file must be a map with the key "sites"']],
    [
      "a site that is named twice",
      `${ONE}  - { url: https://docs.one.example, path: ./two }\n`,
      ["docgauge.yaml:3:12: https://docs.one.example is named twice\n", "  remove one\n"]
    ],
    [
      "a site that is named twice in two ways",
      `${ONE}  - { url: "https://docs.one.example/", path: ./two }\n`,
      ["docgauge.yaml:3:12: https://docs.one.example and https://docs.one.example/ are the same site"]
    ],
    [
      "two sites whose reports would be one file",
      "sites:\n  - { url: https://docs.one.example/a/b, path: ./one }\n  - { url: https://docs.one.example/a-b, path: ./two }\nformats: { json: d.json }\n",
      [
        'docgauge.yaml:3:12: "formats" would write d-docs.one.example-a-b.json twice: json of https://docs.one.example/a/b, and json of https://docs.one.example/a-b'
      ]
    ],
    [
      "two formats in one file",
      `${ONE}formats: { json: d.out, text: ./d.out }\n`,
      [
        'docgauge.yaml:3:18: "formats" would write d.out twice: text of https://docs.one.example, and json of https://docs.one.example',
        "  name another file"
      ]
    ],
    [
      "a drop without a baseline",
      `${ONE}goals: { max_drop: 2 }\n`,
      [
        'docgauge.yaml:3:10: "max_drop" needs a report to compare https://docs.one.example with',
        "as in: baseline: .docgauge/baseline.json"
      ]
    ],
    [
      "a drop of a site without a baseline",
      ONE.replace(" }", ", goals: { max_drop: 2 } }"),
      ['docgauge.yaml:2:60: "max_drop" needs a report']
    ],
    [
      "headers of a folder",
      ONE.replace(" }", ", headers: { X-Preview: one } }"),
      [
        'docgauge.yaml:2:51: "headers" cannot be used with "path", which audits a folder without a network',
        "  remove one"
      ]
    ],
    [
      "a goal for drift of a site whose drift is not judged",
      ONE.replace(" }", ", drift: false, goals: { drift: 2 } }"),
      ['docgauge.yaml:2:74: "drift: false" of the site says that this goal is not judged', "  remove one"]
    ],
    [
      "a login of a folder",
      ONE.replace(" }", ', basic_auth: "${USER}:${PASSWORD}" }'),
      ['docgauge.yaml:2:51: "basic_auth" cannot be used with "path"']
    ],
    [
      "a page that is no path",
      "sites: [{ url: https://docs.one.example, pages: [quickstart] }]\n",
      ["must be a path such as /quickstart, or a glob such as /api/**"]
    ],
    [
      "one baseline for several sites",
      `${TWO}baseline: b.json\n`,
      ["docgauge.yaml:4:1: several sites cannot have one baseline", "  give each site its own"]
    ],
    [
      "a URL that is none",
      `${ONE}  - { url: ftp://docs.two.example }\n`,
      [
        "docgauge.yaml:3:12: ftp://docs.two.example cannot be audited: only https:// URLs are supported, not ftp:\n",
        "  Pass the URL of the documentation's first page."
      ]
    ],
    [
      "a URL that needs a flag",
      `${ONE}  - { url: "http://docs.two.example" }\n`,
      [
        "docgauge.yaml:3:12: http://docs.two.example cannot be audited: only https:// URLs are supported\n",
        "  Use the https:// URL, or pass --allow-http."
      ]
    ],
    [
      "a folder that is missing",
      `${ONE}  - { url: https://docs.two.example, path: ./none }\n`,
      ["docgauge.yaml:3:44: none: there is no such folder"]
    ],
    [
      "a production origin that is none",
      ONE.replace(" }", ", canonical_origin: docs.example.com }"),
      ['docgauge.yaml:2:69: "canonical_origin" takes a scheme and host, such as https://docs.example.com']
    ],
    [
      "the name of a header that is none",
      "sites:\n  - url: https://docs.one.example\n    headers:\n      'X Preview': one\n",
      ['docgauge.yaml:4:7: "X Preview" is not the name of a header']
    ],
    [
      "a header of docgauge's own",
      "sites:\n  - url: https://docs.one.example\n    headers: { Host: one }\n",
      ["docgauge.yaml:3:16: the header Host cannot be set: docgauge sends its own"]
    ],
    [
      "a variable that is not set",
      'sites:\n  - url: https://docs.one.example\n    headers: { X-One: one, Authorization: "Bearer ${DOCGAUGE_TEST_UNSET}" }\n',
      [
        "docgauge.yaml:3:28: the header Authorization needs the environment variable DOCGAUGE_TEST_UNSET, which is not set\n"
      ]
    ],
    [
      "a baseline of another site",
      ONE.replace(" }", ", baseline: foreign.json }"),
      [
        "docgauge.yaml:2:51: the baseline is a report of https://docs.example.com/docs, not of https://docs.one.example\n",
        '  Pass an earlier report of the same site. If this is a preview of that site, pass "canonical_origin" as well.'
      ]
    ],
    [
      "a baseline that is no report",
      ONE.replace(" }", ", baseline: docgauge.yaml }"),
      ["docgauge.yaml:2:51: docgauge.yaml is not a docgauge report in JSON"]
    ]
  ])("is refused with its place, and nothing is audited: %s", async (_, text, messages) => {
    write(text)
    const { code, stderr, stdout } = await docgauge()
    expect([code, stdout]).toEqual([2, ""])
    for (const message of messages) expect(stderr).toContain(message)
  })

  it("is a flag that it decides itself", async () => {
    write(ONE)
    expect(await docgauge("--min-score", "80")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "docgauge: docgauge.yaml says what is audited and which goals it must reach, so --min-score cannot be used with it.\n"
    })
    expect((await docgauge("https://docs.one.example", "--config", "docgauge.yaml")).stderr).toContain(
      "so a URL cannot be used with it"
    )
  })

  it.each([["--concurrency", "2"], ["--resolve", "*:443:127.0.0.1:9"], ["--allow-private"], ["--allow-http"]])(
    "is %s where every site is a folder, but not beside one that is fetched",
    async (...flag) => {
      write(TWO)
      expect(await docgauge(...flag)).toEqual({
        code: 2,
        stdout: "",
        stderr: `docgauge: all sites of docgauge.yaml are folders, so ${flag[0]} cannot be used with it.\n`
      })
      write(`${ONE}  - { url: ftp://docs.two.example }\n`)
      expect((await docgauge(...flag)).stderr).not.toContain("cannot be used with it")
    }
  )

  it("lists all mistakes of all sites, and shows no password that the file has", async () => {
    write(
      'sites:\n  - url: https://docs.one.example\n    headers: { Cookie: "session=hunter2-secret" }\n    canonical_origin: one\n  - url: https://docs.two.example\n    basic_auth: "user:hunter2-secret"\n  - { url: https://docs.three.example, baseline: none.json }\n'
    )
    const { code, stderr } = await docgauge("--resolve", "*:443:127.0.0.1:9")
    expect([code, stderr.split("\n", 1)]).toEqual([2, ["docgauge: docgauge.yaml has 3 problems; nothing was audited."]])
    for (const place of ["4:23", "6:5", "7:40"]) expect(stderr).toContain(`docgauge.yaml:${place}: `)
    expect(stderr).toContain('6 |     basic_auth: "*******************"')
    expect(stderr).not.toContain("hunter2")
  })

  it("shows the kind of a login and the name of its variable, which are no secrets", async () => {
    write('sites:\n  - url: https://docs.one.example\n    headers: { Authorization: "Bearer ${NOPE}x1 Bearer" }\n')
    const { stderr } = await docgauge("--resolve", "*:443:127.0.0.1:9")
    expect(stderr).toContain('Authorization: "Bearer ${NOPE}** ******"')
  })
})

describe("a mistake in docgauge.yaml", () => {
  it("hides no other: unknown keys, unknown criteria and wrong values are listed together", async () => {
    write(`${ONE}  - { url: ftp://docs.two.example }\ngoals: { scor: 3, criteria: { B99: present } }\n`)
    const { code, stderr } = await docgauge()
    expect([code, stderr.split("\n", 1)]).toEqual([2, ["docgauge: docgauge.yaml has 3 problems; nothing was audited."]])
    for (const told of [
      'unknown key "scor"',
      'the rubric has no criterion "B99"',
      "ftp://docs.two.example cannot be audited"
    ])
      expect(stderr).toContain(told)
  })

  it("in a key is not told again as its consequence", async () => {
    write(`${ONE.replace(" }", ", baselin: base.json }")}goals: { max_drop: 2 }\n`)
    expect((await docgauge()).stderr).toContain("docgauge.yaml has 1 problem;")
  })
})

describe("the JSON Schemas of the package", () => {
  const valid = (schema: object, value: unknown): unknown =>
    new Ajv2020.default({ strict: false, validateFormats: false }).compile(schema)(value)

  it("accept what docgauge accepts, and refuse unknown keys of a configuration", () => {
    expect(
      valid(
        configJsonSchema(),
        parse(`${TWO}goals: { score: 3, criteria: { A1: present } }\nwaivers: [{ criterion: F1, reason: later }]\n`)
      )
    ).toBe(true)
    expect(valid(configJsonSchema(), parse(`${ONE}goal: { score: 3 }\n`))).toBe(false)
    expect(valid(reportJsonSchema(), someReport())).toBe(true)
    expect(valid(reportJsonSchema(), { ...someReport(), later: 1 })).toBe(true)
    expect(valid(reportJsonSchema(), { ...someReport(), total_score: "6" })).toBe(false)
  })
})
