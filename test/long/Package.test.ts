import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveFakeSite } from "../../engine/testing/FakeServer.ts"
import { oldNode } from "../harness/OldNode.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"

/*
 * What `npm pack` gives, installed in an empty folder as a user has it: with the npm of this machine and nothing but the
 * package, and with npm 12, which runs no install scripts. Needs no network but for npm 12 and what it installs.
 */

const ROOT = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "docgauge-package-"))
const NPM_FLAGS = ["--no-audit", "--no-fund"]

/** This machine's npm, where it is an ordinary program; run by the Node of this repository. */
const npm = (args: ReadonlyArray<string>, cwd: string, cli: ReadonlyArray<string> = ["npm"]): string => {
  const [command = "npm", ...before] = cli
  return execFileSync(command, [...before, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` }
  })
}

interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a service says that it listens. */
const listeningAt = ({ stderr }: ChildProcess): Promise<string> =>
  new Promise((settle, fail) => {
    if (stderr === null) return fail(new Error("its stderr is not read"))
    const lines: Array<string> = []
    createInterface({ input: stderr })
      .on("line", (line) => {
        lines.push(line)
        const port = /listens on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
        if (port !== undefined) settle(`http://127.0.0.1:${port}`)
      })
      .on("close", () => fail(new Error(`it ended: ${lines.join("\n")}`)))
  })

/** The machine's own Node, if it is older than what the package needs. */
const OLD_NODE = oldNode()

