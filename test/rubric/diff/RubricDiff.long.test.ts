import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { stringify } from "yaml"
import { judge } from "../../../engine/audit/Score.ts"
import type { FactRecord } from "../../../engine/plugin/Fact.ts"
import { compilerFor } from "../../../engine/rubric/condition/Condition.ts"
import { diffRubrics, type RubricDiff } from "../../../engine/rubric/diff/RubricDiff.ts"
import type { CriterionDefinition, Level, Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { readUnbound, type UnboundRubric } from "../../../engine/rubric/RubricFile.ts"
import { edited, smallPlugins, smallRubric } from "../smallRubric.ts"

const read = (text: string): UnboundRubric => Effect.runSync(readUnbound(new TextEncoder().encode(text), "rubric.yaml"))

const small = read(smallRubric)

/** The diff of the small rubric and an edit of it. */
const diff = (text: string): RubricDiff => diffRubrics(small, read(text))

const inShort = ({ changes }: RubricDiff) =>
  changes.map(({ owes, subject, what }) => `${subject ?? "rubric"} ${owes}: ${what}`)

const EXPERIMENT = smallRubric.slice(smallRubric.indexOf("experimental:"), smallRubric.indexOf("changes:"))

/** Edits: what is edited, the edited file, and all that is said of it. */
const edits: ReadonlyArray<readonly [what: string, text: string, said: ReadonlyArray<string>]> = [
  ["nothing", smallRubric, []],
  ["comments and layout", `# a comment\n${smallRubric.replace("facts.links >= 3 && ", "facts.links>=3   && ")}`, []],
  ["the title", edited("Is it small?", "How small is it?"), ["rubric patch: title changed"]],
  [
    "a remedy and a reason",
    edited("[Add links.]", "[Add good links.]", edited("why: Links lead on.", "why: Links matter.")),
    ["A1 patch: `why`, `remedy` changed"]
  ],
  ["a format that adds nothing", edited("format: 1", "format: 2", edited("[Add links.]", "[{ do: Add links. }]")), []],
  [
    "a step that is done somewhere",
    edited("format: 1", "format: 2", edited("[Add links.]", '[{ do: Add links., unless: "facts.links >= 3" }]')),
    ["A1 patch: `unless` changed"]
  ],
  [
    "a recipe",
    edited(
      "format: 1",
      "format: 2",
      edited("[Add links.]", '[Add links.], recipes: { sphinx: { do: Use it., url: "https://example.org/" } }')
    ),
    ["A1 patch: `recipes` changed"]
  ],
  [
    "what a criterion needs",
    edited("format: 1", "format: 2", edited("        params: {}", "        needs: [A1]\n        params: {}")),
    ["B1 minor: needs: none → A1"]
  ],
  [
    "where a criterion applies",
    edited(
      "format: 1",
      "format: 2",
      edited("        params: {}", "        applies: site.http_api\n        params: {}")
    ),
    ["B1 minor: applies: always → site.http_api"]
  ],
  ["a word of a verdict", edited("word: Good", "word: Fine"), ["rubric patch: wording of the verdicts changed"]],
  ["where a verdict begins", edited("from: 50", "from: 60"), ["rubric major: verdicts begin at 50, 0 → 60, 0"]],
  ["a category's reason", edited("why: It comes first.", "why: It is first."), ["A patch: `why` changed"]],
  ["a category's key", edited("key: A_first", "key: A_begin"), ["A major: key: `A_first` → `A_begin`"]],
  [
    "a threshold down",
    edited("facts.alive >= 0.9", "facts.alive >= 0.8"),
    ["A1 minor: level for 60 points: `facts.alive >= 0.9` → `facts.alive >= 0.8`"]
  ],
  [
    "a threshold up",
    edited("facts.alive >= 0.9", "facts.alive >= 0.95"),
    [
      "A1 major: condition of the level for 60 points: `facts.links >= 3 && facts.alive >= 0.9` → `facts.links >= 3 && facts.alive >= 0.95`"
    ]
  ],
  [
    "two thresholds down",
    edited("facts.links >= 3 && facts.alive >= 0.9", "facts.links >= 2 && facts.alive >= 0.8"),
    [
      "A1 major: condition of the level for 60 points: `facts.links >= 3 && facts.alive >= 0.9` → `facts.links >= 2 && facts.alive >= 0.8`"
    ]
  ],
  [
    "a level that earns more",
    edited("earns: 20", "earns: 30"),
    ["A1 minor: points of the level `facts.links >= 1`: 20 → 30"]
  ],
  [
    "a level that earns less",
    edited("earns: 20", "earns: 19"),
    ["A1 major: points of the level `facts.links >= 1`: 20 → 19"]
  ],
  [
    "a new level",
    edited(
      "          - { status: partial, earns: 20",
      '          - { status: partial, earns: 40, when: "facts.links >= 2" }\n          - { status: partial, earns: 20'
    ),
    ["A1 minor: new level for 40 points: `facts.links >= 2`"]
  ],
  [
    "a level that is gone",
    edited('          - { status: partial, earns: 20, when: "facts.links >= 1" }\n', ""),
    ["A1 major: removed level for 20 points: `facts.links >= 1`"]
  ],
  [
    "a param",
    edited("{ sample: 5 }", "{ sample: 9, more: [1] }"),
    ["A1 major: param `sample`: 5 → 9", "A1 major: param `more`: missing → [1]"]
  ],
  ["a pinned revision", edited("revision: 2", "revision: 3"), ["A1 major: revision of the plugin `has-links`: 2 → 3"]],
  [
    "a pinned revision that adds facts",
    edited("revision: 2", 'revision: "2.1"'),
    ["A1 minor: revision of the plugin `has-links`: 2 → 2.1"]
  ],
  [
    "a pinned revision that adds facts, and another that changes them",
    edited("revision: 2", 'revision: "3.1"'),
    ["A1 major: revision of the plugin `has-links`: 2 → 3.1"]
  ],
  ["the same revision written in full", edited("revision: 2", 'revision: "2.0"'), []],
  ["a plugin", edited("plugin: has-links", "plugin: counts-links"), ["A1 major: plugin: `has-links` → `counts-links`"]],
  [
    "points",
    [
      ["points: 60\n    why", "points: 50\n    why"],
      ["points: 60\n        params", "points: 50\n        params"],
      ["earns: 60", "earns: 50"],
      ["points: 40\n    why", "points: 50\n    why"],
      ["points: 40\n        params", "points: 50\n        params"],
      ["earns: 40", "earns: 50"]
    ].reduce((text, [from = "", to = ""]) => edited(from, to, text), smallRubric),
    [
      "A major: points: 60 → 50",
      "B major: points: 40 → 50",
      "A1 major: points: 60 → 50",
      "A1 major: points of the level `facts.links >= 3 && facts.alive >= 0.9`: 60 → 50",
      "B1 major: points: 40 → 50",
      'B1 minor: points of the level `facts.kind == "best" && facts.open`: 40 → 50'
    ]
  ],
  [
    "a deprecation",
    edited(
      "references: [{ title: Links",
      "deprecated: { since: 1.1.0, until: 2.0.0, replaced_by: B1 }\n        references: [{ title: Links"
    ),
    ["A1 minor: deprecated since 1.1.0, to be removed in 2.0.0, replaced by B1"]
  ],
  [
    "a trial that ends",
    smallRubric.replace(EXPERIMENT, "").replace("[B2]", "[B1]"),
    [
      "rubric patch: the entry for 1.1.0 under `changes` changed",
      "B2 minor: removed experimental criterion: `It is tried`"
    ]
  ],
  [
    "a condition on trial",
    edited("when: facts.open }", "when: '!facts.open' }"),
    ["B2 minor: condition of the level for 10 points: `facts.open` → `!facts.open`"]
  ],
  ["the words of a trial", edited("why: One has to try.", "why: Trying is good."), ["B2 patch: `why` changed"]],
  ["another rubric altogether", edited("id: small", "id: tiny"), ["rubric major: id: `small` → `tiny`"]]
]

const faults = (text: string) => diff(text).faults

const released = (version: string, text: string, criteria = "all"): string =>
  edited(
    "changes:\n",
    `changes:\n  - { version: ${version}, date: 2026-03-01, what: More., criteria: ${criteria} }\n`,
    edited("version: 1.1.0\n", `version: ${version}\n`, text)
  )

const LOOSER = edited("facts.alive >= 0.9", "facts.alive >= 0.8")
const STRICTER = edited("facts.alive >= 0.9", "facts.alive >= 0.95")
const MORE_FACTS = edited("revision: 2", 'revision: "2.1"')

describe("the diff of two rubrics", () => {
  it.each(edits)("tells %s", (_, text, said) => {
    assert.deepStrictEqual(inShort(diff(text)), said)
  })

  it.each([
    ["nothing, of the same version", smallRubric, []],
    ["a comment, of the same version", `# A comment.\n${smallRubric}`, []],
    ["what is looser, of a minor version", released("1.2.0", LOOSER), []],
    ["what is looser, of a major version", released("2.0.0", LOOSER), []],
    ["more facts, of a minor version", released("1.2.0", MORE_FACTS), []],
    [
      "more facts, of a patch",
      released("1.1.1", MORE_FACTS),
      ["the changes require a minor version: 1.1.1 must be 1.2.0 or later"]
    ],
    [
      "what is looser, of the same version",
      LOOSER,
      ["the changes require a minor version: 1.1.0 must be 1.2.0 or later"]
    ],
    [
      "what is looser, of a patch",
      released("1.1.1", LOOSER),
      ["the changes require a minor version: 1.1.1 must be 1.2.0 or later"]
    ],
    [
      "what is stricter, of a minor version",
      released("1.9.0", STRICTER),
      ["the changes require a major version: 1.9.0 must be 2.0.0 or later"]
    ],
    ["what is stricter, of a major version", released("2.0.0", STRICTER), []],
    [
      "an older version",
      edited("version: 1.1.0\n", "version: 1.0.0\n"),
      ["version 1.0.0 is older than 1.1.0; it must be 1.1.0 or later"]
    ],
    [
      "a version without an entry",
      edited("version: 1.1.0\n", "version: 1.2.0\n", LOOSER),
      ["`changes` has no entry for 1.2.0"]
    ],
    [
      "an entry that leaves something out",
      released("1.2.0", LOOSER, "[B1]"),
      ["`changes` does not name what changed since 1.1.0: A1"]
    ],
    ["an entry that names it", released("1.2.0", LOOSER, "[A1]"), []]
  ])("holds %s to the version that it owes", (_, text, expected) => {
    assert.deepStrictEqual(faults(text), expected)
  })

  it("of a rubric with itself owes nothing, whatever is in it", () => {
    fc.assert(
      fc.property(fc.array(edit(), { maxLength: 6 }), (some) => {
        const rubric = apply(some)
        if (rubric === null) return
        const { changes, owed } = diffRubrics(rubric, rubric)
        assert.deepStrictEqual({ changes, owed }, { changes: [], owed: "none" })
      })
    )
  })

  it("never calls minor what lowers a score, nor a patch what moves one", () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(
        fc.array(edit(), { minLength: 1, maxLength: 3 }),
        fc.array(siteFacts, { minLength: 20, maxLength: 20 }),
        (some, sites) => {
          const rubric = apply(some)
          if (rubric === null) return
          const { owed } = diffRubrics(small, rubric)
          seen.set(owed, (seen.get(owed) ?? 0) + 1)
          const totalAfter = totals(rubric)
          for (const site of sites) {
            const [before, after] = [totalBefore(site), totalAfter(site)]
            if (owed === "minor") assert.isAtLeast(after, before, JSON.stringify(site))
            if (owed === "none" || owed === "patch") assert.strictEqual(after, before, JSON.stringify(site))
          }
        }
      ),
      { numRuns: 500 }
    )
    for (const bump of ["patch", "minor", "major"])
      assert.isAbove(seen.get(bump) ?? 0, 15, `${bump} was hardly ever tried`)
  })
})

