import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { HOUSE_RUBRIC_HEADER } from "../harness/HouseRubric.ts"
import {
  auditing,
  emptyProject,
  type Finished,
  ownNode,
  pack,
  servingFromFile,
  workshop
} from "../harness/Installed.ts"
import { oldNode } from "../harness/OldNode.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"

/*
 * What `npm pack` gives, installed in an empty folder as a user has it: with the npm of this machine and nothing but the
 * package, without a network. Other package managers, and other versions of Node, are in Package.endurance.ts.
 */

const ROOT = resolve(import.meta.dirname, "../..")
const { folder, remove } = workshop()
const NPM_FLAGS = ["--no-audit", "--no-fund"]

/** This machine's npm, where it is an ordinary program; run by the Node of this repository. */
const npm = (args: ReadonlyArray<string>, cwd: string): string =>
  execFileSync("npm", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` }
  })

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
      settle({ code: child.exitCode, stdout, stderr })
    )
  })

/** Installs the package in a project, without a network. */
const install = (project: string): void => {
  npm(["install", tarball, "--offline", "--omit=optional", "--ignore-scripts", ...NPM_FLAGS], project)
}

/** The program of the package in a project; npx, which would find it too, starts npm first. */
const programIn = (project: string): string => join(project, "node_modules/docgauge/dist/docgauge.cjs")

const docgauge = (project: string, ...args: ReadonlyArray<string>): Promise<Finished> =>
  run(process.execPath, [programIn(project), ...args], project)

/** What must not differ between two audits of the site: ports do. */
const verdicts = ({ stdout }: Finished): unknown => {
  const report: {
    readonly total_score: number
    readonly criteria: ReadonlyArray<{ readonly id: string; readonly status: string }>
  } = JSON.parse(stdout)
  return [report.total_score, report.criteria.map(({ id, status }) => [id, status])]
}

/** A program of a user, who has nothing but the package. */
const USE = `import { audit, AuditError, type AuditReport } from "docgauge"
const score = ({ total_score }: AuditReport): number => total_score
await audit("ftp://docs.example.com").then(score, (error: unknown) => console.log(error instanceof AuditError ? error.code : error))
`

let tarball = ""

/** A project that has it, and nothing else. */
const alone = emptyProject(folder, "alone")

beforeAll(() => {
  tarball = pack(folder)
  install(alone)
})

/** Gives a project what npm would only unpack again. */
const copyInto = (project: string): void =>
  cpSync(join(alone, "node_modules"), join(project, "node_modules"), { recursive: true, verbatimSymlinks: true })

afterAll(remove)

/** Bytes of the packed file that the registry and every user carry. */
const MOST_BYTES = 4 * 1_000_000

describe("the package", () => {
  it("has at most 4 MB packed", () => {
    expect(statSync(tarball).size).toBeLessThan(MOST_BYTES)
  })

  it("lists every package that was bundled, with its licence, in a bill of materials", () => {
    const read = (file: string): string =>
      execFileSync("tar", ["-xzOf", tarball, `package/dist/${file}`], { encoding: "utf8", maxBuffer: 64 * 2 ** 20 })
    const bill: {
      readonly bomFormat: string
      readonly metadata: { readonly component: { readonly name: string } }
      readonly components: ReadonlyArray<{
        readonly name: string
        readonly version: string
        readonly purl: string
        readonly licenses?: unknown
      }>
    } = JSON.parse(read("sbom.cdx.json"))
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(["CycloneDX", "docgauge"])
    const notices = read("THIRD-PARTY-NOTICES.txt")
    expect(bill.components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["effect", "parse5", "mdream", "undici"])
    )
    expect(bill.components.filter(({ name, version }) => !notices.includes(`${name} ${version} (`))).toEqual([])
    expect(
      bill.components.filter(({ licenses, purl }) => licenses === undefined || !purl.startsWith("pkg:npm/"))
    ).toEqual([])
    expect(read("sbom.cdx.json")).not.toContain(ROOT)
  })

  it("can be published: npm publish --dry-run finds nothing to correct", async () => {
    const { code, stderr, stdout } = await run(
      "npm",
      ["publish", tarball, "--dry-run", "--provenance=false", "--json", "--loglevel=warn"],
      folder
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/"id": "docgauge@\d+\.\d+\.\d+"/)])
    expect(stderr).not.toMatch(/auto-corrected|errors/i)
  })

  it("says where it comes from, and installs nothing that is compiled", () => {
    const manifest: Readonly<Record<string, unknown>> = JSON.parse(
      execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" })
    )
    expect(manifest).toMatchObject({
      repository: { type: "git", url: "git+https://github.com/docgauge/docgauge.git" },
      bugs: "https://github.com/docgauge/docgauge/issues",
      homepage: "https://github.com/docgauge/docgauge#readme"
    })
    expect(manifest["dependencies"]).toBe(undefined)
    expect(Object.keys(manifest["optionalDependencies"] ?? {})).toEqual(["@resvg/resvg-js"])
    const scripts = Object.keys(manifest["scripts"] ?? {})
    expect(scripts.filter((script) => /^(?:pre|post)?install$/.test(script))).toEqual([])
  })

  it("has no dead link in its documentation: links lead to files that it holds, or by the repository's URL to files that this tree has", () => {
    const unpacked = join(folder, "unpacked")
    mkdirSync(unpacked)
    execFileSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"])
    const repository = "https://github.com/docgauge/docgauge/blob/main/"
    const pages = globSync(["*.md", "docs/**/*.md"], { cwd: unpacked })
    const links = pages.flatMap((page) =>
      [
        ...readFileSync(join(unpacked, page), "utf8")
          .replaceAll(/^ *```[^]*?^ *```$/gmu, "")
          .matchAll(/\]\(([^)\s#]+)/gu)
      ].map(([, href = ""]) => ({ page, href }))
    )
    expect(links.length).toBeGreaterThan(50)
    expect(
      links.filter(({ href, page }) =>
        href.startsWith(repository)
          ? !existsSync(join(ROOT, href.slice(repository.length)))
          : !/^(?:https?|mailto):/u.test(href) && !existsSync(join(unpacked, dirname(page), href))
      )
    ).toEqual([])
  })

  it("holds what runs, its types, its rubric, its documentation and its licences, and no sources", () => {
    const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((file) => file.replace("package/", ""))
    const must = [
      "LICENSE",
      "README.md",
      "CHANGELOG.md",
      "docs/README.md",
      "docs/cli.md",
      "docs/configuration.md",
      "docs/ci.md",
      "docs/house-rules.md",
      "docs/library.md",
      "docs/fix.md",
      "dist/docgauge.cjs",
      "dist/lib/main.js",
      "dist/rubric.yaml",
      "dist/rubric.schema.json",
      "dist/config.schema.json",
      "dist/report.schema.json",
      "dist/THIRD-PARTY-NOTICES.txt",
      "dist/sbom.cdx.json"
    ]
    expect(must.filter((file) => !files.includes(file))).toEqual([])
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([])
    expect(
      files.filter((file) => /^(?!dist\/|docs\/|LICENSE$|README\.md$|CHANGELOG\.md$|package\.json$)/.test(file))
    ).toEqual([])
  })
})

/** Serves from memory, auditing nothing but a port without a server, as long as something is done with its address. */
const serving = async (project: string, use: (url: string) => Promise<void>): Promise<void> => {
  const child = spawn(process.execPath, [programIn(project), "serve", "--port", "0", "--database-url", "memory:"], {
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
  const project = alone

  it("brings nothing else", () => {
    const installed = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))
    expect(installed).toEqual(["docgauge"])
  })

  it("tells its version, and explains itself", async () => {
    expect((await run("npx", ["--no-install", "--loglevel=error", "docgauge", "--version"], project)).stdout).toMatch(
      /^docgauge \d+\.\d+\.\d+\n$/
    )
    expect((await docgauge(project, "--help")).stdout).toContain("--min-score")
  })

  it.skipIf(OLD_NODE === null)("says in one line what is needed where Node is too old, and ends with 2", async () => {
    const { code, stderr, stdout } = await run(
      OLD_NODE ?? "",
      [join(project, "node_modules/.bin/docgauge"), "https://docs.example.com"],
      project
    )
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      expect.stringMatching(/^docgauge: Node\.js 22\.19 or later is needed, and this is [\d.]+\. .*\n$/)
    ])
  })

  it("is a library whose types need no other package", async () => {
    writeFileSync(join(project, "use.mts"), USE)
    const checked = await run(
      join(ROOT, "node_modules/.bin/tsc"),
      [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "false",
        "--types",
        "",
        "--lib",
        "es2024,dom",
        "--module",
        "nodenext",
        "use.mts"
      ],
      project
    )
    expect(checked).toMatchObject({ code: 0, stdout: "" })
    const used = await run(process.execPath, ["use.mts"], project)
    expect([used.code, used.stderr, used.stdout]).toEqual([0, "", "usage\n"])
  })

  it("audits a site as the program of all other tests does, without any database", async () => {
    const audited = (program: string): Promise<Finished> =>
      auditing((args) => run(process.execPath, [program, ...args], project))
    const packaged = await audited(programIn(project))
    const built = await audited(PROGRAM)
    expect({ code: packaged.code, stderr: packaged.stderr }).toEqual({ code: 0, stderr: "" })
    expect(verdicts(packaged)).toEqual(verdicts(built))
  })

  it("serves from an SQLite file with Node's own SQLite, and says what else there is", async () => {
    const { health, log } = await servingFromFile(project, ownNode(folder))
    expect(health).toBe(200)
    expect(log.filter((line) => line.includes("npm install sqlite3"))).toHaveLength(1)
    expect(log.join("\n")).not.toMatch(/ExperimentalWarning|"level":"(?:warn|error)"/)
  })

  it("serves its documentation, whole", () =>
    serving(project, async (url) => {
      const read = async (path: string): Promise<string> => {
        const answer = await fetch(url + path)
        expect([path, answer.status]).toEqual([path, 200])
        return answer.text()
      }
      const listed = [...(await read("/llms.txt")).matchAll(/\]\(http:\/\/localhost:8080(\/docs\/v1\/[^)]+)\)/g)].map(
        ([, path = ""]) => path
      )
      expect(listed.length).toBeGreaterThan(30)
      for (const path of listed) await read(path)
      const assets = [...(await read("/docs/v1/reference")).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
        ([, path = ""]) => path
      )
      expect(assets.some((path) => path.startsWith("/assets/docs-"))).toBe(true)
      for (const path of assets) await read(path)
    }))

  it("draws share images where @resvg/resvg-js is installed, and says so where it is not", async () => {
    const image = async (url: string): Promise<readonly [status: number, type: string | null]> => {
      const accepted = await fetch(`${url}/audit?async=true`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ base_url: "https://docs.example.com" })
      })
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
    const finished = await auditing((args) => docgauge(project, ...args, "--rubric", "rubric.yaml", "--allow-plugins"))
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: "" })
    expect(verdicts(finished)).toEqual([100, [["A1", "present"]]])
  })
})

describe("a plugin's package", () => {
  const project = emptyProject(folder, "rules")
  const check = (...files: ReadonlyArray<string>): Promise<Finished> =>
    run(
      join(ROOT, "node_modules/.bin/tsc"),
      [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "false",
        "--allowJs",
        "--checkJs",
        "--types",
        "",
        "--lib",
        "es2024,dom",
        "--module",
        "nodenext",
        ...files
      ],
      project
    )

  beforeAll(() => copyInto(project))

  it("as docgauge plugin new writes it, compiles without effect and without the types of Node", async () => {
    const made = await docgauge(project, "plugin", "new", "has-glossary")
    expect(made).toMatchObject({ code: 0, stderr: "" })
    expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["docgauge"])
    expect(await check("has-glossary/index.js", "has-glossary/index.test.js")).toMatchObject({ code: 0, stdout: "" })
  })

  it("is checked against the types of facts and parameters", async () => {
    writeFileSync(join(project, "titled.mjs"), TITLED)
    writeFileSync(
      join(project, "wrong.mjs"),
      TITLED.replace("facts: { titled }, findings", "facts: { titles: titled }, findings")
    )
    const { stdout } = await check("titled.mjs", "wrong.mjs")
    expect(stdout.match(/^\w+\.mjs/gm)).toEqual(["wrong.mjs"])
    expect(stdout).toMatch(/^wrong\.mjs\(.*'titled' is missing/s)
  })
})

describe("beside older versions of the packages that it can use", () => {
  let project = ""

  const has = (name: string, version: string, files: Readonly<Record<string, string>>): void => {
    const home = join(project, "node_modules", name)
    mkdirSync(home, { recursive: true })
    writeFileSync(
      join(home, "package.json"),
      JSON.stringify({
        name,
        version,
        type: "module",
        exports: { "./package.json": "./package.json", ".": "./index.js", "./*": "./index.js" }
      })
    )
    for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), text)
  }

  beforeAll(() => {
    project = emptyProject(folder, "older")
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({
        name: "project",
        version: "1.0.0",
        private: true,
        dependencies: { effect: "^3.19.8", sqlite3: "^5.1.7", vitest: "^3.2.4" }
      })
    )
    has("effect", "3.19.8", { "index.js": "export const TaggedError = () => class {}" })
    has("sqlite3", "5.1.7", { "index.js": "throw new Error('loaded')" })
    has("vitest", "3.2.4", { "index.js": "export const describe = () => {}, expect = describe, test = describe" })
    install(project)
  })

  it("is installed", () => expect(readdirSync(join(project, "node_modules"))).toContain("docgauge"))

  it.each([
    ["docgauge/effect", "effect 4.1", "3.19.8"],
    ["docgauge/testing", "vitest 5.0", "3.2.4"]
  ])("says in one sentence what %s needs", async (entry, needed, version) => {
    const { stdout } = await run(
      process.execPath,
      ["--input-type=module", "-e", `await import("${entry}").catch(({ message }) => console.log(message))`],
      project
    )
    expect(stdout).toMatch(new RegExp(`^${entry} needs ${needed} or later, and ${version} is installed: .*\\n$`))
  })

  it("serves from an SQLite file with Node's own SQLite, and says which sqlite3 it needs", async () => {
    const { health, log } = await servingFromFile(project, ownNode(folder))
    expect(health).toBe(200)
    expect(log.filter((line) => line.includes("needs sqlite3 6.0 or later, and 5.1.7 is installed"))).toHaveLength(1)
  })
})

describe("beside its user's own effect", () => {
  let project = ""

  beforeAll(() => {
    project = emptyProject(folder, "client")
    copyInto(project)
    symlinkSync(join(ROOT, "node_modules/effect"), join(project, "node_modules/effect"))
  })

  it("docgauge/effect is run by it, and its types are its", async () => {
    writeFileSync(join(project, "effects.mts"), EFFECTS)
    expect(await run(process.execPath, ["effects.mts"], project)).toEqual({ code: 0, stdout: "usage\n", stderr: "" })
    const checked = await run(
      join(ROOT, "node_modules/.bin/tsc"),
      [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "--types",
        "",
        "--lib",
        "es2024,dom",
        "--module",
        "nodenext",
        "effects.mts"
      ],
      project
    )
    expect(checked).toMatchObject({ code: 0, stdout: "" })
  })

  it("the typed client is run by it", async () => {
    writeFileSync(join(project, "client.mjs"), CLIENT)
    expect(await run(process.execPath, ["client.mjs"], project)).toEqual({
      code: 0,
      stdout: "HttpClientError\n",
      stderr: ""
    })
  })
})

const EFFECTS = `
import { audit, type AuditReport } from "docgauge/effect"
import { Effect } from "effect"

const asked: Effect.Effect<string> = audit("ftp://docs.example.com").pipe(
  Effect.map(({ verdict }: AuditReport) => verdict),
  Effect.catchTag("AuditFailed", ({ reason }) => Effect.succeed(reason))
)
console.log(await Effect.runPromise(asked))
`

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

const HOUSE_RUBRIC = `${HOUSE_RUBRIC_HEADER}      - id: A1
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
