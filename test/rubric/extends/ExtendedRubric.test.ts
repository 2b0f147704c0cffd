import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parse, stringify } from "yaml"
import { diffRubrics } from "../../../engine/rubric/diff/RubricDiff.ts"
import { extendedRubric } from "../../../engine/rubric/extends/ExtendedRubric.ts"
import { formatTwoTree } from "../../../engine/rubric/format/FormatTwoTree.ts"
import { formatThreeText } from "../../../engine/rubric/format/FormatThreeText.ts"
import { rulesWithoutCode } from "../../../engine/plugin/RuleWithoutCode.ts"
import { rubricJsonSchema } from "../../../engine/rubric/RubricExtension.ts"
import { loadRubric, readUnbound, type UnboundRubric } from "../../../engine/rubric/RubricFile.ts"
import { type Problem, render } from "../../../engine/rubric/source/Problem.ts"
import { sourceText } from "../../../engine/rubric/source/SourceText.ts"
import { readYamlSource } from "../../../engine/rubric/source/YamlSource.ts"
import { plugins } from "../../../plugins/index.ts"

const OWN = readFileSync(new URL("../../../rubric.yaml", import.meta.url))
const own = Effect.runSync(loadRubric(OWN, "rubric.yaml", plugins))
const MAJOR = own.rubric.version.split(".")[0] ?? ""
const BASE = `docs-ai-readiness@${MAJOR}`

const unboundOwn = Effect.runSync(readUnbound(OWN, "rubric.yaml"))
const OWN_IN_THREE = formatThreeText(unboundOwn.asWritten, unboundOwn.formatThree)

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const extending = (rest: string): string => `extends: ${BASE}\n${rest}`

const load = (text: string) => Effect.runSync(loadRubric(bytes(text), "house.yaml", plugins))
const unbound = (text: string): UnboundRubric => Effect.runSync(readUnbound(bytes(text), "house.yaml"))
const problemsOf = (text: string): ReadonlyArray<Problem> =>
  Effect.runSync(
    Effect.match(loadRubric(bytes(text), "house.yaml", plugins), {
      onFailure: ({ problems }) => problems,
      onSuccess: () => []
    })
  )

/** A problem in one line: `line:column rule: message (hint)`. */
const inShort = ({ column, hint, line, message, rule }: Problem): string =>
  `${line}:${column} ${rule}: ${message}${hint === null ? "" : ` (${hint})`}`

/** A rubric file must use every plugin that it is loaded with. */
const usedBy = (rubric: unknown) =>
  new Map([...plugins].filter(([name]) => stringify(rubric).includes(`plugin: ${name}`)))

const STRICTER = extending(`criteria:
  - id: B5
    params: { fit_characters: 30000 }
    levels:
      - { status: present, earns: 4, when: "facts.fitting >= 0.95" }
      - { status: partial, earns: 1, when: "facts.fitting >= 0.5" }
      - { status: absent, earns: 0 }
    remedy: { effort: low }
`)

/** One level, one check, one step and one param of format 3; what the base has besides stays. */
const CHANGED_IN_THREE = extending(`format: 3
criteria:
  - id: B4
    params: { description_characters: 80 }
    points: { ${own.criteria.find(({ definition }) => definition.id === "B4")?.definition.points}: title >= 0.95 && description >= 0.9 }
    how: We ask for {description_characters} characters on {title} of the pages.
`)

/** A rubric with a name of its own: without MCP, and with more points for what there is. */
const OWN_NAME = extending(`id: acme-docs
version: 1.0.0
title: Is this documentation ready for the agents of Acme?
categories:
  - { id: B, points: 27 }
  - { id: F, points: 3 }
remove: [F1]
criteria:
  - id: B5
    points: 5
    levels:
      - { status: present, earns: 5, when: "facts.fitting >= 0.9" }
      - { status: absent, earns: 0 }
changes:
  - { version: 1.0.0, date: 2026-11-23, what: First version., criteria: all }
`)

