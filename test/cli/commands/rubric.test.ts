import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import AjvDraft04 from "ajv-draft-04"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { renderSarif } from "../../../cli/commands/rubric/check.ts"
import { checkRubric, type Lint } from "../../../engine/rubric/RubricFile.ts"
import { checkDiagnostics } from "../../../engine/rubric/lint/CheckRules.ts"
import { ownEvidence } from "../../../engine/rubric/Evidence.ts"
import { edited, smallPlugins, smallRubric } from "../../rubric/smallRubric.ts"
import { runCli } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const ROOT = resolve(import.meta.dirname, "../../..")
const own = readFileSync(join(ROOT, "rubric.yaml"), "utf8")
const folder = mkdtempSync(join(tmpdir(), "docgauge-rubric-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The rubric of this tree with three mistakes, on lines that are told. */
const spoilt = edited(
  "title: Publish an llms.txt",
  "tilte: Publish an llms.txt",
  edited("with_twin >= 0.9", "with_twins >= 0.9", edited("effort: hours", "effort: hour", own))
)

const evidence = await Effect.runPromise(ownEvidence)

const problemsOf = (text: string, lint: Lint = checkDiagnostics(evidence)) =>
  Effect.runPromise(
    Effect.match(checkRubric(new TextEncoder().encode(text), "rubrics/my rubric.yaml", smallPlugins, lint), {
      onFailure: ({ problems }) => problems,
      onSuccess: ({ warnings }) => warnings
    })
  )

describe("docgauge rubric check", () => {
  it("says that a rubric is valid, and exits with 0", async () => {
    const { code, stderr, stdout } = await runCli(["rubric", "check"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/^docs-ai-readiness \d+\.\d+\.\d+ is valid: 30 criteria.*, sha256:[0-9a-f]{64}\n$/)
  })

  it("fails where a text of the published rubric has a number that is none of its criterion's own", async () => {
    const path = file(
      "parted.yaml",
      edited("title: Publish an llms.txt", "title: Publish an llms.txt within 99 days", own)
    )
    const { code, stderr } = await runCli(["rubric", "check", path])
    expect([code, stderr]).toEqual([2, expect.stringContaining("99 is no number of this criterion's levels")])
  })

  it("tells every mistake in file order with its place, a frame and the nearest name, and exits 2", async () => {
    const path = file("spoilt.yaml", spoilt)
    const { code, stderr, stdout } = await runCli(["rubric", "check", path])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    const places = [...stderr.matchAll(/^.*spoilt\.yaml:(\d+):\d+: (.*)$/gm)].map(([, line, message]) => [
      Number(line),
      message
    ])
    expect(places.map(([, message]) => message)).toEqual([
      'unknown key "tilte"',
      '"effort" cannot be "hour"',
      'the plugin has no fact "with_twins"'
    ])
    expect(places.map(([line]) => line)).toEqual(
      places.map(([line]) => Number(line)).toSorted((one, other) => one - other)
    )
    expect(stderr).toContain('did you mean "title"?')
    expect(stderr).toMatch(/\| +\^{5}/)
  })

  it("gives the same problems as JSON", async () => {
    const { code, stdout } = await runHere(["rubric", "check", file("spoilt.yaml", spoilt), "--format", "json"])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [{ rule: "unknown_key" }, { rule: "value", hint: 'did you mean "hours"?' }, { rule: "condition" }]
    })
  })

  it("says which file cannot be read", async () => {
    const { code, stderr } = await runHere(["rubric", "check", join(folder, "none.yaml")])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `docgauge: cannot read ${join(folder, "none.yaml")}. Pass the path of a rubric file.\n`
    })
  })

  it("warns of what an audit does not mind, and exits with 0", async () => {
    const path = file("warned.yaml", "extends: docs-ai-readiness@3\ncriteria:\n  - { id: A1, why: TODO }\n")
    const { code, stderr, stdout } = await runHere(["rubric", "check", path])
    expect(code).toBe(0)
    expect(stdout).toMatch(/warned\.yaml is valid: it extends docs-ai-readiness/)
    expect(stderr).toMatch(/^1 warning:\n\n.*warned\.yaml:3:20: this text is still a placeholder\n/)
    const json = await runHere(["rubric", "check", path, "--format", "json"])
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      problems: [{ rule: "placeholder_text", severity: "warning" }]
    })
  })

  it("reports the same problems at the start of an audit", async () => {
    const { code, stderr, stdout } = await runHere([
      "https://docs.example.com",
      "--rubric",
      file("spoilt.yaml", spoilt)
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/^docgauge: the rubric has 3 problems; nothing was audited\.\n\n/)
  })

  it.each([
    ["how: It is looked up.", "how: TODO"],
    ["how: It is looked up.", "how: Say what a6-x looks at, and what it decides where it could be decided otherwise."],
    ["how: It is looked up.", "how: Lorem ipsum dolor."],
    ["how: It is looked up.", 'how: "…"'],
    ["[Have one.]", '["TBD: have one."]']
  ])("warns of a placeholder, which an audit does not mind: %s as %s", async (before, after) => {
    const text = edited(before, after)
    expect((await problemsOf(text)).map(({ message, rule }) => [rule, message])).toEqual([
      ["placeholder_text", "this text is still a placeholder"]
    ])
    expect(await problemsOf(text, () => [])).toEqual([])
  })

  it("warns of a reference that leads to a reserved name", async () => {
    const text = edited("https://www.rfc-editor.org/rfc/rfc9309", "https://example.com/a6-x")
    expect((await problemsOf(text)).map(({ rule }) => rule)).toEqual(["placeholder_text"])
  })

  it("finds repeated texts, which an audit accepts", async () => {
    const twice = edited(
      "how: It is looked up.",
      "how: They are counted.",
      edited("[Have one.]", "[Have one., have  ONE.]")
    )
    expect((await problemsOf(twice)).map(({ line, message, rule }) => [line, rule, message])).toEqual([
      [49, "repeated_text", "A1 says the same in the same words"],
      [50, "repeated_text", "the criterion says the same in the same words"]
    ])
    expect(await problemsOf(twice, () => [])).toEqual([])
  })
})

