import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Problem, render } from "../../engine/rubric/source/Problem.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { edited, smallPlugins, smallRubric, withOutgoing } from "./smallRubric.ts"

const load = (text: string) => loadRubric(new TextEncoder().encode(text), "rubric.yaml", smallPlugins)

const problemsOf = (bytes: Uint8Array): Effect.Effect<ReadonlyArray<Problem>> =>
  loadRubric(bytes, "rubric.yaml", smallPlugins).pipe(
    Effect.match({ onFailure: ({ problems }) => problems, onSuccess: () => [] })
  )

/** A problem in one line: `line:column rule: message (hint)`. */
const inShort = ({ column, hint, line, message, rule }: Problem): string =>
  `${line}:${column} ${rule}: ${message}${hint === null ? "" : ` (${hint})`}`

/** The small rubric, its first remedy done where the condition holds. */
const withUnless = (condition: string): string => edited("[Add links.]", `[{ do: Add links., unless: "${condition}" }]`)

const formatTwo = (text: string): string => edited("format: 1", "format: 2", text)

const PARTIAL = 'when: "facts.links >= 1"'

/** Mistakes: what is wrong, the file, and all that is said of it. */
const mistakes: ReadonlyArray<readonly [what: string, text: string, said: ReadonlyArray<string>]> = [
  ["an empty file", "", ["1:1 file: the file is empty"]],
  ["nothing but comments", "# none\n", ["1:1 file: the file is empty"]],
  ["a list instead of a map", "- a\n- b\n", ["1:1 value: a rubric must be a map, not a list"]],
  ["a word instead of a map", "hello\n", ["1:1 value: a rubric must be a map, not text"]],
  ["a tab", edited("    title: First", "\ttitle: First"), ["11:1 yaml: a tab cannot indent YAML (indent with spaces)"]],
  [
    "a key given twice",
    edited("    title: First", "    title: First\n    title: Again"),
    ['12:5 duplicate_key: "title" is given twice (remove one of the two)']
  ],
  [
    "a misspelt key",
    edited("    title: First", "    tilte: First"),
    ['11:5 unknown_key: unknown key "tilte" (did you mean "title"?)']
  ],
  [
    "a key that is like no other",
    edited("    title: First", "    title: First\n    zebra: 1"),
    ['12:5 unknown_key: unknown key "zebra" (the keys are id, key, title, points, why, criteria)']
  ],
  [
    "a key that every object has",
    edited("    title: First", "    title: First\n    __proto__: 1"),
    ['12:5 unknown_key: unknown key "__proto__" (the keys are id, key, title, points, why, criteria)']
  ],
  ["a missing key", edited("    title: First\n", ""), ['9:5 missing_key: "title" is missing']],
  ["an empty value", edited("title: First", "title:"), ['11:11 value: "title" must be text, not empty']],
  ["a blank text", edited("title: First", 'title: " "'), ['11:12 value: "title" must not be blank']],
  [
    "a control character",
    edited("title: First", "title: Fi\u0007rst"),
    ['11:12 value: "title" must not hold control characters']
  ],
  [
    "text for a number",
    edited("points: 60\n    why", "points: sixty\n    why"),
    ['12:13 value: "points" must be a number, not text']
  ],
  [
    "a fraction of a point",
    edited("points: 60\n    why", "points: 1.5\n    why"),
    ['12:13 value: "points" must be an integer']
  ],
  ["another format", edited("format: 1", "format: 4"), ['1:9 value: "format" must be the number 1, 2 or 3, not 4']],
  [
    "what format 1 lacks",
    edited(
      "        params: { sample: 5 }",
      "        needs: [B1]\n        params: { sample: 5 }",
      withUnless("facts.links >= 3")
    ),
    [
      '20:9 value: "needs" is not part of format 1 (say `format: 2` at the top of the file)',
      '28:42 value: "do" is not part of format 1 (say `format: 2` at the top of the file)',
      '28:58 value: "unless" is not part of format 1 (say `format: 2` at the top of the file)'
    ]
  ],
  [
    "a step that is done by an unknown fact",
    formatTwo(withUnless("facts.lnks >= 3")),
    ['27:73 condition: the plugin has no fact "lnks" (did you mean "links"?)']
  ],
  [
    "a step that is neither text nor a map",
    edited("[Add links.]", "[3]"),
    ['27:40 value: each of "steps" must be text, or a map with `do` and `unless`, not 3']
  ],
  [
    "a step without an instruction",
    formatTwo(edited("[Add links.]", '[{ unless: "facts.links >= 3" }]')),
    ['27:42 missing_key: "do" is missing']
  ],
  [
    "a need that is no criterion",
    formatTwo(edited("        params: { sample: 5 }", "        needs: [B9]\n        params: { sample: 5 }")),
    ['20:17 value: there is no criterion "B9" (did you mean "B1"?)']
  ],
  [
    "a criterion that needs itself",
    formatTwo(edited("        params: { sample: 5 }", "        needs: [A1]\n        params: { sample: 5 }")),
    ["20:17 value: a criterion cannot need itself"]
  ],
  [
    "criteria that need each other",
    formatTwo(
      edited(
        "        params: { sample: 5 }",
        "        needs: [B1]\n        params: { sample: 5 }",
        edited("        params: {}", "        needs: [A1]\n        params: {}")
      )
    ),
    ["20:17 value: B1 needs A1 itself", "41:17 value: A1 needs B1 itself"]
  ],
  [
    "a site that nothing is known of",
    formatTwo(edited("        params: { sample: 5 }", "        applies: site.wiki\n        params: { sample: 5 }")),
    ['20:18 value: "applies" cannot be "site.wiki" (it is one of site.http_api)']
  ],
  [
    "a recipe for an unknown generator",
    formatTwo(
      edited(
        "steps: [Add links.]",
        'steps: [Add links.], recipes: { sphynx: { do: Use it., url: "https://example.org/" } }'
      )
    ),
    ['27:64 unknown_key: unknown key "sphynx" (did you mean "sphinx"?)']
  ],
  [
    "a misspelt status",
    edited("status: partial", "status: partal"),
    ['23:23 value: "status" cannot be "partal" (did you mean "partial"?)']
  ],
  ["a remedy without effort", edited("effort: low, ", ""), ['27:19 missing_key: "effort" is missing']],
  ["no steps", edited("[Add links.]", "[]"), ['27:32 value: "steps" must not be empty']],
  [
    "a reference that is no address",
    edited("https://www.rfc-editor.org/rfc/rfc9309", "example.org"),
    ['28:43 value: "url" must be an https URL']
  ],
  [
    "a condition on an unknown fact",
    edited(PARTIAL, 'when: "facts.lnks >= 1"'),
    ['23:56 condition: the plugin has no fact "lnks" (did you mean "links"?)']
  ],
  [
    "an unknown fact in a folded text",
    edited("facts.open\n", "facts.opn\n"),
    ['46:21 condition: the plugin has no fact "opn" (did you mean "open"?)']
  ],
  [
    "a condition that is a number",
    edited(PARTIAL, "when: facts.links"),
    ['23:49 condition: the condition gives a number, not true or false (compare it, as in "… >= 1")']
  ],
  [
    "a condition that is not CEL",
    edited(PARTIAL, 'when: "facts.links => 1"'),
    ['23:62 condition: the condition does not read as CEL: unexpected character: = (equality is written "==")']
  ],
  [
    "types that do not match",
    edited(PARTIAL, `when: 'facts.links == "x"'`),
    ["23:50 condition: types do not match: int == string"]
  ],
  [
    "a word that a fact never is",
    edited('"best"', '"bset"'),
    ['45:29 condition: the fact is never "bset" (did you mean "best"?)']
  ],
  [
    "a function that is not allowed",
    edited("when: facts.open", `when: '"a".matches("a")'`),
    [
      '61:50 condition: a condition cannot use the function "matches" (the functions are size, filter, all, exists, exists_one)'
    ]
  ],
  [
    "a variable that there is not",
    edited("when: facts.open", "when: fact.open"),
    ['61:45 condition: there is no variable "fact" (did you mean "facts"?)']
  ],
  [
    "an unquoted negation",
    edited("when: facts.open", "when: !facts.open"),
    ['61:45 yaml: a rubric has no YAML tags (a text that begins with "!" must be quoted)']
  ],
  [
    "categories that do not total 100",
    edited(
      "    points: 40\n    why",
      "    points: 30\n    why",
      edited("        points: 40", "        points: 30", edited("earns: 40", "earns: 30"))
    ),
    ["8:1 points: the categories come to 90 points, not 100"]
  ],
  [
    "a category that does not add up",
    edited("    points: 40\n    why", "    points: 41\n    why"),
    ["32:13 points: the criteria of category B come to 40 points, not 41"]
  ],
  [
    "a first level that does not earn all",
    edited("earns: 40", "earns: 30"),
    ["43:20 levels: the first level must earn all 40 points, not 30"]
  ],
  [
    "earnings that rise",
    edited("earns: 20", "earns: 70"),
    ["23:39 levels: a level must earn less than the one before it, which earns 60"]
  ],
  [
    "earnings that stay",
    edited("earns: 20", "earns: 60"),
    ["23:39 levels: a level must earn less than the one before it, which earns 60"]
  ],
  [
    "something for nothing",
    edited("status: absent, earns: 0", "status: partial, earns: 5"),
    ["24:39 levels: the last level must earn 0, not 5: what is not there earns nothing"]
  ],
  [
    "a status that its points belie",
    edited("status: partial, earns: 20", "status: absent, earns: 20"),
    ['23:23 levels: a level that earns 20 of 60 points is "partial", not "absent"']
  ],
  [
    "a last level with a condition",
    edited("earns: 0 }", 'earns: 0, when: "facts.links == 0" }'),
    ["24:47 levels: the last level must have no condition: it is what remains"]
  ],
  ["a condition that is no text", edited(PARTIAL, "when: true"), ['23:49 value: "when" must be text, not true']],
  [
    "a level after the unconditional one",
    edited(`, ${PARTIAL}`, ""),
    [
      "24:15 levels: this level comes after one without a condition, and can never be reached (give the level before it a condition, or move this one up)"
    ]
  ],
  [
    "a condition that cannot hold",
    edited(PARTIAL, 'when: "facts.alive > 1.5"'),
    ["23:49 unreachable_level: no facts can reach this level: its condition can never hold"]
  ],
  [
    "a level that an earlier one covers",
    edited(PARTIAL, 'when: "facts.links >= 4 && facts.alive >= 0.95"'),
    ["23:49 unreachable_level: no facts can reach this level: earlier ones hold wherever this one does"]
  ],
  [
    "a condition given twice",
    edited(PARTIAL, 'when: "facts.links >= 3  && facts.alive >= 0.9"'),
    ["23:49 unreachable_level: no facts can reach this level: an earlier one has the same condition"]
  ],
  [
    "nothing left for the last level",
    edited(PARTIAL, 'when: "facts.links >= 0"'),
    ["24:15 unreachable_level: no facts can reach this level: earlier ones hold wherever this one does"]
  ],
  ["two criteria with one id", edited("id: B2", "id: B1"), ['53:9 duplicate_id: there already is a criterion "B1"']],
  [
    "a key that belongs to another category",
    edited("key: B_second", "key: A_first"),
    ['30:10 value: "A_first" does not belong to category B (a key of category B begins with "B_")']
  ],
  [
    "a criterion in another's category",
    edited("id: B1", "id: A2"),
    ['35:13 value: "A2" does not belong to category B (a criterion of category B has an id such as "B1")']
  ],
  [
    "a trial in no category",
    edited("category: B", "category: Z"),
    ['54:15 value: there is no category "Z" (did you mean "A"?)']
  ],
  [
    "a misspelt plugin",
    edited("plugin: has-kind", "plugin: has-kid"),
    ['36:17 plugin: there is no plugin "has-kid" (did you mean "has-kind"?)']
  ],
  [
    "a plugin that there is not",
    edited("plugin: has-kind", "plugin: something"),
    ['36:17 plugin: there is no plugin "something" (without a criterion: has-kind)']
  ],
  [
    "a plugin without a criterion",
    smallRubric.replace(/experimental:[^]*?changes:/u, "changes:").replace("[B2]", "[B1]"),
    ['8:1 plugin: the plugin "on-trial" has no criterion (add one, under "experimental" where it is on trial)']
  ],
  [
    "another revision of a plugin",
    edited("revision: 2", "revision: 3"),
    [
      "17:19 plugin: the plugin is at revision 2, the rubric at 3 (see what its facts mean now, then pin that revision in a new version of the rubric)"
    ]
  ],
  [
    "a revision with facts that the plugin does not have yet",
    edited("revision: 2", 'revision: "2.1"'),
    [
      "17:19 plugin: the plugin is at revision 2, the rubric at 2.1 (install the plugin's version that has those facts: of a plugin without a path, a newer docgauge)"
    ]
  ],
  [
    "a revision that YAML reads as a fraction",
    edited("revision: 2", "revision: 2.10"),
    ['17:19 value: "revision" must be a whole number such as 2, or text in quotes such as "2.1", not 2.1']
  ],
  [
    "a revision of three parts",
    edited("revision: 2", 'revision: "2.1.0"'),
    ['17:19 value: "revision" must be a whole number such as 2, or text in quotes such as "2.1", not text']
  ],
  [
    "revision 0",
    edited("revision: 2", "revision: 0"),
    ['17:19 value: "revision" must be a whole number such as 2, or text in quotes such as "2.1", not 0']
  ],
  [
    "params of other names and types",
    edited("{ sample: 5 }", "{ sample: five, more: 1 }"),
    ['20:27 params: "sample" must be a number, not text', '20:33 params: unknown key "more" (the keys are sample)']
  ],
  [
    "a misspelt param",
    edited("{ sample: 5 }", "{ smaple: 5 }"),
    ['20:19 params: unknown key "smaple" (did you mean "sample"?)']
  ],
  ["params that are wrong together", edited("{ sample: 5 }", "{ sample: 13 }"), ["20:17 params: params are unlucky"]],
  [
    "a version without an entry",
    edited("version: 1.1.0\n", "version: 1.2.0\n"),
    [
      "68:16 changes: the first entry must be of version 1.2.0, not 1.1.0 (say what this version changes, above the older entries)"
    ]
  ],
  [
    "entries out of order",
    edited("version: 1.0.0, date", "version: 1.10.0, date"),
    ["69:16 changes: entries go from new to old: 1.10.0 is not older than 1.1.0"]
  ],
  [
    "a change of a criterion that there is not",
    edited("criteria: [B2]", "criteria: [B7]"),
    ['68:72 changes: there is no criterion "B7" (did you mean "B1"?)']
  ],
  [
    "changes to neither all nor some",
    edited("criteria: [B2]", "criteria: 5"),
    ['68:71 value: "criteria" must be "all" or a list of criteria, not 5']
  ],
  [
    "verdicts that do not go down",
    edited("from: 50", "from: 0"),
    ["7:13 value: verdicts must go from high to low: this one must begin below 0"]
  ],
  [
    "totals without a verdict",
    edited("{ from: 0,", "{ from: 10,"),
    ["7:13 value: the last verdict must be from 0, so that every total has one"]
  ],
  [
    "a deprecation of a later version",
    edited(
      "references: [{ title: Links",
      "deprecated: { since: 1.2.0, until: 2.0.0 }\n        references: [{ title: Links"
    ),
    ["28:30 value: this is version 1.1.0: nothing in it can be deprecated since 1.2.0"]
  ],
  [
    "a deprecation that ends before it begins",
    edited(
      "references: [{ title: Links",
      "deprecated: { since: 1.1.0, until: 1.1.0 }\n        references: [{ title: Links"
    ),
    ["28:44 value: a criterion that is deprecated since 1.1.0 must be removed in a later version, not in 1.1.0"]
  ],
  [
    "a deprecation that is over",
    edited(
      "references: [{ title: Links",
      "deprecated: { since: 1.0.0, until: 1.1.0, replaced_by: A1 }\n        references: [{ title: Links"
    ),
    [
      "28:44 value: this is version 1.1.0, in which the criterion should be gone",
      "28:64 value: a criterion cannot take its own place"
    ]
  ],
  [
    "an alias",
    edited("why: Links lead on.", "why: *w"),
    ["25:14 yaml: a rubric has no YAML aliases (write the value out)"]
  ],
  ["a second document", `${smallRubric}---\na: 1\n`, ["70:1 yaml: the file holds more than one YAML document"]],
  [
    "an unquoted colon",
    edited("title: First", "title: First: one"),
    [
      '11:12 yaml: a second ":" on the line (a text with ": " in it must be quoted; a key below it must be indented as its neighbours are)'
    ]
  ],
  ["a quote left open", edited("title: First", 'title: "First'), ['11:18 yaml: not YAML: missing closing "quote']],
  ["nesting without end", `a: ${"[".repeat(100_000)}`, []],
  ["nesting beyond reason", `${"- ".repeat(60)}x`, ["1:65 yaml: the file is nested too deeply"]]
]