const trial = (id: string, more = ""): string => `  - id: ${id}
    category: D
    plugin: d2-example-languages
    revision: 3
    title: Examples come in three languages
    points: 2
    params: {}
    levels:
      - { status: present, earns: 2, when: "facts.languages >= 3" }
      - { status: absent, earns: 0 }
    why: Our callers write three languages.
    how: As D2 is measured.
    remedy: { effort: high, steps: [Write more examples.] }
    references: [{ title: House rules, url: "https://www.rfc-editor.org/rfc/rfc9309" }]
${more}`

describe("a rubric that extends another one", () => {
  it("is the base where it says nothing", () => {
    const { criteria, digest, experimental, rubric } = load(`extends: ${BASE}\n`)
    expect(rubric).toEqual(own.rubric)
    expect([criteria.length, experimental.length]).toEqual([30, own.experimental.length])
    expect(digest).not.toBe(own.digest)
  })

  it("changes what it names and keeps the rest: maps key by key, lists as a whole", () => {
    const { criteria, rubric } = load(STRICTER)
    const [ours, theirs] = [criteria, own.criteria].map(
      (each) => each.find(({ definition }) => definition.id === "B5")?.definition
    )
    assert.isDefined(ours)
    assert.isDefined(theirs)
    expect(ours).toEqual({
      ...theirs,
      params: { ...theirs.params, fit_characters: 30_000 },
      levels: [
        { status: "present", earns: 4, when: "facts.fitting >= 0.95" },
        { status: "partial", earns: 1, when: "facts.fitting >= 0.5" },
        { status: "absent", earns: 0 }
      ],
      remedy: { ...theirs.remedy, effort: "low" }
    })
    expect({ ...rubric, categories: [] }).toEqual({ ...own.rubric, categories: [] })
    expect(criteria.filter(({ definition }) => definition.id !== "B5").map(({ definition }) => definition)).toEqual(
      own.criteria.filter(({ definition }) => definition.id !== "B5").map(({ definition }) => definition)
    )
  })

  it("removes a key with an empty value", () => {
    const b5 = load(extending("criteria:\n  - { id: B5, needs: }\n")).criteria.find(
      ({ definition }) => definition.id === "B5"
    )
    expect(b5?.definition.needs).toBeUndefined()
  })

  it("adds criteria on trial", () => {
    const { criteria, experimental } = load(extending(`experimental:\n${trial("D8")}`))
    expect([
      criteria.length,
      experimental.slice(own.experimental.length).map(({ category, definition }) => [category, definition.id])
    ]).toEqual([30, [["D", "D8"]]])
  })

  it("removes all criteria on trial of the base", () => {
    const trials = own.experimental.map(({ definition }) => definition.id)
    const { criteria, experimental, rubric } = load(extending(`remove: [${trials.join(", ")}]\n`))
    expect(trials.length).toBeGreaterThan(0)
    expect([criteria.length, experimental, rubric.experimental]).toEqual([30, [], undefined])
  })

  it("removes a criterion that the newest entry of the base's history names", () => {
    const [first = ""] = own.experimental.map(({ definition }) => definition.id)
    const text = new TextDecoder()
      .decode(OWN)
      .replace(/(changes:[^]*?criteria:) (?:all|\[[^\]]*\])/u, `$1 [${first}, A1]`)
    const root = (source: string) => readYamlSource(sourceText("rubric.yaml", source)).root
    const [written, file] = [root(text), root(extending(`remove: [${first}]\n`))]
    assert.isNotNull(written)
    assert.isNotNull(file)
    const base = formatTwoTree(written, sourceText("rubric.yaml", text))
    const { id, version } = own.rubric
    const whole = extendedRubric(
      file,
      { id, version, digest: own.digest, root: base.root, formatThree: base.criteria, format: 3 },
      file.span,
      sourceText("house.yaml", "")
    )
    expect(whole.diagnostics).toEqual([])
    const { rubric } = Effect.runSync(
      loadRubric(
        bytes(stringify(whole.root.plain, { aliasDuplicateObjects: false })),
        "whole.yaml",
        usedBy(whole.root.plain)
      )
    )
    expect(rubric.changes[0]?.criteria).toEqual(["A1"])
  })

  it("says that it is changed where it has the base's name and version, and only there", () => {
    expect(own.changedBy).toBeNull()
    expect(load(STRICTER).changedBy).toBe("house.yaml")
    expect(load(OWN_NAME).changedBy).toBeNull()
    const copy = new TextDecoder().decode(OWN).replace("fitting >= 0.9", "fitting >= 0.1")
    expect(Effect.runSync(loadRubric(bytes(copy), "/etc/docgauge/copy.yaml", plugins)).changedBy).toBe("copy.yaml")
  })

  it("changes totals and the list of criteria under a name of its own, and forgets the need of a removed criterion", () => {
    const { criteria, rubric } = load(OWN_NAME)
    expect(rubric.categories.map(({ id, points }) => [id, points])).toEqual([
      ["A", 10],
      ["B", 27],
      ["C", 23],
      ["D", 23],
      ["E", 14],
      ["F", 3]
    ])
    expect([rubric.id, rubric.version, rubric.changes.length, criteria.length]).toEqual(["acme-docs", "1.0.0", 1, 29])
    const withoutPages = load(
      OWN_NAME.replace("remove: [F1]", "remove: [F1, E1]")
        .replace("{ id: F, points: 3 }", "{ id: F, points: 3 }\n  - { id: E, points: 7 }\n  - { id: A, points: 17 }")
        .replace(
          "criteria:\n",
          'criteria:\n  - { id: A1, points: 10, levels: [{ status: present, earns: 10, when: "facts.h1 == 1" }, { status: absent, earns: 0 }] }\n'
        )
    )
    expect(withoutPages.criteria.filter(({ definition }) => definition.needs?.includes("E1"))).toEqual([])
    expect(withoutPages.criteria.find(({ definition }) => definition.id === "D1")?.definition.needs).toEqual(["A2"])
  })

  it("has new criteria with points under a name of its own, also in a new category", () => {
    const { criteria, rubric } = load(
      OWN_NAME.replace(
        "  - { id: B, points: 27 }",
        "  - { id: G, key: G_house, title: House rules, points: 2, why: They are ours. }\n  - { id: B, points: 25 }"
      )
        .replace("points: 5", "points: 3")
        .replace("earns: 5", "earns: 3")
        .replace("criteria:\n", `criteria:\n${trial("G1").replace("category: D", "category: G")}`)
    )
    expect(rubric.categories.at(-1)).toMatchObject({
      id: "G",
      points: 2,
      criteria: [{ id: "G1", plugin: "d2-example-languages" }]
    })
    expect(criteria.at(-1)).toMatchObject({ category: "G", definition: { id: "G1" } })
  })

  it("has a digest of the base's digest and its own bytes", () => {
    const expected = createHash("sha256").update(`${own.digest}\n${STRICTER}`).digest("hex")
    expect(load(STRICTER).digest).toBe(`sha256:${expected}`)
    expect(unbound(STRICTER).digest).toBe(`sha256:${expected}`)
  })

  it.each([
    `docs-ai-readiness@${MAJOR}`,
    `docs-ai-readiness@${own.rubric.version}`,
    `docs-ai-readiness@${own.rubric.version.replace(/\.\d+$/, "")}`
  ])("names the base as %s", (base) => {
    expect(load(`extends: ${base}\n`).rubric).toEqual(own.rubric)
  })

  it.each([
    ["STRICTER", STRICTER],
    ["OWN_NAME", OWN_NAME],
    ["trial", extending(`experimental:\n${trial("D8")}`)]
  ])("is as a whole (%s) a rubric by itself that judges the same", (_, text) => {
    const { rubric } = load(text)
    const whole = Effect.runSync(loadRubric(bytes(stringify(rubric)), "whole.yaml", usedBy(rubric)))
    expect(whole.rubric).toEqual(rubric)
  })
})