describe("problems as SARIF", () => {
  const schema: unknown = JSON.parse(
    readFileSync(
      createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
      "utf8"
    )
  )
  const validate = new AjvDraft04.default({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    Object(schema)
  )

  it("keep to the published schema of SARIF 2.1.0, with and without problems", async () => {
    for (const text of [smallRubric, edited("title: First", "tilte: First"), "", "\t- x"]) {
      validate(JSON.parse(renderSarif(await problemsOf(text))))
      expect(validate.errors).toBeNull()
    }
  })

  it("name rule, place and hint", async () => {
    const [problem] = await problemsOf(edited("title: First", "tilte: First"))
    const log: unknown = JSON.parse(renderSarif(problem === undefined ? [] : [problem]))
    expect(log).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "docgauge" } },
          results: [
            {
              ruleId: "unknown_key",
              level: "error",
              message: { text: 'unknown key "tilte". did you mean "title"?' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "rubrics/my%20rubric.yaml" },
                    region: { startLine: 11, startColumn: 5 }
                  }
                }
              ]
            }
          ]
        }
      ]
    })
  })

  it("come on stdout alone", async () => {
    const { code, stderr, stdout } = await runHere([
      "rubric",
      "check",
      file("spoilt.yaml", spoilt),
      "--format",
      "sarif"
    ])
    expect(code).toBe(2)
    expect(validate(JSON.parse(stdout))).toBe(true)
    expect(stderr).toMatch(/^docgauge: .*spoilt\.yaml has 3 problems\.\n$/)
  })
})

describe("docgauge rubric diff", () => {
  const old = file("old.yaml", smallRubric)
  const looser = edited("facts.alive >= 0.9", "facts.alive >= 0.8")
  const versioned = edited(
    "changes:\n",
    "changes:\n  - { version: 1.2.0, date: 2026-03-01, what: More., criteria: [A1] }\n",
    edited("version: 1.1.0\n", "version: 1.2.0\n", looser)
  )

  it("exits with 1 if the version is too low, 0 if it is not, 2 if a file is not a rubric", async () => {
    const small = await runCli(["rubric", "diff", old, file("looser.yaml", looser)])
    expect(small.code).toBe(1)
    expect(small.stderr).toContain("the changes require a minor version: 1.1.0 must be 1.2.0 or later.")
    const enough = await runHere(["rubric", "diff", old, file("versioned.yaml", versioned)])
    expect({ code: enough.code, stderr: enough.stderr }).toEqual({ code: 0, stderr: "" })
    expect(enough.stdout).toContain("1.1.0 → 1.2.0 is enough.")
    const none = await runHere(["rubric", "diff", old, file("none.yaml", "- a\n")])
    expect(none.code).toBe(2)
    expect(none.stderr).toContain("none.yaml:1:1: a rubric must be a map, not a list")
  })

  it("lists the changes as Markdown and as JSON", async () => {
    const path = file("versioned.yaml", versioned)
    const markdown = await runHere(["rubric", "diff", old, path, "--format", "markdown"])
    expect(markdown.stdout).toContain(
      "| A1 | level for 60 points: `facts.alive >= 0.9` → `facts.alive >= 0.8` | **minor** |"
    )
    const json = await runHere(["rubric", "diff", old, path, "--format", "json"])
    expect(JSON.parse(json.stdout)).toMatchObject({
      from: "1.1.0",
      to: "1.2.0",
      owed: "minor",
      given: "minor",
      faults: [],
      changes: [{ subject: "A1", owes: "minor" }]
    })
  })
})

describe("docgauge rubric show", () => {
  it("lists all criteria by category", async () => {
    const { code, stdout } = await runHere(["rubric", "show"])
    expect(code).toBe(0)
    for (const line of [
      "A Discovery  10",
      "  A1   3  Publish an llms.txt in the standard format",
      "F Agent surface  4"
    ])
      expect(stdout).toContain(line)
  })

  it("explains one by its id, in words", async () => {
    const { code, stdout } = await runHere(["rubric", "show", "b1"])
    expect(code).toBe(0)
    for (const part of [
      "B1 Publish a Markdown version of each page",
      "Why\n",
      "How it is measured\n",
      "at least 90% of the sampled pages",
      "What to do\n",
      "To read\n"
    ])
      expect(stdout).toContain(part)
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it("rejects an unknown id, and suggests the nearest", async () => {
    expect(await runHere(["rubric", "show", "B9"])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'docgauge: there is no criterion "B9"; did you mean "B1"?\n'
    })
  })
})

describe("docgauge criterion list", () => {
  it("gives id, points, plugin, revision and facts, as text and as JSON", async () => {
    const text = await runCli(["criterion", "list"])
    expect(text.stdout).toMatch(/^A5 +1 +a5-entry-points +\d+ +pages, announcing, llms_txt, markdown,$/m)
    const json: unknown = JSON.parse((await runHere(["criterion", "list", "--format", "json"])).stdout)
    expect(json).toContainEqual(
      expect.objectContaining({
        id: "A5",
        points: 1,
        plugin: "a5-entry-points",
        revision: expect.any(Number),
        facts: expect.arrayContaining([
          expect.objectContaining({ name: "pages", kind: "count" }),
          expect.objectContaining({ name: "announcing", kind: "share", meaning: expect.stringContaining("of those") })
        ])
      })
    )
  })
})
