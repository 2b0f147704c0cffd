import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { packageTest, PLUGIN_KINDS, pluginModule } from "../../cli/authoring/PluginKinds.ts"
import { exportedName } from "../../cli/commands/plugin.ts"
import { BUILD } from "../harness/program/BuiltProgram.ts"
import { runCli } from "./RunCli.ts"
import { runHere } from "./RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-plugin-"))
afterAll(() => rmSync(folder, { recursive: true }))

const plugin = (...args: ReadonlyArray<string>) => runHere(["plugin", "new", ...args], { cwd: folder })
const read = (path: string): string => readFileSync(join(folder, path), "utf8")

const PAGE = (heading: string): string =>
  `<!doctype html><html lang="en"><title>Docs</title><main><h1>${heading}</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></html>`

describe("docgauge plugin new", () => {
  it("writes a package with a plugin, a test, a rubric and a workflow, and says what comes next", async () => {
    const { code, stderr, stdout } = await plugin("@acme/has-glossary", "--title", "There is a glossary")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^D8 "There is a glossary" is on trial/)
    expect(readdirSync(join(folder, "has-glossary")).sort()).toEqual([
      ".github",
      ".gitignore",
      "README.md",
      "index.js",
      "index.test.js",
      "package.json",
      "rubric.yaml"
    ])
    expect(JSON.parse(read("has-glossary/package.json"))).toMatchObject({
      name: "@acme/has-glossary",
      type: "module",
      exports: "./index.js",
      devDependencies: { docgauge: expect.any(String), vitest: expect.any(String) }
    })
    for (const { uses = "" } of parse(read("has-glossary/.github/workflows/test.yml")).jobs.test.steps)
      expect(uses).toMatch(/^$|@[0-9a-f]{40}$/)
  })

  it("writes a rubric that is valid, and a plugin that finds what its rule is about", async () => {
    await plugin("has-motto")
    // Nothing is installed beside it to import from.
    writeFileSync(
      join(folder, "has-motto/index.js"),
      read("has-motto/index.js").replace("docgauge/plugin", pathToFileURL(join(BUILD, "lib/plugin.js")).href)
    )
    const rubric = join(folder, "has-motto/rubric.yaml")
    const check = await runCli(["rubric", "check", rubric, "--allow-plugins"])
    expect([check.code, check.stderr]).toEqual([0, ""])
    expect(check.stdout).toMatch(
      /rubric\.yaml is valid: it extends docs-ai-readiness \d+\.\d+\.\d+: 30 criteria and \d+ on trial, sha256:/
    )
    writeFileSync(join(folder, "index.html"), PAGE("Our motto"))
    const { stdout } = await runCli([
      folder,
      "--as",
      "https://docs.example.com",
      "--rubric",
      rubric,
      "--allow-plugins",
      "--format",
      "json",
      "--quiet"
    ])
    expect(JSON.parse(stdout).experimental.at(-1)).toMatchObject({
      id: "D8",
      status: "present",
      title: "A page has a heading on motto"
    })
  })

  it.each(PLUGIN_KINDS)(
    "writes a plugin of kind %s that tells a site that keeps the rule from one that does not",
    async (kind) => {
      const name = `keeps-${kind}`
      await plugin(name, "--kind", kind)
      writeFileSync(
        join(folder, name, "index.js"),
        read(`${name}/index.js`).replace("docgauge/plugin", pathToFileURL(join(BUILD, "lib/plugin.js")).href)
      )
      const site = join(folder, name, "site")
      mkdirSync(site)
      for (const [words, status] of [
        [`keeps ${kind}`, "present"],
        ["orders", "absent"]
      ] as const) {
        writeFileSync(join(site, "index.html"), PAGE(words).replace("<p>", '<p><a href="openapi.json">OpenAPI</a>'))
        writeFileSync(
          join(site, "openapi.json"),
          JSON.stringify({
            openapi: "3.1.0",
            info: { title: "Orders", version: "1" },
            paths: { "/orders": { get: { summary: words, responses: {} } } }
          })
        )
        const rubric = ["--rubric", join(folder, name, "rubric.yaml"), "--allow-plugins"]
        const { stderr, stdout } = await runCli([
          site,
          "--as",
          "https://docs.example.com",
          ...rubric,
          "--format",
          "json",
          "--quiet"
        ])
        expect(stderr).toBe("")
        expect(JSON.parse(stdout).experimental.at(-1)).toMatchObject({ id: "D8", status })
      }
    }
  )

  it("writes a rubric that two reports are compared by, with --allow-plugins", async () => {
    await plugin("has-pledge")
    writeFileSync(
      join(folder, "has-pledge/index.js"),
      read("has-pledge/index.js").replace("docgauge/plugin", pathToFileURL(join(BUILD, "lib/plugin.js")).href)
    )
    writeFileSync(join(folder, "index.html"), PAGE("Our pledge"))
    const own = ["--rubric", join(folder, "has-pledge/rubric.yaml")]
    const audit = async (name: string, ...args: ReadonlyArray<string>): Promise<string> => {
      const path = join(folder, name)
      await runCli([
        folder,
        "--as",
        "https://docs.example.com",
        "--format",
        "json",
        "--quiet",
        "--output",
        path,
        ...args
      ])
      return path
    }
    const reports = [await audit("base.json"), await audit("own.json", ...own, "--allow-plugins")]
    expect(await runCli(["compare", ...reports, ...own])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("external plugins run only with --allow-plugins")
    })
    const compared = await runCli(["compare", ...reports, ...own, "--allow-plugins"])
    expect([compared.code, compared.stderr]).toEqual([0, ""])
    expect(compared.stdout).toContain("docs-ai-readiness")
  })

  it("writes modules that parse, whatever the plugin is called", async () => {
    const wanted = { plugin: "a", exported: "a", words: "a" }
    const imported = /^import \{ (.*) \} from "docgauge\/plugin"/.exec(pluginModule(wanted))?.[1]?.split(", ") ?? []
    expect(imported).toContain("count")
    const modules = [...imported, "hasHeading", "page", "delete"].flatMap((name) => {
      const plugin = name.replaceAll(/[A-Z_]/g, (letter) => `-${letter.toLowerCase()}`)
      const names = { ...wanted, plugin, exported: exportedName(plugin) }
      return [pluginModule(names), packageTest(names)]
    })
    const parse = `import { SourceTextModule } from "node:vm"
      for (const code of ${JSON.stringify(modules)}) new SourceTextModule(code)`
    const parsed = spawnSync(process.execPath, ["--experimental-vm-modules", "--no-warnings", "--input-type=module"], {
      input: parse,
      encoding: "utf8"
    })
    expect([parsed.status, parsed.stderr]).toEqual([0, ""])
    expect(await plugin("has-heading")).toMatchObject({ code: 0, stderr: "" })
    expect(read("has-heading/index.js")).toContain("export const hasHeadingPlugin = define(")
  })

  it("never writes into a folder that exists", async () => {
    await plugin("has-index")
    const before = read("has-index/index.js")
    expect(await plugin("has-index")).toMatchObject({
      code: 2,
      stderr: "docgauge: has-index exists already, or cannot be made here. Nothing was written.\n"
    })
    expect(read("has-index/index.js")).toBe(before)
  })

  it.each([
    [["Has_Glossary"], /"Has_Glossary" cannot be the name of a package/],
    [["../evil"], /cannot be the name of a package/],
    [["has-thing", "--category", "X"], /there is no category "X"; the categories are A, B, C, D, E, F/],
    [["llms-txt"], /a plugin named a1-llms-txt already exists/],
    [["has-thing", "--title", "x".repeat(81)], /--title takes one line of at most 80 characters/]
  ])("refuses %j", async (args, said) => {
    const { code, stderr } = await plugin(...args)
    expect([code, stderr.match(said) !== null]).toEqual([2, true])
    expect(existsSync(join(folder, "has-thing"))).toBe(false)
  })
})