/** What is wrong, the file, and all that is said of it. */
const mistakes: ReadonlyArray<readonly [what: string, text: string, said: ReadonlyArray<string>]> = [
  [
    "no name",
    "extends:\n",
    [`1:1 extends: "extends" must be the name and version of a rubric (write \`extends: ${BASE}\`)`]
  ],
  [
    "a file",
    "extends: ./rubric.yaml\n",
    [`1:10 extends: "./rubric.yaml" is not the name and version of a rubric (write ${BASE})`]
  ],
  [
    "a name without a version",
    "extends: docs-ai-readiness\n",
    [`1:10 extends: "docs-ai-readiness" is not the name and version of a rubric (write ${BASE})`]
  ],
  ["an unknown base", "extends: house@2\n", [`1:10 extends: there is no rubric "house" to extend (write ${BASE})`]],
  [
    "a version that is not in the package",
    "extends: docs-ai-readiness@99\n",
    [
      `1:10 extends: this version of docgauge has docs-ai-readiness ${own.rubric.version}, not 99 (write ${BASE}, or install the version of docgauge that has 99)`
    ]
  ],
  [
    "a criterion that the base does not have",
    extending("criteria:\n  - { id: B9, title: New }\n"),
    [
      `3:11 extends: docs-ai-readiness ${own.rubric.version} has no criterion "B9" (did you mean "B1"? Give a new criterion a "category", or put it under "experimental")`
    ]
  ],
  [
    "a change without an id",
    extending("criteria:\n  - title: New\n"),
    ['3:5 missing_key: "id" is missing (name what this changes)']
  ],
  [
    "two changes of one criterion",
    extending("criteria:\n  - { id: B5, title: New }\n  - { id: B5, title: Newer }\n"),
    ['4:11 duplicate_id: "B5" is changed twice (write both changes in one place)']
  ],
  ["a map of criteria", extending("criteria:\n  B5: { title: New }\n"), ['2:1 value: "criteria" must be a list']],
  [
    "a category for a criterion of the base",
    extending("criteria:\n  - { id: B5, category: B, title: New }\n"),
    [
      "3:15 extends: docs-ai-readiness has B5 already, so its category cannot be given (leave it out, or take another id for a new criterion)"
    ]
  ],
  [
    "criteria within a category, as whole rubrics have them",
    extending("categories:\n  - id: B\n    criteria: []\n"),
    [
      "4:5 extends: a rubric that extends another one lists criteria at the top of the file (move them to a key `criteria` beside `extends`)"
    ]
  ],
  [
    "a misspelt key",
    extending("criterea:\n  - { id: B5, title: New }\n"),
    ['2:1 unknown_key: unknown key "criterea" (did you mean "criteria"?)']
  ],
  [
    "a misspelt key of a criterion",
    extending("criteria:\n  - { id: B5, tilte: New }\n"),
    ['3:15 unknown_key: unknown key "tilte" (did you mean "title"?)']
  ],
  [
    "a format",
    extending("format: 1\n"),
    ["2:1 extends: the format is that of the rubric that this one extends (leave it out, or say `format: 3`)"]
  ],
  [
    "a wrong type",
    extending("criteria:\n  - { id: B5, points: three }\n"),
    ['3:23 value: "points" must be a number, not text']
  ],
  [
    "a condition on an unknown fact",
    extending(STRICTER.replace(/^.*\n/, "").replace("facts.fitting >= 0.95", "facts.fiting >= 0.95")),
    ['6:51 condition: the plugin has no fact "fiting" (did you mean "fitting"?)']
  ],
  [
    "another version under the base's name",
    extending("version: 2.0.9\n"),
    [
      "2:10 extends: this would be another docs-ai-readiness 2.0.9 than the published one (give the rubric an `id` of its own)"
    ]
  ],
  [
    "another title and other verdicts under the base's name",
    extending("title: Ours\nverdicts:\n  - { from: 0, word: AI-ready, meaning: Ours. }\n"),
    [
      '2:1 extends: docs-ai-readiness cannot have another "title" than the published one (give the rubric an `id` of its own)',
      '3:1 extends: docs-ai-readiness cannot have another "verdicts" than the published one (give the rubric an `id` of its own)'
    ]
  ],
  [
    "other points of levels under the base's name",
    extending(
      "criteria:\n  - id: C1\n    levels:\n      - { status: present, earns: 4, when: facts.off_site }\n      - { status: partial, earns: 2, when: facts.placeholder }\n      - { status: absent, earns: 0 }\n"
    ),
    ["6:35 extends: the levels of C1 of docs-ai-readiness earn 4, 3, 1, 0, not 2 (give the rubric an `id` of its own)"]
  ],
  [
    "other totals under the base's name",
    extending("categories:\n  - { id: F, points: 9 }\n  - { id: A, points: 14 }\n"),
    [
      "3:22 points: the criteria of category F come to 4 points, not 9",
      "4:22 points: the criteria of category A come to 10 points, not 14"
    ]
  ],
  [
    "a removed criterion under the base's name",
    extending("remove: [F1]\n"),
    [
      `2:10 points: the criteria of category F come to 3 points, not 4 (this part comes from docs-ai-readiness ${own.rubric.version}; change it here as well)`,
      '2:10 points: docs-ai-readiness has 30 criteria, not 29 (new ones go under "experimental"; a rubric with an `id` of its own may have others)'
    ]
  ],
  [
    "more points for a criterion alone",
    extending("criteria:\n  - { id: B5, points: 5 }\n"),
    [
      `3:11 points: the criteria of category B come to 27 points, not 26 (this part comes from docs-ai-readiness ${own.rubric.version}; change it here as well)`,
      `3:11 levels: the first level must earn all 5 points, not 4 (this part comes from docs-ai-readiness ${own.rubric.version}; change it here as well)`
    ]
  ],
  [
    "a name of its own without a version and a history",
    extending("id: acme-docs\n"),
    [
      '2:1 missing_key: "version" is missing (a rubric with an id of its own has versions of its own, such as `version: 1.0.0`)',
      '2:1 missing_key: "changes" is missing (a rubric with an id of its own has a history of its own, such as `changes: [{ version: 1.0.0, date: 2026-11-21, what: First version., criteria: all }]`)'
    ]
  ],
  [
    "a criterion that is removed and changed",
    OWN_NAME.replace("  - id: B5", "  - { id: F1, title: New }\n  - id: B5"),
    ['10:11 extends: "F1" is removed by this file (leave one of the two out)']
  ],
  [
    "an unknown criterion to remove",
    OWN_NAME.replace("[F1]", "[F1, F9]"),
    [
      `8:14 extends: docs-ai-readiness ${own.rubric.version} has no criterion "F9" (did you mean "F1"? Give a new criterion a "category", or put it under "experimental")`
    ]
  ],
  [
    "a criterion on trial with an id of the base",
    extending(`experimental:\n${trial("D2")}`),
    ['3:9 duplicate_id: there already is a criterion "D2"']
  ],
  [
    "a plugin that does not exist",
    extending("criteria:\n  - { id: B5, plugin: b5-page-sice@3 }\n"),
    [
      "3:23 extends: B5 of docs-ai-readiness is measured by b5-page-size (give the rubric an `id` of its own)",
      '3:23 plugin: there is no plugin "b5-page-sice" (did you mean "b5-page-size"?)'
    ]
  ],
  [
    "a tab",
    "extends: docs-ai-readiness@2\ncriteria:\n\t- { id: B5 }\n",
    ["3:1 yaml: a tab cannot indent YAML (indent with spaces)"]
  ]
]

