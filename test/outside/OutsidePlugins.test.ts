import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import { flagTexts } from "../../engine/audit/render/FlagText.ts"
import type { RubricInvalid } from "../../engine/rubric/source/Problem.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { outsidePlugins } from "../../engine/outside/OutsidePlugins.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { type NamedPlugin, OUTSIDE_RUBRIC_FILE, rubricOf } from "./OutsideRubric.ts"

const GLOSSARY: NamedPlugin = {
  plugin: "./has-glossary.ts",
  revision: 3,
  params: "{ least: 1 }",
  when: "facts.glossary"
}
const ENDLESS = new Set([
  "asksForever",
  "asksForMuchAtOnce",
  "asksSlowly",
  "waits",
  "sleepsForEver",
  "fillsItsHeap",
  "fillsBuffers",
  "sendsNoMessage",
  "citesHalfAnExchange"
])
const misbehaving = (name: string): NamedPlugin => ({
  plugin: `./${ENDLESS.has(name) ? "endless" : "misbehaving"}.ts#${name}`,
  revision: 1,
  params: "{}",
  when: "facts.found >= 1"
})

const load = (bytes: Uint8Array, allow: boolean, seconds = "60", file = OUTSIDE_RUBRIC_FILE) =>
  Effect.flatMap(outsidePlugins(bytes, file, allow), (plugins) => loadRubric(bytes, file, plugins)).pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord({ DOCGAUGE_PLUGIN_SECONDS: seconds })
    )
  )

const problemsOf = (bytes: Uint8Array, allow: boolean, file = OUTSIDE_RUBRIC_FILE) =>
  Effect.runPromise(
    Effect.match(load(bytes, allow, "60", file), {
      onFailure: (error: RubricInvalid | Config.ConfigError) =>
        error._tag === "RubricInvalid"
          ? error.problems.map(({ hint, line, message }) => `${line}: ${message}: ${hint ?? ""}`)
          : [error.message],
      onSuccess: () => []
    })
  )

const SITE: FakeSite = {
  "/": `<html lang="en"><title>Docs</title><main><h1>Docs</h1><p>${"A documentation page with enough text. ".repeat(8)}</p></main></html>`,
  "/glossary":
    "<title>Glossary of terms</title><main><h1>Glossary</h1><p>Word: what it means, in some words.</p></main>"
}

const audit = (bytes: Uint8Array, seconds?: string, file?: string) =>
  Effect.flatMap(load(bytes, true, seconds, file), (rubric) =>
    runAudit({ url: FAKE_HOST, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric })
  ).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(SITE), ParserPool.layerInline)), Effect.runPromise)