const siteFacts = fc.record({
  A1: fc.record({ links: fc.nat({ max: 5 }), alive: fc.nat({ max: 10 }).map((tenths) => tenths / 10) }),
  B1: fc.record({ kind: fc.constantFrom("none", "good", "best"), open: fc.boolean() })
})

/** What a rubric gives sites, by whatever conditions compile. */
const totals = ({ criteria }: UnboundRubric) => {
  const judges = criteria
    .filter(({ onTrial }) => !onTrial)
    .map(({ definition, levels }) => {
      const compile = compilerFor(smallPlugins.get(definition.plugin)?.facts ?? {})
      const compiled = levels.map(({ earns, status, when }) => ({
        earns,
        status,
        condition: when === undefined ? null : Result.getOrThrow(compile(when))
      }))
      return (facts: Readonly<Record<string, FactRecord>>) => judge(compiled, facts[definition.id] ?? null).earns
    })
  return (facts: Readonly<Record<string, FactRecord>>): number => judges.reduce((sum, earns) => sum + earns(facts), 0)
}

const totalBefore = totals(small)

type Edit = (criteria: ReadonlyArray<CriterionDefinition>) => ReadonlyArray<CriterionDefinition>

/** The small rubric with some edits; `null` where that makes no rubric. */
const apply = (some: ReadonlyArray<Edit>): UnboundRubric | null => {
  const edit: Edit = (criteria) => some.reduce((edited, each) => each(edited), criteria)
  const rubric: Rubric = {
    ...small.rubric,
    categories: small.rubric.categories.map((category) => ({ ...category, criteria: edit(category.criteria) }))
  }
  return Result.getOrNull(
    Effect.runSync(Effect.result(readUnbound(new TextEncoder().encode(stringify(rubric)), "rubric.yaml")))
  )
}