const ENVIRONMENT = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` }

const run = (command: string, args: ReadonlyArray<string>, cwd: string): Promise<Finished> =>
  new Promise((settle) => {
    const child = execFile(command, args, { cwd, env: ENVIRONMENT }, (_, stdout, stderr) =>
      settle({ code: child.exitCode, stdout, stderr }))
  })

/** Audits the typical site, served on loopback, with whatever audits. */
const auditing = (audit: (args: ReadonlyArray<string>) => Promise<Finished>): Promise<Finished> =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const { origin, pathname } = new URL(TYPICAL_URL)
    const server = yield* serveFakeSite(typicalSite(), { host: origin })
    const own = ["--allow-private", "--allow-http", "--canonical-origin", origin, "--format", "json", "--quiet"]
    return yield* Effect.promise(() => audit([server.origin + pathname, ...own]))
  })))

/** What must not differ between two audits of the site: ports do. */
const verdicts = ({ stdout }: Finished): unknown => {
  const report: { readonly total_score: number; readonly criteria: ReadonlyArray<{ readonly id: string; readonly status: string }> } = JSON.parse(stdout)
  return [report.total_score, report.criteria.map(({ id, status }) => [id, status])]
}

/** A program of a user, who has nothing but the package. */
const USE = `import { audit, AuditError, type AuditReport } from "docgauge"
const score = ({ total_score }: AuditReport): number => total_score
await audit("ftp://docs.example.com").then(score, (error: unknown) => console.log(error instanceof AuditError ? error.code : error))
`

let tarball = ""

const emptyProject = (name: string): string => {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), "{}")
  return project
}

beforeAll(() => {
  npm(["pack", "--pack-destination", folder], ROOT)
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the package", () => {
  it("holds what runs, its types, its rubric and its licences, and no sources", () => {
    const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n").map((file) => file.replace("package/", ""))
    const must = ["LICENSE", "README.md", "CHANGELOG.md", "dist/docgauge.cjs", "dist/lib/main.js", "dist/rubric.yaml", "dist/rubric.schema.json", "dist/THIRD-PARTY-NOTICES.txt"]
    expect(must.filter((file) => !files.includes(file))).toEqual([])
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([])
    expect(files.filter((file) => /^(?!dist\/|LICENSE$|README\.md$|CHANGELOG\.md$|package\.json$)/.test(file))).toEqual([])
  })
})

/** Serves from memory, auditing nothing but a port where nobody listens, as long as something is done with its address. */
const serving = async (project: string, use: (url: string) => Promise<void>): Promise<void> => {
  const child = spawn("npx", ["--no-install", "--loglevel=error", "docgauge", "serve", "--port", "0", "--database-url", "memory:"], {
    cwd: project,
    env: { ...ENVIRONMENT, DOCGAUGE_RESOLVE: "*:443:127.0.0.1:9" },
    detached: true,
    stdio: ["ignore", "ignore", "pipe"]
  })
  try {
    await use(await listeningAt(child))
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid)
  }
}

describe("installed alone, without a network", () => {
  const project = emptyProject("alone")

  beforeAll(() => {
    npm(["install", tarball, "--offline", "--omit=optional", "--ignore-scripts", ...NPM_FLAGS], project)
  })

  it("brings nothing else", () => {
    const installed = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))
    expect(installed).toEqual(["docgauge"])
  })

  it("tells its version, and explains itself", async () => {
    expect((await run("npx", ["--no-install", "--loglevel=error", "docgauge", "--version"], project)).stdout).toMatch(/^docgauge \d+\.\d+\.\d+\n$/)
    expect((await run("npx", ["--no-install", "--loglevel=error", "docgauge", "--help"], project)).stdout).toContain("--min-score")
  })

  it.skipIf(OLD_NODE === null)("says in one line what is needed where Node is too old, and ends with 2", async () => {
    const { code, stderr, stdout } = await run(OLD_NODE ?? "", [join(project, "node_modules/.bin/docgauge"), "https://docs.example.com"], project)
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^docgauge: Node\.js 22\.19 or later is needed, and this is [\d.]+\. .*\n$/)])
  })

  it("is a library whose types need no other package", async () => {
    writeFileSync(join(project, "use.mts"), USE)
    const checked = await run(join(ROOT, "node_modules/.bin/tsc"), ["--noEmit", "--strict", "--skipLibCheck", "false", "--types", "", "--lib", "es2024,dom", "--module", "nodenext", "use.mts"], project)
    expect(checked).toMatchObject({ code: 0, stdout: "" })
    const used = await run(process.execPath, ["use.mts"], project)
    expect([used.code, used.stderr, used.stdout]).toEqual([0, "", "usage\n"])
  })

  it("audits a site as the source tree does, without any database", async () => {
    const packaged = await auditing((args) => run("npx", ["--no-install", "--loglevel=error", "docgauge", ...args], project))
    const source = await auditing((args) => run(process.execPath, [join(ROOT, "cli/main.ts"), ...args], ROOT))
    expect({ code: packaged.code, stderr: packaged.stderr }).toEqual({ code: 0, stderr: "" })
    expect(verdicts(packaged)).toEqual(verdicts(source))
  })

  it("says in a line or two what serving from a database needs", async () => {
    const { code, stderr } = await run("npx", ["--no-install", "--loglevel=error", "docgauge", "serve", "--port", "0"], project)
    expect(code).toBe(2)
    expect(stderr).toContain("sqlite3")
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2)
  })

  it("serves its documentation, whole", () =>
    serving(project, async (url) => {
      const read = async (path: string): Promise<string> => {
        const answer = await fetch(url + path)
        expect([path, answer.status]).toEqual([path, 200])
        return answer.text()
      }
      const listed = [...(await read("/llms.txt")).matchAll(/\]\(http:\/\/localhost:8080(\/docs\/v1\/[^)]+)\)/g)].map(([, path = ""]) => path)
      expect(listed.length).toBeGreaterThan(30)
      for (const path of listed) await read(path)
      const assets = [...(await read("/docs/v1/reference")).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path)
      expect(assets.some((path) => path.startsWith("/assets/docs-"))).toBe(true)
      for (const path of assets) await read(path)
    }))

  it("draws share images where @resvg/resvg-js is installed, and says so where it is not", async () => {
    const image = async (url: string): Promise<readonly [status: number, type: string | null]> => {
      const accepted = await fetch(`${url}/audit?async=true`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ base_url: "https://docs.example.com" }) })
      const { run_id: id }: { readonly run_id: string } = JSON.parse(await accepted.text())
      const answer = await fetch(`${url}/r/${id}/og.png`)
      await answer.arrayBuffer()
      return [answer.status, answer.headers.get("content-type")]
    }
    await serving(project, async (url) => expect(await image(url)).toEqual([503, "application/json"]))
    symlinkSync(join(ROOT, "node_modules/@resvg"), join(project, "node_modules/@resvg"))
    await serving(project, async (url) => expect(await image(url)).toEqual([200, "image/png"]))
    rmSync(join(project, "node_modules/@resvg"))
  })

  it("runs a plugin that is written with nothing but docgauge/plugin", async () => {
    writeFileSync(join(project, "titled.mjs"), TITLED)
    writeFileSync(join(project, "rubric.yaml"), HOUSE_RUBRIC)
    const finished = await auditing((args) => run("npx", ["--no-install", "--loglevel=error", "docgauge", ...args, "--rubric", "rubric.yaml", "--allow-plugins"], project))
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: "" })
    expect(verdicts(finished)).toEqual([100, [["A1", "present"]]])
  })
})

describe("the typed client", () => {
  it("is run by its user's own effect", async () => {
    const project = emptyProject("client")
    npm(["install", tarball, "--offline", "--omit=optional", "--ignore-scripts", ...NPM_FLAGS], project)
    symlinkSync(join(ROOT, "node_modules/effect"), join(project, "node_modules/effect"))
    writeFileSync(join(project, "client.mjs"), CLIENT)
    expect(await run(process.execPath, ["client.mjs"], project)).toEqual({ code: 0, stdout: "HttpClientError\n", stderr: "" })
  })
})

/** Asks a port where nothing listens: the error comes back typed. */
const CLIENT = `
import { makeClient } from "docgauge/client"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const asked = Effect.flatMap(makeClient("http://127.0.0.1:9"), (client) => client.getContractJson())
console.log(await Effect.runPromise(asked.pipe(Effect.flip, Effect.map(({ _tag }) => _tag), Effect.provide(FetchHttpClient.layer))))
`

const TITLED = `
import { count, define, Effect, NO_REQUESTS, Schema } from "docgauge/plugin"

