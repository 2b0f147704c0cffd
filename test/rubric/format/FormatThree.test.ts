import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { diffRubrics } from "../../../engine/rubric/diff/RubricDiff.ts"
import type { BaseRubric } from "../../../engine/rubric/extends/BaseRubric.ts"
import { extendedRubric } from "../../../engine/rubric/extends/ExtendedRubric.ts"
import { formatTwoTree, isFormatThree } from "../../../engine/rubric/format/FormatTwoTree.ts"
import { formatThreeText } from "../../../engine/rubric/format/FormatThreeText.ts"
import { checkRubric, loadRubric, readUnbound, type UnboundRubric } from "../../../engine/rubric/RubricFile.ts"
import { looseNumbers } from "../../../engine/rubric/lint/CheckRules.ts"
import { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { sourceText } from "../../../engine/rubric/source/SourceText.ts"
import { readYamlSource } from "../../../engine/rubric/source/YamlSource.ts"
import { withNumbers } from "../../../engine/rubric/rules/Texts.ts"
import type { Problem } from "../../../engine/rubric/source/Problem.ts"
import { plugins } from "../../../plugins/index.ts"
import { edited, smallPlugins, smallRubric } from "../smallRubric.ts"

const ROOT = resolve(import.meta.dirname, "../../..")
const RELEASED = join(ROOT, "test/rubric/released")

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const unbound = (text: string): UnboundRubric => Effect.runSync(readUnbound(bytes(text), "rubric.yaml"))
const inThree = (rubric: UnboundRubric): string => formatThreeText(rubric.asWritten, rubric.formatThree)
const load = (text: string) => Effect.runSync(loadRubric(bytes(text), "rubric.yaml", smallPlugins))

/** A problem in one line: `line:column rule: message (hint)`. */
const inShort = ({ column, hint, line, message, rule }: Problem): string =>
  `${line}:${column} ${rule}: ${message}${hint === null ? "" : ` (${hint})`}`

const saidOf = (text: string): ReadonlyArray<string> =>
  Effect.runSync(
    Effect.match(
      checkRubric(bytes(text), "rubric.yaml", smallPlugins, (draft, _, { source }) => looseNumbers(draft, source)),
      {
        onFailure: ({ problems }) => problems.map(inShort),
        onSuccess: ({ warnings }) => warnings.map(inShort)
      }
    )
  )

/** The small rubric in format 3, with a check that counts twice, and numbers in its texts. */
const small = `format: 3
id: small
version: 1.1.0
title: Is it small?
verdicts:
- { from: 50, word: Good, meaning: Enough. }
- { from: 0, word: Poor, meaning: Too little. }
categories:
- { id: A, key: A_first, title: First, points: 60, why: It comes first. }
- { id: B, key: B_second, title: Second, points: 40, why: It comes second. }
criteria:
- id: A1
  title: There are links
  plugin: has-links@2
  params: { sample: 5 }
  checks:
    many: links >= 3
    alive: { counts: 2, when: alive >= 0.9 }
  points: { 60: checks == 3, 20: links >= 1 && !many || checks >= 2 }
  why: Links lead on.
  how: We count {links} links of {sample}, of which {alive} answer; \`{sample}\` is code.
  effort: minutes
  steps:
  - many: Add links.
  - { do: Repair links., unless: alive || links == 0 }
  - Do both for {points} points, or one of them for {points.partial}.
  - do: Go on.
  read: [{ title: Links, url: https://www.rfc-editor.org/rfc/rfc9309 }]
- id: B1
  title: There is a kind
  plugin: has-kind@1
  points:
    40: kind == "best" && open
  why: Kinds matter.
  how: It is looked up.
  effort: days
  steps:
  - open: Have one.
  read: [https://www.rfc-editor.org/rfc/rfc9309]
experimental:
- id: B2
  title: It is tried
  plugin: on-trial@1
  points: { 10: open }
  why: One has to try.
  how: By looking.
  effort: hours
  steps: [Open it.]
  read: [https://www.rfc-editor.org/rfc/rfc9309]
recipes:
  mkdocs:
  - { criteria: [A1, B1], do: Install it., url: https://www.mkdocs.org/ }
changes:
- { version: 1.1.0, date: 2026-02-01, what: B2 on trial., criteria: [B2] }
- { version: 1.0.0, date: 2026-01-01, what: First release., criteria: all }
`

describe("a rubric of format 3", () => {
  const { criteria, experimental, rubric } = load(small)
  const [first, second] = criteria.map(({ definition }) => definition)

  it("is spelt out as format 2: levels from points, conditions over facts", () => {
    expect(first).toMatchObject({
      plugin: "has-links",
      revision: 2,
      points: 60,
      levels: [
        {
          status: "present",
          earns: 60,
          when: "[facts.links >= 3].filter(met, met).size() + (facts.alive >= 0.9 ? 2 : 0) == 3"
        },
        {
          status: "partial",
          earns: 20,
          when: "facts.links >= 1 && !(facts.links >= 3) || [facts.links >= 3].filter(met, met).size() + (facts.alive >= 0.9 ? 2 : 0) >= 2"
        },
        { status: "absent", earns: 0 }
      ]
    })
    expect(second).toMatchObject({ params: {}, levels: [{ when: 'facts.kind == "best" && facts.open' }, {}] })
    expect([rubric.format, rubric.categories.map(({ criteria }) => criteria.length)]).toEqual([2, [1, 1]])
    expect(experimental.map(({ category, definition }) => [category, definition.id])).toEqual([["B", "B2"]])
  })

  it("knows when a step is done: by its check, its flag, its condition, full points, or never", () => {
    expect([...(first?.remedy.steps ?? []), ...(second?.remedy.steps ?? [])]).toEqual([
      { do: "Add links.", unless: "facts.links >= 3" },
      { do: "Repair links.", unless: "facts.alive >= 0.9 || facts.links == 0" },
      {
        do: "Do both for 60 points, or one of them for 20.",
        unless: "[facts.links >= 3].filter(met, met).size() + (facts.alive >= 0.9 ? 2 : 0) == 3"
      },
      "Go on.",
      { do: "Have one.", unless: "facts.open" }
    ])
  })

  it("puts numbers into its texts, but not into code", () => {
    expect(first?.how).toBe("We count 3 links of 5, of which 90% answer; `{sample}` is code.")
  })

  it("gives the title of a link once, and a recipe to each criterion that it serves", () => {
    expect(second?.references).toEqual([{ title: "Links", url: "https://www.rfc-editor.org/rfc/rfc9309" }])
    expect([first?.remedy.recipes, second?.remedy.recipes]).toEqual([
      { mkdocs: { do: "Install it.", url: "https://www.mkdocs.org/" } },
      { mkdocs: { do: "Install it.", url: "https://www.mkdocs.org/" } }
    ])
  })

  it("is written as its author has it", () => {
    const again = inThree(unbound(small))
    expect(unbound(again).asWritten).toEqual(unbound(small).asWritten)
    expect(again).toContain("checks: { many: links >= 3, alive: { counts: 2, when: alive >= 0.9 } }\n")
    expect(again).toContain("how: We count {links} links of {sample}, of which {alive} answer; `{sample}` is code.")
    expect(again).toContain("- many: Add links.\n")
    expect(inThree(unbound(again))).toBe(again)
  })

  it("tells a criterion that is there in part and earns nothing", () => {
    const unpaid = edited("points: { 10: open }", "points: { 10: open, 0: open || !open }", small)
    expect(unbound(unpaid).rubric.experimental?.[0]?.levels).toEqual([
      { status: "present", earns: 10, when: "facts.open" },
      { status: "partial", earns: 0, when: "facts.open || !facts.open" },
      { status: "absent", earns: 0 }
    ])
  })

  it("names facts by words that CEL reserves", () => {
    const text = edited(
      "- open: Have one.",
      "- package: Have one.",
      edited('kind == "best" && open', '"!package"', small)
    )
    expect(unbound(text).rubric.categories[1]?.criteria[0]?.levels[0]?.when).toBe("!facts.package")
  })
})

describe("the way from format 2 to format 3", () => {
  const files = [join(ROOT, "rubric.yaml"), ...readdirSync(RELEASED).map((name) => join(RELEASED, name))]
  const read = files.map((file) => readFileSync(file, "utf8"))

  it.each(read.map((text) => [unbound(text).rubric.version, text] as const))(
    "changes nothing in %s, and back again",
    (_, text) => {
      const before = unbound(text)
      const written = inThree(before)
      const after = unbound(written)
      expect(written).toMatch(/^format: 3\n/)
      expect(diffRubrics(before, after)).toMatchObject({ changes: [], faults: [] })
      expect({ ...after.rubric, format: 0 }).toEqual({ ...before.rubric, format: 0 })
      expect(inThree(after)).toBe(written)
    }
  )

  it("leaves our own rubric's verdicts as they are, in lines of at most 120 columns where its words allow it", async () => {
    const [own = ""] = read
    const written = inThree(unbound(own))
    const two = await Effect.runPromise(loadRubric(bytes(own), "rubric.yaml", plugins))
    const three = await Effect.runPromise(loadRubric(bytes(written), "rubric.yaml", plugins))
    expect(three.criteria.map(({ levels }) => levels.map(({ condition }) => condition?.text))).toEqual(
      two.criteria.map(({ levels }) => levels.map(({ condition }) => condition?.text.replace(/\s+/g, " ")))
    )
    expect(
      Math.max(
        ...written
          .split("\n")
          .filter((line) => !/https:|^- \{ id: /.test(line))
          .map((line) => line.length)
      )
    ).toBeLessThanOrEqual(120)
  })

  it("keeps the small rubric of format 1, whose steps are always advised", () => {
    const written = inThree(unbound(smallRubric))
    expect(written).toContain("- do: Add links.\n")
    expect({ ...load(written).rubric, format: 1 }).toEqual(load(smallRubric).rubric)
  })
})

/** A base, and what a file that extends it comes to. */
const baseOf = (text: string): BaseRubric => {
  const source = sourceText("base.yaml", text)
  const { root } = readYamlSource(source)
  if (root === null) throw new Error("the base is not YAML")
  const name = { id: "small", version: "1.1.0", digest: "sha256:0" }
  if (!isFormatThree(root)) return { ...name, root, formatThree: new Map(), format: 2 }
  const spelt = formatTwoTree(root, source)
  return { ...name, root: spelt.root, formatThree: spelt.criteria, format: 3 }
}

const extended = (base: BaseRubric, criteria: string) => {
  const source = sourceText("house.yaml", `extends: small@1\ncriteria:\n${criteria}`)
  const { root } = readYamlSource(source)
  if (root === null) throw new Error("the file is not YAML")
  const whole = extendedRubric(root, base, root.span, source)
  const { criteria: [criterion] = [] } = Schema.decodeUnknownSync(Rubric)(whole.root.plain).categories[0] ?? {}
  return { criterion, said: [...whole.diagnostics, ...whole.faults].map(({ message }) => message), whole }
}

/** The small rubric of format 2 whose level counts, and whose step is done where one of what it counts holds. */
const counting = edited(
  "[Add links.]",
  '[{ do: Add links., unless: "facts.links >= 3" }, { do: Go on., unless: "facts.alive >= 0.9" }]',
  edited(
    '"facts.links >= 3 && facts.alive >= 0.9"',
    '"[facts.links >= 3, facts.alive >= 0.9].filter(met, met).size() == 2"',
    edited("format: 1", "format: 2")
  )
)

describe("a change in format 3", () => {
  it.each([
    ["2", baseOf(counting), "links"],
    ["3", baseOf(edited("- many: Add links.", "- many: Add links.\n  - alive: Go on.", small)), "many"]
  ])("of a base of format %s changes one level, check or step, and leaves the others", (_, base, name) => {
    const { criterion, said } = extended(
      base,
      `- id: A1
  checks: { ${name}: links >= 7 }
  points: { 20: links >= 2 }
  steps: { alive: Repair the links. }
`
    )
    expect(said).toEqual([])
    expect(criterion?.levels.map(({ earns }) => earns)).toEqual([60, 20, 0])
    expect(criterion?.levels[0]?.when).toMatch(/^\[facts\.links >= 7/)
    expect(criterion?.levels[1]?.when).toBe("facts.links >= 2")
    expect(criterion?.remedy.steps).toEqual(
      expect.arrayContaining([
        { do: "Add links.", unless: "facts.links >= 7" },
        { do: "Repair the links.", unless: "facts.alive >= 0.9" }
      ])
    )
  })

  it("adds a level where its points place it, and removes what is empty", () => {
    const { criterion } = extended(
      baseOf(counting),
      "- { id: A1, points: { 40: links >= 2, 20: }, steps: { alive: } }\n"
    )
    expect(criterion?.levels.map(({ earns, status, when }) => [earns, status, when])).toEqual([
      [60, "present", "[facts.links >= 3, facts.alive >= 0.9].filter(met, met).size() == 2"],
      [40, "partial", "facts.links >= 2"],
      [0, "absent", undefined]
    ])
    expect(criterion?.remedy.steps).toEqual([{ do: "Add links.", unless: "facts.links >= 3" }])
  })

  it("is told by its keys, and one of format 2 still changes a base of format 3", () => {
    const { criterion, said } = extended(
      baseOf(small),
      `- id: A1
  levels:
  - { status: present, earns: 60, when: facts.links >= 9 }
  - { status: absent, earns: 0 }
  remedy: { steps: [Add nine links.] }
`
    )
    expect(said).toEqual([])
    expect([criterion?.levels.length, criterion?.levels[0]?.when, criterion?.remedy]).toMatchObject([
      2,
      "facts.links >= 9",
      { effort: "minutes", steps: ["Add nine links."] }
    ])
  })

  it("of a param shows in the texts of the base", () => {
    const { whole } = extended(baseOf(small), "- { id: A1, params: { sample: 7 } }\n")
    const rubric = withNumbers(Schema.decodeUnknownSync(Rubric)(whole.root.plain))
    expect(rubric.categories[0]?.criteria[0]?.how).toContain("3 links of 7, of which 90%")
  })

  it("under the base's name earns the points of the base, and is measured by its plugin", () => {
    const { said } = extended(baseOf(small), "- { id: A1, plugin: has-kind@1, points: { 50: links >= 1 } }\n")
    expect(said).toEqual(["A1 of small is measured by has-links", "the levels of A1 of small earn 60, 20, 0, not 50"])
  })
})

/** Mistakes: what is wrong, the file, and all that is said of it. */
const mistakes: ReadonlyArray<readonly [what: string, text: string, said: ReadonlyArray<string>]> = [
  ["nothing", small, []],
  [
    "a misspelt fact in a check that three conditions use",
    edited("many: links >= 3", "many: lnks >= 3", small),
    ['17:11 condition: the plugin has no fact "lnks" (did you mean "links"?)']
  ],
  [
    "a check that is no CEL",
    edited("many: links >= 3", "many: links >= 3 &&", small),
    ["17:23 condition: the condition does not read as CEL: unexpected token: end of condition"]
  ],
  [
    "points whose condition is no CEL",
    edited("20: links >= 1 && !many || checks >= 2", "20: links >= 1 and many", small),
    [
      '19:45 condition: the condition does not read as CEL: unexpected character: \'d\' ("and", "or" and "not" are written "&&", "||" and "!")'
    ]
  ],
  [
    "a misspelt fact in points",
    edited("40: kind", "40: knd", small),
    ['33:9 condition: the plugin has no fact "knd" (did you mean "kind"?)']
  ],
  [
    "facts with a prefix",
    edited("40: kind", "40: facts.kind", small),
    ["33:9 condition: format 3 names facts without `facts.` (leave `facts.` out)"]
  ],
  [
    "checks that are not there",
    edited('40: kind == "best"', "40: checks >= 1", small),
    ["33:9 condition: there are no checks to count (name conditions under `checks`; a check itself reads facts only)"]
  ],
  [
    "a misspelt check of a step",
    edited("- many: Add", "- mny: Add", small),
    ['24:5 value: there is no check "mny" (did you mean "many"?)']
  ],
  [
    "a step under a name that is neither check nor fact",
    edited("- many: Add", "- zebra: Add", small),
    ['24:5 condition: the plugin has no fact "zebra" (it has links, alive)']
  ],
  [
    "a step of two checks",
    edited("- many: Add links.", "- { many: Add links., alive: Repair them. }", small),
    ["24:7 value: a step is a text, a text under the name of a check, or `do` with `unless` (write one step a dash)"]
  ],
  [
    "a misspelt key of a step",
    edited("unless: alive", "unles: alive", small),
    ['25:26 unknown_key: unknown key "unles" (did you mean "unless"?)']
  ],
  [
    "a check named like a key",
    edited("many: links >= 3", "do: links >= 3", edited("- many: ", "- alive: ", edited("!many", "!do", small))),
    [
      '17:5 value: a check cannot be named "do" (take lower-case letters, digits and "_", and none of do, unless, facts, checks, met)'
    ]
  ],
  [
    "a plugin without its revision",
    edited("has-kind@1", "has-kind", small),
    ['31:11 value: "plugin" must be a plugin and its revision, such as b4-metadata@3']
  ],
  [
    "another revision",
    edited("has-kind@1", "has-kind@2", small),
    [
      "31:11 plugin: the plugin is at revision 1, the rubric at 2 (see what its facts mean now, then pin that revision in a new version of the rubric)"
    ]
  ],
  [
    "points that rise",
    edited("{ 60: checks == 3, 20: links >= 1 && !many || checks >= 2 }", "{ 20: links >= 1, 60: checks == 3 }", small),
    [
      "9:48 points: the criteria of category A come to 20 points, not 60",
      "19:29 levels: a level must earn less than the one before it, which earns 20",
      "19:33 unreachable_level: no facts can reach this level: earlier ones hold wherever this one does"
    ]
  ],
  [
    "points that are no number",
    edited("{ 10: open }", "{ ten: open }", small),
    [
      '44:13 levels: "ten" is not a number of points (write points and their conditions, such as `points: { 2: dated >= 0.8, 1: dated > 0.0 }`)'
    ]
  ],
  [
    "points as a number",
    edited("points: { 10: open }", "points: 10", small),
    ['44:11 value: "points" must be a map, not 10']
  ],
  [
    "keys of format 2",
    edited("  effort: days\n", "  effort: days\n  levels: []\n", small),
    [
      '37:3 unknown_key: unknown key "levels" (the keys are id, title, plugin, measure, needs, applies, params, checks, points, why, how, effort, steps, recipes, read, evidence, deprecated)'
    ]
  ],
  [
    "a criterion without a category",
    edited("- id: B1", "- id: C1", edited("criteria: [A1, B1], do", "criteria: [A1, C1], do", small)),
    [
      '8:1 plugin: the plugin "has-kind" has no criterion (add one, under "experimental" where it is on trial)',
      '29:7 value: there is no category "C" for C1 (add it to "categories", or take another letter: there are A, B)'
    ]
  ],
  [
    "a link without a title",
    edited("read: [https://www.rfc-editor.org/rfc/rfc9309]", "read: [https://llmstxt.org/]", small),
    [
      "39:10 value: no title is given for this URL (write `{ title: …, url: … }` once; further mentions may be the URL alone)"
    ]
  ],
  [
    "a recipe for a criterion that there is not",
    edited("criteria: [A1, B1], do", "criteria: [A1, B7], do", small),
    ['52:22 value: there is no criterion "B7" (did you mean "B1"?)']
  ],
  [
    "a name in a text that stands for no number",
    edited("{links} links of {sample}", "{links} links of {smple}", small),
    [
      '21:34 text_number: "smple" is no param of this criterion, and no fact that a condition compares with a number (did you mean "sample"?)'
    ]
  ],
  [
    "points in a text that are not there",
    edited("By looking.", "By looking, for {points.partial} points.", small),
    [
      '46:24 text_number: "points.partial" is no param of this criterion, and no fact that a condition compares with a number (the points are {points}, {points.partial} and {points.lowest})'
    ]
  ],
  [
    "a number in a text that is none of the criterion's",
    edited("Links lead on.", "Links lead on, with 90% or 80% of 1,000 pages, and 20 points.", small),
    [
      "20:35 loose_number: 80% is no number of this criterion's levels, steps, params or points (name it in braces, such as {points}, if it is one of them; else put it in back-ticks)",
      "20:42 loose_number: 1,000 is no number of this criterion's levels, steps, params or points (name it in braces, such as {points}, if it is one of them; else put it in back-ticks)"
    ]
  ]
]

describe("a mistake in format 3 is told at its place", () => {
  it.each(mistakes)("%s", (_, text, said) => expect(saidOf(text)).toEqual(said))
})