// Most of them wait for a limit of time.
describe("plugins from outside", { concurrent: true }, () => {
  it("are refused unless they are allowed, with the flag that allows them", async () => {
    expect(await problemsOf(rubricOf([GLOSSARY]), false)).toEqual([
      '15: the plugin "./has-glossary.ts" cannot be used: external plugins run only with --allow-plugins (a service: DOCGAUGE_ALLOW_PLUGINS=true)'
    ])
  })

  it("measure through the evidence door, and are judged like our own", async () => {
    const { journal, report } = await audit(rubricOf([GLOSSARY]))
    expect(report.criteria[0]).toMatchObject({
      id: "A1",
      score: 100,
      summary: "Glossary of terms is a glossary.",
      measured: { facts: { glossary: true }, revision: 3 }
    })
    expect(journal.some(({ request }) => request.asked.url === `${FAKE_HOST}/glossary`)).toBe(true)
    expect(report.reliability.flags).not.toContain("plugin_failed")
  })

  it.each([
    ["throws", "the author forgot a case"],
    ["exits", "its thread ended without a result"],
    ["lies", 'its fact "found" is no count'],
    ["exaggerates", 'the uncertain values of its fact "found" are invalid']
  ])("one that %s is inconclusive, flagged, and the audit goes on", async (name, message) => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving(name)]))
    expect(report.criteria.map(({ status }) => status)).toEqual(["present", "inconclusive"])
    expect(report.criteria[1]?.summary).toContain(message)
    expect(report.reliability.flags).toContain("plugin_failed")
    expect(flagTexts(report).join("\n")).toMatch(
      new RegExp(`^A plugin failed, .* A2: The plugin \\./misbehaving\\.ts#${name} failed: .*${message}`, "m")
    )
  })

  it("one whose level depends on missing responses is inconclusive, with what its facts may be", async () => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving("hesitates")]))
    expect(report.criteria[1]).toMatchObject({
      status: "inconclusive",
      score: 0,
      measured: { facts: { found: 0 }, uncertain: { found: { at_least: 0, at_most: 1 } } }
    })
    expect(report.criteria[1]?.summary).toContain("The result depends on what we could not read")
    expect(report.reliability.flags).not.toContain("plugin_failed")
  })

  it("one that fails to read what it got is not called a file with a mistake, and is named whatever its path", async () => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving("parses")]))
    expect(report.criteria[1]?.summary).toMatch(/ failed: Unexpected token .* is not valid JSON\.?$/)
    const criteria = report.criteria.map((criterion) => ({
      ...criterion,
      summary: criterion.summary.replace("./misbehaving.ts", "./house rules/misbehaving.ts")
    }))
    expect(flagTexts({ ...report, criteria }).join("\n")).toContain(
      "A2: The plugin ./house rules/misbehaving.ts#parses failed: "
    )
  })

  it("one whose file has a mistake is a problem of the rubric, which tells how to see it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-mistake-"))
    writeFileSync(join(folder, "mistake.mjs"), "export const rule = {")
    const [problem] = await problemsOf(
      rubricOf([{ ...GLOSSARY, plugin: "./mistake.mjs" }]),
      true,
      join(folder, "rubric.yaml")
    )
    rmSync(folder, { recursive: true })
    expect(problem).toContain(`(to see where: node ${join(folder, "mistake.mjs")})`)
  })

  it("one that cites what was not fetched is refused, whatever it measured", async () => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving("invents")]))
    expect(report.criteria[1]).toMatchObject({
      status: "inconclusive",
      score: 0,
      evidence_url: `${FAKE_HOST}/`,
      summary: `The plugin of A2 cites ${FAKE_HOST}/made-up, which was not fetched; its result is not used.`
    })
    expect(report.reliability.flags).toContain("plugin_failed")
  })

  it.each([
    ["fetches", "it uses fetch: a plugin reads the site and nothing else"],
    ["loadsFiles", "it uses process.getBuiltinModule: a plugin reads the site and nothing else"]
  ])("one that %s is inconclusive: it has the site and nothing else", async (name, message) => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving(name)]))
    expect(report.criteria.map(({ status }) => status)).toEqual(["present", "inconclusive"])
    expect(report.criteria[1]?.summary).toContain(message)
  })

  it("one that imports the file system is refused when the rubric loads", async () => {
    const plugin = { plugin: "./reads-files.ts", revision: 1, params: "{}", when: "facts.found >= 1" }
    expect(await problemsOf(rubricOf([plugin]), true)).toEqual([
      expect.stringContaining("it uses node:fs: a plugin reads the site and nothing else")
    ])
  })

  it("one that looks for the environment finds none", async () => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving("readsEnvironment")]))
    expect(report.criteria[1]).toMatchObject({ status: "absent", measured: { facts: { found: 0 } } })
  })

  it("one that only waits is not ended at the limit of its CPU time: a thread on a busy machine waits, too", async () => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving("waits")]))
    expect(report.criteria[1]).toMatchObject({ status: "present", measured: { facts: { found: 1 } } })
  }, 120_000)

  it("one that never gives its thread back is ended", async () => {
    const { report } = await audit(rubricOf([GLOSSARY, misbehaving("loops")]))
    expect(report.criteria[1]).toMatchObject({
      status: "inconclusive",
      summary:
        "The plugin ./misbehaving.ts#loops failed: it used more than 10 s of CPU time without a request to the site."
    })
    expect(report.total_score).toBe(90)
  }, 240_000)

  it.each([
    ["asksForever", /: it made more than 1,000 calls\.$/],
    ["asksForMuchAtOnce", /: it made more than 1,000 calls\.$/],
    // A loaded machine may need more than ten seconds to fill a heap, and collects garbage instead of telling its time.
    [
      "fillsItsHeap",
      /: it (?:needed more than 144 MB of memory|used more than 10 s of CPU time without a request to the site|made no request to the site for 10 s)\.$/
    ],
    ["fillsBuffers", /: its buffers needed more than 256 MB of memory\.$/],
    ["sendsNoMessage", /: it sent an invalid result\.$/],
    ["citesHalfAnExchange", /: it sent an invalid result\.$/]
  ])(
    "one that %s is ended alone: the others measure as if it were not there",
    async (name, message) => {
      const { report } = await audit(rubricOf([GLOSSARY, misbehaving(name), GLOSSARY]))
      expect(report.criteria.map(({ status }) => status)).toEqual(["present", "inconclusive", "present"])
      expect(report.criteria[1]?.summary).toMatch(message)
      expect(report.reliability.flags).toContain("plugin_failed")
    },
    120_000
  )

  it.each(["asksSlowly", "sleepsForEver"])(
    "one that uses hardly any CPU time and never ends (%s) is ended after three times its limit",
    async (name) => {
      const { report } = await audit(rubricOf([GLOSSARY, misbehaving(name)]), "7")
      expect(report.criteria.map(({ status }) => status)).toEqual(["present", "inconclusive"])
      expect(report.criteria[1]?.summary).toBe(`The plugin ./endless.ts#${name} failed: it took more than 21 s.`)
    },
    120_000
  )

  it.each(["0", "601", "1.5", "a minute"])("have a limit of time that is refused where it is %j", async (seconds) => {
    const failure = await Effect.runPromise(Effect.flip(load(rubricOf([GLOSSARY]), true, seconds)))
    expect(failure.message).toContain("DOCGAUGE_PLUGIN_SECONDS: give a whole number of seconds, 1 to 600")
  })

  it("that have got more facts serve a rubric of before, and reports have the revision up to the dot", async () => {
    const { report } = await audit(
      rubricOf([
        { ...misbehaving("renewed"), revision: 2 },
        { ...misbehaving("renewed"), revision: "2.1" }
      ])
    )
    expect(report.criteria.map(({ measured }) => measured)).toMatchObject([
      { revision: 2, facts: { found: 0 } },
      { revision: 2, facts: { found: 0 } }
    ])
  })

  it("are held to their revision, params and facts when the rubric loads", async () => {
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, revision: 2 }]), true)).toEqual([
      expect.stringContaining("the plugin is at revision 3, the rubric at 2")
    ])
    expect(await problemsOf(rubricOf([{ ...misbehaving("fractional"), revision: 2 }]), true)).toEqual([
      expect.stringContaining(
        'cannot be used: its revision is 2.1, and must be a whole number such as 2, or text in quotes such as "2.1"'
      )
    ])
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, params: "{ least: many }" }]), true)).toEqual([
      expect.stringContaining('"least": expected')
    ])
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, when: "facts.glosary" }]), true)).toEqual([
      expect.stringContaining("glosary")
    ])
  })

  describe("in a package that is installed in the rubric's folder", () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-outside-"))
    afterAll(() => rmSync(folder, { recursive: true }))
    const file = join(folder, "rubric.yaml")
    const entry = `export * from ${JSON.stringify(pathToFileURL(join(dirname(OUTSIDE_RUBRIC_FILE), "has-glossary.ts")).href)}`

    /** Installs @acme/criteria with these exports, of which each file is the same plugin. */
    const install = (name: string, exports: unknown, ...files: ReadonlyArray<string>): void => {
      const home = join(folder, "node_modules", name)
      mkdirSync(home, { recursive: true })
      writeFileSync(
        join(home, "package.json"),
        JSON.stringify({
          name,
          version: "1.0.0",
          type: "module",
          ...(exports === undefined ? { main: files[0] } : { exports })
        })
      )
      for (const path of files) writeFileSync(join(home, path), entry)
    }

    it.each([
      ["for import alone", "@acme/imported", { ".": { import: "./index.js" } }],
      [
        "by a condition of its own for Node",
        "@acme/for-node",
        { node: { import: "./index.js" }, default: "./none.js" }
      ],
      ["for import and require", "@acme/both", { import: "./index.js", require: "./none.cjs" }],
      ["for all", "@acme/all", "./index.js"],
      ["without exports", "@acme/main", undefined]
    ])("measure, if it exports them %s", async (_, name, exports) => {
      install(name, exports, "index.js")
      const { report } = await audit(rubricOf([{ ...GLOSSARY, plugin: `${name}#hasGlossary` }]), undefined, file)
      expect(report.criteria[0]).toMatchObject({ id: "A1", score: 100, summary: "Glossary of terms is a glossary." })
    })

    it("may be those of a subpath, and are named as missing where the package does not export it", async () => {
      install("@acme/paths", { "./rules/*": { import: "./*.js" } }, "glossary.js")
      const { report } = await audit(
        rubricOf([{ ...GLOSSARY, plugin: "@acme/paths/rules/glossary#hasGlossary" }]),
        undefined,
        file
      )
      expect(report.total_score).toBe(100)
      expect(await problemsOf(rubricOf([{ ...GLOSSARY, plugin: "@acme/paths#hasGlossary" }]), true, file)).toEqual([
        expect.stringContaining('the package of "@acme/paths" is installed, but does not export that')
      ])
    })
  })

  it("that are not there, or not named, are a problem of the rubric", async () => {
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, plugin: "./nothing-here.ts" }]), true)).toEqual([
      expect.stringContaining("cannot be used")
    ])
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, plugin: "./misbehaving.ts" }]), true)).toEqual([
      expect.stringContaining("has several and the rubric names none")
    ])
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, plugin: "@acme/not-installed#x" }]), true)).toEqual([
      expect.stringContaining("is not installed")
    ])
  })
})
