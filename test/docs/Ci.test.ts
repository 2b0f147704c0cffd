import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { Config } from "../../cli/config/Config.ts"
import { runCli } from "../cli/RunCli.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const TEXT = readFileSync(join(ROOT, "docs/ci.md"), "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code)

const yamlBlock = (name: string): string => blocks("yaml").find((code) => code.startsWith(`# ${name}\n`)) ?? ""

const folder = mkdtempSync(join(tmpdir(), "docgauge-ci-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A project with the page's docgauge.yaml and a build, and `npx docgauge` as a program of its PATH. */
beforeAll(() => {
  mkdirSync(join(folder, "build"))
  mkdirSync(join(folder, "bin"))
  writeFileSync(join(folder, "docgauge.yaml"), yamlBlock("docgauge.yaml"))
  writeFileSync(
    join(folder, "build/index.html"),
    `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></html>`
  )
  writeFileSync(join(folder, "bin/npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755
  })
})

/** Flags of npm and docker that the page names. */
const OF_OTHERS = new Set(["--save-dev", "--user"])

const shell = (script: string): Promise<{ readonly code: number | null; readonly stdout: string }> =>
  new Promise((done) => {
    const child = execFile(
      "/bin/sh",
      ["-c", script],
      { cwd: folder, env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` } },
      (_, stdout) => done({ code: child.exitCode, stdout })
    )
  })

describe("docs/ci.md", () => {
  it("has a docgauge.yaml that docgauge accepts", () => {
    expect(
      Schema.decodeUnknownSync(Config, { onExcessProperty: "error" })(parse(yamlBlock("docgauge.yaml"))).goals
    ).toEqual({ score: 75 })
  })

  it("has recipes that are YAML, and write the reports that they upload", () => {
    const gitlab = parse(yamlBlock(".gitlab-ci.yml"))
    const { formats } = parse(yamlBlock("docgauge.yaml"))
    expect(gitlab.docgauge.artifacts.reports.junit).toBe(formats.junit)
    expect(parse(yamlBlock(".pre-commit-config.yaml")).repos[0].hooks[0].entry).toBe("npx docgauge --quiet")
    const steps: ReadonlyArray<{ readonly uses?: string }> = parse(yamlBlock(".github/workflows/docs.yml")).jobs
      .docgauge.steps
    for (const { uses = "" } of steps) expect(uses).toMatch(/^$|@[0-9a-f]{40}$/)
  })

  it("has a shell script that tells a missed goal from the other exit codes", async () => {
    const script = blocks("sh").find((code) => code.startsWith("status=0")) ?? ""
    expect(await shell(script)).toEqual({ code: 1, stdout: expect.stringMatching(/goals missed\n$/) })
    expect((await shell(`rm docgauge.yaml\n${script}`)).stdout).toMatch(
      /docgauge could not judge the site \(exit code 2\)\n$/
    )
  })

  it("names flags that docgauge has", async () => {
    const { stdout } = await runCli(["--help"])
    const ours = TEXT.replaceAll(/^docker .*$|^`?.*docker compose.*$/gm, "")
    const named = new Set([...ours.matchAll(/(?<=[\s`])--[a-z-]+/g)].map(([flag]) => flag))
    expect(named.size).toBeGreaterThan(5)
    for (const flag of named.difference(OF_OTHERS)) expect(stdout).toContain(`  ${flag}`)
  })
})
