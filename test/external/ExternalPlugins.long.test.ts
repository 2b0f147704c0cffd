import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import { flagTexts } from "../../engine/report/SectionWords.ts"
import type { RubricInvalid } from "../../engine/rubric/source/Problem.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { externalPlugins, resolveExternal } from "../../engine/external/ExternalPlugins.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { type NamedPlugin, OUTSIDE_RUBRIC_FILE, rubricOf } from "./ExternalRubric.ts"

const GLOSSARY: NamedPlugin = {
  plugin: "./has-glossary.ts",
  revision: 3,
  params: "{ least: 1 }",
  when: "facts.glossary"
}

const misbehaving = (name: string): NamedPlugin => ({
  plugin: `./misbehaving.ts#${name}`,
  revision: 1,
  params: "{}",
  when: "facts.found >= 1"
})

const load = (bytes: Uint8Array, allow: boolean, seconds = "60", file = OUTSIDE_RUBRIC_FILE) =>
  Effect.flatMap(externalPlugins(bytes, file, allow), (plugins) => loadRubric(bytes, file, plugins)).pipe(
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

/** The first problem of a rubric whose plugin is a file with this text, and the path of that file; `others`: files beside it. */
const problemOf = async (text: string, others: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-rule-"))
  for (const [path, content] of Object.entries({ "rule.mjs": text, ...others })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const [problem] = await problemsOf(
    rubricOf([{ ...GLOSSARY, plugin: "./rule.mjs" }]),
    true,
    join(folder, "rubric.yaml")
  )
  rmSync(folder, { recursive: true })
  return { file: join(folder, "rule.mjs"), problem }
}

const SITE: FakeSite = {
  "/": `<html lang="en"><title>Docs</title><meta name="owner" content="Docs team"><main><a href="/openapi.json">OpenAPI</a><h1>Docs</h1><p>${"A documentation page with enough text. ".repeat(8)}</p></main></html>`,
  "/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1", "x-owner": "Docs team" },
    paths: { "/orders": { get: { responses: {} } } }
  }),
  "/glossary":
    "<title>Glossary of terms</title><main><h1>Glossary</h1><p>Word: what it means, in some words.</p></main>"
}

const helped = (name: string, params: string, when: string): NamedPlugin => ({
  plugin: `./helped.ts#${name}`,
  revision: 1,
  params,
  when
})

const HELPED = [
  helped("has-owner", "{ name: owner }", "facts.matching > 0.5"),
  helped("info-owner", "{}", "facts.matching == 1.0"),
  helped("waits", "{}", "facts.found > 0")
]