const inLevels =
  (id: string, change: (levels: ReadonlyArray<Level>) => ReadonlyArray<Level>): Edit =>
  (criteria) =>
    criteria.map((criterion) => (criterion.id === id ? { ...criterion, levels: change(criterion.levels) } : criterion))

const status = (earns: number, points: number): Level["status"] =>
  earns === points ? "present" : earns === 0 ? "absent" : "partial"

const condition = fc.oneof(
  fc.nat({ max: 5 }).map((links) => `facts.links >= ${links}`),
  fc
    .tuple(fc.nat({ max: 5 }), fc.nat({ max: 10 }))
    .map(([links, tenths]) => `facts.links >= ${links} && facts.alive >= ${tenths / 10}`),
  fc
    .tuple(fc.nat({ max: 5 }), fc.nat({ max: 10 }))
    .map(([links, tenths]) => `facts.links < ${links} || facts.alive > ${tenths / 10}`),
  fc
    .tuple(fc.nat({ max: 5 }), fc.nat({ max: 2 }))
    .map(([links, least]) => `[facts.links >= ${links}, facts.alive >= 0.5].filter(met, met).size() >= ${least}`)
)

const edit = (): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.lorem({ maxCount: 3 }).map(
      (why): Edit =>
        (criteria) =>
          criteria.map((criterion) => ({ ...criterion, why }))
    ),
    fc
      .tuple(fc.nat({ max: 1 }), condition)
      .map(([at, when]) =>
        inLevels("A1", (levels) =>
          levels.map((level, index) => (index === at && level.when !== undefined ? { ...level, when } : level))
        )
      ),
    fc
      .tuple(fc.nat({ max: 1 }), fc.nat({ max: 5 }))
      .map(([at, number]) =>
        inLevels("A1", (levels) =>
          levels.map((level, index) =>
            index === at && level.when !== undefined
              ? { ...level, when: level.when.replace(/>= \d+/u, `>= ${number}`) }
              : level
          )
        )
      ),
    fc
      .tuple(fc.nat({ max: 1 }), fc.integer({ min: 1, max: 59 }))
      .map(([at, earns]) =>
        inLevels("A1", (levels) =>
          levels.map((level, index) =>
            index === at + 1 && level.when !== undefined ? { ...level, earns, status: status(earns, 60) } : level
          )
        )
      ),
    fc
      .tuple(fc.integer({ min: 1, max: 59 }), condition)
      .map(([earns, when]) =>
        inLevels("A1", (levels) =>
          [...levels, { earns, when, status: status(earns, 60) }].toSorted((one, other) => other.earns - one.earns)
        )
      ),
    fc
      .nat({ max: 1 })
      .map((at) =>
        inLevels("A1", (levels) => levels.filter((_, index) => index !== at + 1 || index === levels.length - 1))
      ),
    fc
      .constantFrom('facts.kind == "best"', 'facts.kind in ["best", "good"] && facts.open', "facts.open")
      .map((when) =>
        inLevels("B1", (levels) => levels.map((level) => (level.when === undefined ? level : { ...level, when })))
      )
  )
