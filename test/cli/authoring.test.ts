import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type CriterionNames, criterionNames } from "../../cli/authoring/CriterionNames.ts"
import { rubricEntry, withNewEntry, withPlugin } from "../../cli/authoring/NewCriterion.ts"
import { diffRubrics } from "../../engine/rubric/diff/RubricDiff.ts"
import { formatThreeText } from "../../engine/rubric/format/FormatThreeText.ts"
import { readUnbound } from "../../engine/rubric/RubricFile.ts"
import { edited, smallRubric } from "../rubric/smallRubric.ts"

const read = (text: string) => Effect.runSync(readUnbound(new TextEncoder().encode(text), "rubric.yaml"))

const rubric = read(smallRubric)
const taken = { criteria: new Set(["A1", "B1", "B2", "A3"]), plugins: new Set(["a1-has-links", "b1-has-kind"]) }

const namesOf = (id: string, category: string, title = "There is a glossary") =>
  criterionNames({ id, category, title }, rubric, taken)
const refusal = (id: string, category: string, title?: string) =>
  Result.match(namesOf(id, category, title), { onFailure: (reason) => reason, onSuccess: () => null })

describe("the names of a new criterion", () => {
  it.each([
    ["A7", "A", "A7", "a7-glossary", "a7Glossary"],
    ["glossary", "A", "A2", "a2-glossary", "a2Glossary"],
    ["has-a-glossary", "b", "B3", "b3-has-a-glossary", "b3HasAGlossary"],
    ["a7-words-2go", "A_first", "A7", "a7-words-2go", "a7Words2go"]
  ])("follow from %s in %s", (id, category, criterion, plugin, exported) => {
    const names = Result.getOrThrow(namesOf(id, category))
    assert.deepStrictEqual([names.criterion, names.plugin, names.exported], [criterion, plugin, exported])
  })

  it.each([
    ["A1", "A", undefined, "A1 is taken, and ids are never reused. A2 is free"],
    ["A3", "A", undefined, "A3 is taken, and ids are never reused. A2 is free"],
    ["A7", "B", undefined, "A7 does not belong to category B: its criteria are B1, B2 and so on"],
    ["b7-x", "A", undefined, "B7 does not belong to category A: its criteria are A1, A2 and so on"],
    ["has-links", "B", undefined, "a plugin named a1-has-links already exists. Use another name"],
    [
      "Has_Links",
      "A",
      undefined,
      '"Has_Links" is not a valid name of a criterion. Use an id, such as A2, or a short name in lower case, such as has-glossary'
    ],
    [
      "../../x",
      "A",
      undefined,
      '"../../x" is not a valid name of a criterion. Use an id, such as A2, or a short name in lower case, such as has-glossary'
    ],
    [
      "x".repeat(60),
      "A",
      undefined,
      `"${"x".repeat(60)}" is not a valid name of a criterion. Use an id, such as A2, or a short name in lower case, such as has-glossary`
    ],
    [
      "A7",
      "A",
      "The 字",
      'the title "The 字" has no word for a file name. Use a name instead of A7, such as has-glossary'
    ],
    ["glossary", "Z", undefined, 'there is no category "Z"; the categories are A, B']
  ])("are refused: %s in %s", (id, category, title, reason) => {
    assert.strictEqual(refusal(id, category, title), reason)
  })
})

const names: CriterionNames = Result.getOrThrow(namesOf("A7", "A"))

/** An entry as the small rubric has them, in format 2. */
const ENTRY_TWO = `- id: A7
  category: A
  plugin: a7-glossary
  revision: 1
  title: 'It is "so": yes'
  points: 2
  params: {}
  levels:
    - { status: present, earns: 2, when: "facts.matching >= 0.8" }
    - { status: absent, earns: 0 }
  why: A word that is explained is understood.
  how: It is looked up.
  remedy: { effort: days, steps: [Write one.] }
  references: [{ title: Words, url: "https://example.com/words" }]
`

const entry = (released: string | null) => ({
  criterion: "A7",
  title: 'It is "so": yes',
  text: ENTRY_TWO,
  date: "2026-05-01",
  released
})

const added = (text: string, released: string | null) => withNewEntry("rubric.yaml", text, read(text), entry(released))

const WITHOUT_TRIALS = smallRubric.replace(/experimental:[^]*?changes:/u, "changes:").replace("[B2]", "[B1]")