describe("a mistake in a rubric that extends another one is told at its place in the file", () => {
  it.each(mistakes)("%s", (_, text, said) => {
    expect(problemsOf(text).map(inShort)).toEqual(said)
  })

  it("of an older major version is told in one message: what changed since, what to write, and what the criteria are now", () => {
    const [asked, b5] = [Number(MAJOR) - 1, own.criteria.find(({ definition }) => definition.id === "B5")?.definition]
    const problems = problemsOf(
      `extends: docs-ai-readiness@${asked}\nremove: [G9]\ncriteria:\n  - { id: B5, points: three }\n`
    )
    const since = own.rubric.changes.filter(({ version }) => version.startsWith(`${MAJOR}.`))
    expect(problems.map(({ column, line, message }) => [line, column, message])).toEqual([
      [
        1,
        10,
        `docs-ai-readiness@${asked} is not in this version of docgauge, which has ${own.rubric.version}. Changed since: ${since.map(({ version, what }) => `${version}: ${what}`).join(" ")}`
      ]
    ])
    expect(problems[0]?.hint).toContain(`write ${BASE}, `)
    expect(problems[0]?.hint).toContain(
      `B5 has ${b5?.points} points, by b5-page-size (revision ${b5?.revision}) and G9 is none of its criteria`
    )
  })

  it("with a code frame", () => {
    const [problem] = problemsOf(extending("criteria:\n  - { id: B9, title: New }\n"))
    expect(problem === undefined ? "" : render(problem).split("\n").slice(0, 4)).toEqual([
      `house.yaml:3:11: docs-ai-readiness ${own.rubric.version} has no criterion "B9"`,
      "  2 | criteria:",
      "  3 |   - { id: B9, title: New }",
      "    |           ^^"
    ])
  })
})