describe("a rubric file", () => {
  it.effect("loads, with its criteria in file order, bound and compiled", () =>
    Effect.gen(function* () {
      const { criteria, digest, experimental, rubric } = yield* load(smallRubric)
      assert.strictEqual(rubric.version, "1.1.0")
      assert.match(digest, /^sha256:[0-9a-f]{64}$/u)
      assert.deepStrictEqual(
        criteria.map(({ category, definition }) => [category, definition.id]),
        [
          ["A", "A1"],
          ["B", "B1"]
        ]
      )
      assert.deepStrictEqual(
        experimental.map(({ definition }) => definition.id),
        ["B2"]
      )
      assert.deepStrictEqual(criteria[0]?.bound, { sample: 5 })
      const holding = criteria[0]?.levels.map(({ condition }) => condition?.holds({ links: 1, alive: 1 }) ?? null)
      assert.deepStrictEqual(holding, [false, true, null])
    })
  )

  it.effect.each([
    ["2", 2],
    ["2", "2.1"],
    ['"2.0"', 2],
    ['"2.9"', "2.10"],
    ['"2.10"', "2.10"]
  ] as const)(
    "at revision %s of a plugin loads where the plugin is at %s: since then it has only got more facts",
    ([pinned, revision]) =>
      Effect.map(
        loadRubric(
          new TextEncoder().encode(edited("revision: 2", `revision: ${pinned}`)),
          "rubric.yaml",
          withOutgoing(revision)
        ),
        ({ criteria }) => {
          assert.sameMembers(Object.keys(criteria[0]?.facts ?? {}), ["links", "alive", "outgoing"])
        }
      )
  )

  it.effect.each([
    ["2", "3.1"],
    ['"2.10"', "2.9"],
    ['"3.1"', "2.1"]
  ] as const)("at revision %s of a plugin is refused where the plugin is at %s", ([pinned, revision]) =>
    Effect.map(
      Effect.flip(
        loadRubric(
          new TextEncoder().encode(edited("revision: 2", `revision: ${pinned}`)),
          "rubric.yaml",
          withOutgoing(revision)
        )
      ),
      ({ problems }) => {
        assert.deepStrictEqual(
          problems.map(({ message }) => message),
          [`the plugin is at revision ${revision}, the rubric at ${pinned.replaceAll('"', "")}`]
        )
      }
    )
  )

  it.effect.each(mistakes)("with %s is refused at the right place, in one message a mistake", ([, text, said]) =>
    Effect.map(problemsOf(new TextEncoder().encode(text)), (problems) => {
      assert.isNotEmpty(problems)
      if (said.length > 0) assert.deepStrictEqual(problems.map(inShort), said)
    })
  )

  it.effect("with several mistakes of all kinds gives them all, in file order", () =>
    Effect.gen(function* () {
      const text = [
        (file: string) => edited("    title: First", "    tilte: First", file),
        (file: string) => edited("facts.links >= 1", "facts.lnks >= 1", file),
        (file: string) => edited("effort: low, ", "", file),
        (file: string) => edited("plugin: has-kind", "plugin: has-kid", file),
        (file: string) => edited("version: 1.1.0\n", "version: 1.2.0\n", file)
      ].reduce((file, spoil) => spoil(file), smallRubric)
      const problems = yield* problemsOf(new TextEncoder().encode(text))
      assert.deepStrictEqual(
        problems.map(({ line, rule }) => [line, rule]),
        [
          [11, "unknown_key"],
          [23, "condition"],
          [27, "missing_key"],
          [36, "plugin"],
          [68, "changes"]
        ]
      )
    })
  )

  it.effect.each(["1.1.0", "2.0.0", "10.3.1"])(
    "of the released rubric keeps its thirty criteria at version %s",
    (version) =>
      Effect.gen(function* () {
        const released = edited("id: small", "id: docs-ai-readiness").replaceAll(
          "version: 1.1.0",
          `version: ${version}`
        )
        const problems = yield* problemsOf(new TextEncoder().encode(released))
        assert.deepStrictEqual(problems.map(inShort), [
          '8:1 points: docs-ai-readiness has 30 criteria, not 2 (new ones go under "experimental"; a rubric with an `id` of its own may have others)'
        ])
      })
  )

  it.effect("of more than a megabyte is not looked at", () =>
    Effect.map(problemsOf(new Uint8Array(10_000_000)), (problems) => {
      assert.deepStrictEqual(problems.map(inShort), [
        "1:1 file: the file has 10000000 bytes; a rubric may have 1000000"
      ])
    })
  )

  it.effect("that is not UTF-8 is refused at the first wrong byte, real replacement characters aside", () =>
    Effect.gen(function* () {
      const good = new TextEncoder().encode("# \u{FFFD} fine\n# Stra")
      const problems = yield* problemsOf(new Uint8Array([...good, 0xdf, 0x65, 0x0a]))
      assert.deepStrictEqual(problems.map(inShort), ["2:7 file: the file is not UTF-8 (save it as UTF-8)"])
    })
  )

  it.effect("with an alias bomb is refused at the first alias, once and at once", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
      const lines = names.map(
        (name, index) =>
          `${name}: &${name} [${Array.from({ length: 9 }, () => (index === 0 ? "x" : `*${names[index - 1]}`)).join(", ")}]`
      )
      const problems = yield* problemsOf(new TextEncoder().encode(lines.join("\n")))
      assert.deepStrictEqual(problems.map(inShort), ["2:8 yaml: a rubric has no YAML aliases (write the value out)"])
    })
  )

  it.effect("with more values than a rubric can have is refused before anything is compared", () =>
    Effect.gen(function* () {
      const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join("\n")
      const problems = yield* problemsOf(new TextEncoder().encode(keys))
      assert.deepStrictEqual(problems.map(inShort), ["10000:1 yaml: the file has more than 20000 values"])
    })
  )

  it.effect("has the same places with Windows line ends and a byte order mark", () =>
    Effect.gen(function* () {
      const text = `\u{FEFF}${edited("    title: First", "    tilte: First").replaceAll("\n", "\r\n")}`
      const problems = yield* problemsOf(new TextEncoder().encode(text))
      assert.deepStrictEqual(problems.map(inShort), ['11:5 unknown_key: unknown key "tilte" (did you mean "title"?)'])
    })
  )
})

describe("a problem as text", () => {
  it.effect("shows the place in the file", () =>
    Effect.gen(function* () {
      const [problem] = yield* problemsOf(new TextEncoder().encode(edited("facts.links >= 1", "facts.lnks >= 1")))
      assert.strictEqual(
        problem === undefined ? "" : render(problem),
        [
          'rubric.yaml:23:56: the plugin has no fact "lnks"',
          '  22 |           - { status: present, earns: 60, when: "facts.links >= 3 && facts.alive >= 0.9" }',
          '  23 |           - { status: partial, earns: 20, when: "facts.lnks >= 1" }',
          "     |                                                        ^^^^",
          '  did you mean "links"?'
        ].join("\n")
      )
    })
  )

  it.effect("cannot steer a terminal", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf(
        new TextEncoder().encode(edited("    title: First", '    title: First\n    "\\e[31m\u{202E}": 1'))
      )
      assert.notMatch(problems.map(render).join(""), /[\u001b\u202e]/u)
    })
  )
})