describe("a rubric with one more criterion", () => {
  it.each([
    ["after the trials that there are", smallRubric],
    ["where there were none", WITHOUT_TRIALS],
    [
      "where the list is not indented",
      smallRubric.replace(
        /experimental:\n([^]*?)changes:/u,
        (_, block: string) => `experimental:\n${block.replace(/^ {2}/gmu, "")}changes:`
      )
    ],
    [
      "where trials come last",
      `${smallRubric.replace(/experimental:[^]*?(?=changes:)/u, "")}${/experimental:[^]*?(?=changes:)/u.exec(smallRubric)?.[0] ?? ""}`
    ]
  ])("is the same rubric otherwise, %s", (_, text) => {
    const edited = Result.getOrThrow(added(text, "1.1.0"))
    const { changes, faults, owed } = diffRubrics(read(text), read(edited))
    assert.deepStrictEqual(
      changes.map(({ subject, what }) => [subject, what]),
      [["A7", 'new experimental criterion: `It is "so": yes`']]
    )
    assert.deepStrictEqual([owed, faults], ["minor", []])
    assert.strictEqual(read(edited).rubric.version, "1.2.0")
    assert.isTrue(
      text.split("\n").every((line) => line.startsWith("version:") || edited.includes(line)),
      "no other line is touched"
    )
  })

  it("is of format 3 where the rubric is", () => {
    const { asWritten, formatThree } = read(smallRubric)
    const text = formatThreeText(asWritten, formatThree)
    const three = { ...entry("1.1.0"), text: rubricEntry(names, 'It is "so": yes') }
    const edited = read(Result.getOrThrow(withNewEntry("rubric.yaml", text, read(text), three)))
    assert.deepStrictEqual(
      diffRubrics(read(text), edited).changes.map(({ subject, what }) => [subject, what]),
      [["A7", 'new experimental criterion: `It is "so": yes`']]
    )
    assert.isTrue(edited.formatThree.has("A7"))
  })

  it("keeps the version of one that is not released, and names the criterion in its entry", () => {
    const { rubric: next } = read(Result.getOrThrow(added(smallRubric, "1.0.0")))
    assert.strictEqual(next.version, "1.1.0")
    assert.deepStrictEqual(next.changes[0]?.criteria, ["B2", "A7"])
  })

  it("raises a patch that is not released to a minor version", () => {
    const text = edited("version: 1.1.0, date", "version: 1.0.1, date", edited("version: 1.1.0\n", "version: 1.0.1\n"))
    const { rubric: next } = read(Result.getOrThrow(added(text, "1.0.0")))
    assert.deepStrictEqual(
      [next.version, next.changes[0]?.version, next.changes[0]?.criteria],
      ["1.1.0", "1.1.0", ["B2", "A7"]]
    )
  })

  it("keeps its version where nothing was ever released, and an entry of all", () => {
    assert.strictEqual(read(Result.getOrThrow(added(smallRubric, null))).rubric.version, "1.1.0")
    const all = edited("criteria: [B2]", "criteria: all")
    assert.strictEqual(read(Result.getOrThrow(added(all, "1.0.0"))).rubric.changes[0]?.criteria, "all")
  })

  it.each([
    [
      "trials in one line",
      edited("experimental:\n", "x:\n")
        .replace(/x:[^]*?(?=changes:)/u, "experimental: []\n")
        .replace("[B2]", "[B1]"),
      '"experimental" in rubric.yaml is not a block list of criteria. Rewrite it as one, or remove it if it is empty'
    ],
    [
      "a history in one line",
      smallRubric.replace(
        /changes:[^]*/u,
        'changes: [{ version: 1.1.0, date: 2026-01-01, what: "x", criteria: [A1] }]\n'
      ),
      '"changes" in rubric.yaml is not a block list'
    ],
    [
      "criteria of an entry as a block",
      edited(
        "{ version: 1.1.0, date: 2026-02-01, what: B2 on trial., criteria: [B2] }",
        "version: 1.1.0\n    date: 2026-02-01\n    what: More.\n    criteria:\n      - B2"
      ),
      'the newest entry under "changes" in rubric.yaml does not list its criteria in brackets, such as [A1, B2]'
    ]
  ])("is refused where the file has %s", (what, text, reason) => {
    const result = added(text, what.startsWith("criteria") ? "1.0.0" : "1.1.0")
    assert.strictEqual(Result.isFailure(result) ? result.failure : null, reason)
  })
})

describe("the list of plugins with one more", () => {
  const index = readFileSync(new URL("../../plugins/index.ts", import.meta.url), "utf8")
  const own = { ...names, category: { ...names.category, key: "A_discovery" } }

  it("has one more line in the imports, and one at the end of the list", () => {
    const edited = Result.getOrThrow(withPlugin("plugins/index.ts", index, own))
    const lines = edited.split("\n").filter((line) => !index.split("\n").includes(line))
    assert.deepStrictEqual(
      lines.filter((line) => line.includes("a7Glossary")),
      ['import { a7Glossary } from "./a-discovery/a7-glossary.ts"', "    register(a7Glossary)"]
    )
    assert.strictEqual(edited.split("\n").length, index.split("\n").length + 2)
  })

  it.each([
    ["by a call at its end", index.replace("\n  ])", "\n  ].slice())")],
    ["by hand", "export const plugins = []\n"]
  ])("is refused where it is laid out otherwise, %s", (_, text) => {
    assert.isTrue(Result.isFailure(withPlugin("plugins/index.ts", text, own)))
  })
})