describe("the difference from the base", () => {
  const base = Effect.runSync(readUnbound(OWN, "rubric.yaml"))

  it("lists what changed, and asks for no version that the file cannot have", () => {
    const diff = diffRubrics(base, unbound(STRICTER))
    expect([diff.versioned, diff.faults, [...new Set(diff.changes.map(({ subject }) => subject))]]).toEqual([
      false,
      [],
      ["B5"]
    ])
  })

  it("lists a removed criterion under a name of its own", () => {
    const diff = diffRubrics(base, unbound(OWN_NAME))
    expect([diff.versioned, diff.faults, diff.fromId, diff.id]).toEqual([false, [], "docs-ai-readiness", "acme-docs"])
    expect(diff.changes.filter(({ subject }) => subject === "F1").map(({ what }) => what)).toEqual([
      expect.stringMatching(/^removed criterion with 1 points: /)
    ])
  })

  it("of two versions under a name of its own owes a version as ever", () => {
    const diff = diffRubrics(
      unbound(OWN_NAME),
      unbound(OWN_NAME.replace('facts.fitting >= 0.9"', 'facts.fitting >= 0.95"'))
    )
    expect([diff.versioned, diff.owed, diff.faults]).toEqual([
      true,
      "major",
      ["the changes require a major version: 1.0.0 must be 2.0.0 or later"]
    ])
  })
})