export const titled = define({
  id: "titled",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({ least: Schema.Int }),
  facts: { titled: count("pages with a title") },
  measure: Effect.fn("titled")(function*(site) {
    const { pages } = yield* site.sample
    const titled = pages.filter(({ title }) => title !== "").length
    return { facts: { titled }, findings: [{ good: true, message: titled + " pages have titles.", proof: site.base.exchange }] }
  })
})
`

const HOUSE_RUBRIC = `format: 1
id: house-rules
version: 1.0.0
title: Does the documentation keep our house rules?
verdicts:
  - { from: 0, word: Measured, meaning: It was measured. }
categories:
  - id: A
    key: A_house
    title: House rules
    points: 100
    why: Our own rules.
    criteria:
      - id: A1
        plugin: ./titled.mjs
        revision: 1
        title: Pages have titles
        points: 100
        params: { least: 1 }
        levels:
          - { status: present, earns: 100, when: "facts.titled >= 1" }
          - { status: absent, earns: 0 }
        why: Readers look at titles first.
        how: Titles are counted.
        remedy: { effort: low, steps: [Write titles.] }
        references: [{ title: Titles, url: "https://rules.example.com/titles" }]
changes:
  - { version: 1.0.0, date: 2026-11-21, what: First release., criteria: all }
`

/** npm 12 in a folder of its own; `null` where no registry answers. */
const npm12 = (): ReadonlyArray<string> | null => {
  const home = emptyProject("npm-12")
  try {
    npm(["install", "npm@12", ...NPM_FLAGS], home)
    return [process.execPath, join(home, "node_modules/npm/bin/npm-cli.js")]
  } catch {
    return null
  }
}

describe("installed by npm 12, which runs no install scripts", () => {
  it("audits a site", async (context) => {
    const cli = npm12()
    if (cli === null) return context.skip("skipped: npm 12 cannot be had here")
    const project = emptyProject("blocked")
    npm(["install", tarball, ...NPM_FLAGS], project, cli)
    const finished = await auditing((args) => run(join(project, "node_modules/.bin/docgauge"), args, project))
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: "" })
  })
})