/** Makes it when it is first asked for. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}

const audit = (bytes: Uint8Array, file?: string) =>
  Effect.flatMap(load(bytes, true, "60", file), (rubric) =>
    runAudit({ url: FAKE_HOST, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric })
  ).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(SITE), ParserPool.layerInline)), Effect.runPromise)

const FAULTY = [
  "throws",
  "exits",
  "lies",
  "exaggerates",
  "invents",
  "parses",
  "fetches",
  "loadsFiles",
  "promises",
  "requests",
  "selects",
  "unproved"
]

describe("external plugins", () => {
  // One audit for all of them: each plugin is loaded twice, in threads of its own.
  const faulty = once(() => audit(rubricOf([GLOSSARY, ...FAULTY.map(misbehaving)])))
  const sound = once(() =>
    audit(
      rubricOf([
        GLOSSARY,
        ...["hesitates", "readsEnvironment"].map(misbehaving),
        { ...misbehaving("renewed"), revision: 2 },
        { ...misbehaving("renewed"), revision: "2.1" },
        ...HELPED
      ])
    )
  )
  /** The criterion of a plugin that goes wrong. */
  const faultyOne = async (name: string) => (await faulty()).report.criteria[1 + FAULTY.indexOf(name)]

  it("are refused unless they are allowed, with the flag that allows them", async () => {
    expect(await problemsOf(rubricOf([GLOSSARY]), false)).toEqual([
      '15: the plugin "./has-glossary.ts" cannot be used: external plugins run only with --allow-plugins (a service: DOCGAUGE_ALLOW_PLUGINS=true)'
    ])
  })

  it("measure through the evidence door, and are judged like our own", async () => {
    const { journal, report } = await sound()
    expect(report.criteria[0]).toMatchObject({
      id: "A1",
      status: "present",
      summary: "Glossary of terms is a glossary.",
      measured: { facts: { glossary: true }, revision: 3 }
    })
    expect(journal.some(({ request }) => request.asked.url === `${FAKE_HOST}/glossary`)).toBe(true)
    expect(report.reliability.flags).not.toContain("plugin_failed")
  })

  it("select elements, read the API description and wait for the site in an async function, all through the engine", async () => {
    const { report } = await sound()
    expect(report.criteria.slice(5).map(({ measured: { facts } }) => facts)).toEqual([
      { pages: 1, matching: 1 },
      { found: true, places: 1, matching: 1 },
      { found: 1 }
    ])
    expect(report.criteria.slice(5).map(({ summary }) => summary)).toEqual([
      "The sampled page meets the rule.",
      "/info of the API description meets the rule (/openapi.json).",
      "Found."
    ])
  })

  it.each([
    ["throws", "the author forgot a case (misbehaving.ts:"],
    ["parses", /is not valid JSON \(misbehaving\.ts:\d+:\d+\)\.$/],
    ["promises", 'its fact "found" is a promise: await it'],
    ["requests", "it requests https://docs.example.com/terms, and its budget has no requests"],
    ["selects", 'the selector "a:hover" cannot be read from ":hover" on'],
    ["unproved", "finding 1 has no proof: give the answer that shows it, such as page.answer"]
  ])("one that %s is told what to mend, and where in its own code", async (name, said) => {
    const criterion = await faultyOne(name)
    expect(criterion?.status).toBe("inconclusive")
    expect(criterion?.summary).toMatch(said)
  })

  it("one whose budget lacks a key is told which", async () => {
    expect(await problemsOf(rubricOf([misbehaving("halfABudget")]), true)).toEqual([
      expect.stringContaining("it sent an invalid result: budget.megabytes: missing key")
    ])
  })

  it.each([
    ["throws", "the author forgot a case"],
    ["exits", "its thread ended without a result"],
    ["lies", 'its fact "found" is no count'],
    ["exaggerates", 'the uncertain values of its fact "found" are invalid']
  ])("one that %s is inconclusive, flagged, and the audit goes on", async (name, message) => {
    const { report } = await faulty()
    const criterion = await faultyOne(name)
    expect(criterion?.status).toBe("inconclusive")
    expect(criterion?.summary).toContain(message)
    expect(report.criteria[0]?.status).toBe("present")
    expect(report.reliability.flags).toContain("plugin_failed")
    expect(flagTexts(report).join("\n")).toMatch(
      new RegExp(
        `^A plugin failed, .*${criterion?.id}: The plugin \\./misbehaving\\.ts#${name} failed: .*${message}`,
        "m"
      )
    )
  })

  it("one whose level depends on missing responses is inconclusive, with what its facts may be", async () => {
    const { report } = await sound()
    expect(report.criteria[1]).toMatchObject({
      status: "inconclusive",
      score: 0,
      measured: { facts: { found: 0 }, uncertain: { found: { at_least: 0, at_most: 1 } } }
    })
    expect(report.criteria[1]?.summary).toContain("The result depends on what we could not read")
    expect(report.reliability.flags).not.toContain("plugin_failed")
  })

  it("one that fails to read what it got is not called a file with a mistake, and is named whatever its path", async () => {
    const { report } = await faulty()
    const parses = await faultyOne("parses")
    expect(parses?.summary).toMatch(/ failed: Unexpected token .* is not valid JSON \(misbehaving\.ts:\d+:\d+\)\.$/)
    const criteria = report.criteria.map((criterion) => ({
      ...criterion,
      summary: criterion.summary.replace("./misbehaving.ts", "./house rules/misbehaving.ts")
    }))
    expect(flagTexts({ ...report, criteria }).join("\n")).toContain(
      `${parses?.id}: The plugin ./house rules/misbehaving.ts#parses failed: `
    )
  })

  it("one whose file has a mistake is a problem of the rubric, which tells how to see it", async () => {
    const { file, problem } = await problemOf("export const rule = {")
    expect(problem).toContain(`(to see where: node ${file})`)
  })

  it("one that is not finished is told what it lacks", async () => {
    const { problem } = await problemOf(
      'export const rule = { id: "rule", revision: 1, facts: {}, measure: () => null }'
    )
    expect(problem).toContain('its export "rule" lacks params; a plugin without params has params: Schema.Struct({})')
  })

  it("one that imports from the package itself is told from where instead", async () => {
    const { problem } = await problemOf('import { Schema } from "docgauge"\nexport const rule = Schema', {
      "node_modules/docgauge/package.json": '{ "name": "docgauge", "type": "module", "exports": "./library.js" }',
      "node_modules/docgauge/library.js": "export const audit = 1"
    })
    expect(problem).toContain('import it from "docgauge/plugin" instead')
  })

  it("one that cites what was not fetched is refused, whatever it measured", async () => {
    const invents = await faultyOne("invents")
    expect(invents).toMatchObject({
      status: "inconclusive",
      score: 0,
      evidence_url: `${FAKE_HOST}/`,
      summary: `The plugin of ${invents?.id} cites ${FAKE_HOST}/made-up, which was not fetched; its result is not used.`
    })
  })

  it.each([
    ["fetches", "it uses fetch: a plugin reads the site and nothing else"],
    ["loadsFiles", "it uses process.getBuiltinModule: a plugin reads the site and nothing else"]
  ])("one that %s is inconclusive: it has the site and nothing else", async (name, message) => {
    const criterion = await faultyOne(name)
    expect(criterion?.status).toBe("inconclusive")
    expect(criterion?.summary).toContain(message)
  })

  it("one that imports the file system is refused when the rubric loads", async () => {
    const plugin = { plugin: "./reads-files.ts", revision: 1, params: "{}", when: "facts.found >= 1" }
    expect(await problemsOf(rubricOf([plugin]), true)).toEqual([
      expect.stringContaining("it uses node:fs: a plugin reads the site and nothing else")
    ])
  })

  it("one that looks for the environment finds none", async () => {
    const { report } = await sound()
    expect(report.criteria[2]).toMatchObject({ status: "absent", measured: { facts: { found: 0 } } })
  })

  it.each(["0", "601", "1.5", "a minute"])("have a limit of time that is refused where it is %j", async (seconds) => {
    const failure = await Effect.runPromise(Effect.flip(load(rubricOf([GLOSSARY]), true, seconds)))
    expect(failure.message).toContain("DOCGAUGE_PLUGIN_SECONDS: give a whole number of seconds, 1 to 600")
  })

  it("that have got more facts serve a rubric of before, and reports have the revision up to the dot", async () => {
    const { report } = await sound()
    expect(report.criteria.slice(3, 5).map(({ measured }) => measured)).toMatchObject([
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
    ])("are found, if it exports them %s", (_, name, exports) => {
      install(name, exports, "index.js")
      expect(Result.getOrThrow(resolveExternal(`${name}#hasGlossary`, file)).module.pathname).toMatch(
        new RegExp(`/node_modules/${name}/index\\.js$`)
      )
    })

    it("measure, may be those of a subpath, and are named as missing where the package does not export it", async () => {
      install("@acme/paths", { "./rules/*": { import: "./*.js" } }, "glossary.js")
      const { report } = await audit(
        rubricOf([{ ...GLOSSARY, plugin: "@acme/paths/rules/glossary#hasGlossary" }]),
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
      expect.stringContaining('has several and the rubric names none; write one of them behind a "#": ')
    ])
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, plugin: "./helped.ts#has-owners" }]), true)).toEqual([
      expect.stringContaining('the module has no plugin "has-owners"; it has has-owner, info-owner, waits')
    ])
    expect(await problemsOf(rubricOf([{ ...GLOSSARY, plugin: "@acme/not-installed#x" }]), true)).toEqual([
      expect.stringContaining("is not installed")
    ])
  })
})