describe("rubric.schema.json", () => {
  const validate = new Ajv2020({ strict: false }).compile(rubricJsonSchema([...plugins.values(), ...rulesWithoutCode]))

  it.each([
    ["our own rubric", new TextDecoder().decode(OWN)],
    ["STRICTER", STRICTER],
    ["OWN_NAME", OWN_NAME],
    ["trial", extending(`experimental:\n${trial("D8")}`)],
    ["our own rubric in format 3", OWN_IN_THREE],
    ["changes of format 3", CHANGED_IN_THREE]
  ])("accepts %s", (_, text) => {
    expect([validate(parse(text)), validate.errors]).toEqual([true, null])
  })

  it.each([
    ["an unknown key", extending("criterea: []\n")],
    ["a base without a version", "extends: docs-ai-readiness\n"],
    ["a wrong type", extending("criteria:\n  - { id: B5, points: three }\n")],
    ["an unknown plugin", OWN_IN_THREE.replace("plugin: b4-metadata@", "plugin: b4-metadta@")],
    ["an unknown param", OWN_IN_THREE.replace("description_characters: 50", "description_character: 50")],
    ["a param of the wrong type", OWN_IN_THREE.replace("description_characters: 50", "description_characters: many")]
  ])("refuses %s", (_, text) => {
    expect(validate(parse(text))).toBe(false)
    expect(Result.isFailure(Effect.runSync(Effect.result(loadRubric(bytes(text), "house.yaml", plugins))))).toBe(true)
  })
})
