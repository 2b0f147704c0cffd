import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { register, type Registry } from "../../engine/plugin/Registry.ts"
import type { Problem } from "../../engine/rubric/source/Problem.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { a1LlmsTxt } from "../../plugins/a-discovery/a1-llms-txt.ts"

/*
 * Every mistake that the design of the rubric names, made in the rubric of this tree: one message each, at the right line
 * and column, and nothing is loaded. RubricFile.test.ts has many more, in a smaller rubric.
 */

const own = readFileSync(new URL("../../rubric.yaml", import.meta.url), "utf8")

/** The rubric of the tree with the first `from` behind `after` replaced. */
const edited = (after: string, from: string, to: string): string => {
  const at = own.indexOf(from, own.indexOf(after))
  if (!own.includes(after) || at === -1) throw new Error(`rubric.yaml has no "${from}" behind "${after}"`)
  return own.slice(0, at) + to + own.slice(at + from.length)
}

const without = (from: string, to: string): string => {
  const [start, end] = [own.indexOf(from), own.indexOf(to, own.indexOf(from) + from.length)]
  return own.slice(0, start) + own.slice(end)
}

interface Mistake {
  readonly file: string | Uint8Array
  /** What stands at the place of the message, behind `after` where it stands in several; the beginning of the file where it is `null`. */
  readonly at: string | null
  readonly after?: string
  readonly says: string
  readonly plugins?: Registry
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes of a text in which one letter is ISO 8859-1. */
const latin = (before: string, after: string): Uint8Array => new Uint8Array([...utf8(before), 0xfc, ...utf8(after)])

const bomb = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ..."bcdefghi".split("").map((name, index) => {
    const inner = `*${"abcdefgh".charAt(index)}`
    return `${name}: &${name} [${Array.from({ length: 9 }, () => inner).join(", ")}]`
  })
].join("\n")

const mistakes: ReadonlyArray<readonly [string, Mistake]> = [
  ["an empty file", { file: "", at: null, says: "the file is empty" }],
  ["a list instead of a map", { file: "- a\n- b\n", at: null, says: "a rubric must be a map, not a list" }],
  ["tabs", { file: edited("id: A1", "  title:", "\ttitle:"), at: "\ttitle:", says: "a tab cannot indent YAML" }],
  [
    "a duplicate key",
    {
      file: edited("id: A1", "  effort: hours\n", "  effort: hours\n  effort: days\n"),
      at: "effort: days",
      says: '"effort" is given twice'
    }
  ],
  ["a misspelt key", { file: edited("id: A1", "title:", "tilte:"), at: "tilte", says: 'unknown key "tilte"' }],
  [
    "a condition on an unknown fact",
    {
      file: edited("id: A2", "full_text_bytes", "full_text_byte"),
      at: "full_text_byte >",
      says: 'the plugin has no fact "full_text_byte"'
    }
  ],
  [
    "a condition that is not boolean",
    {
      file: edited("id: A2", "full_text_bytes > 1024", "full_text_bytes"),
      at: "full_text_bytes, 1:",
      says: "the condition gives a number, not true or false"
    }
  ],
  [
    "points that do not total 100",
    {
      file: edited("key: F_agent_surface", "points: 4", "points: 9"),
      after: "key: F_agent_surface",
      at: "9,",
      says: "the criteria of category F come to 4 points, not 9"
    }
  ],
  [
    "`earns` that rises",
    {
      file: edited("id: A2", "1: linked_aggregate_bytes", "4: linked_aggregate_bytes"),
      at: "4: linked",
      after: "id: A2",
      says: "a level must earn less than the one before it, which earns 2"
    }
  ],
  [
    "two criteria with one id",
    {
      file: edited("id: A4", "id: A5", "id: A4"),
      at: "A4\n",
      after: "plugin: a4-sitemap",
      says: 'there already is a criterion "A4"'
    }
  ],
  [
    "a missing plugin",
    {
      file: edited("id: A2", "plugin: a2-full-text", "plugin: a2-full-txt"),
      at: "a2-full-txt",
      says: 'there is no plugin "a2-full-txt"'
    }
  ],
  [
    "a plugin without a criterion",
    {
      // The rubric of the package, byte for byte, was checked when that was built.
      file: `${own}\n`,
      at: "categories:",
      says: 'the plugin "a9-another" has no criterion',
      plugins: new Map([...plugins, ["a9-another", register({ ...a1LlmsTxt, id: "a9-another" })]])
    }
  ],
  [
    "a `changes` entry for another version",
    {
      file: edited("\nid:", `version: ${/^version: (.*)$/mu.exec(own)?.[1] ?? ""}`, "version: 9.9.9"),
      after: "\nchanges:",
      at: /^- version: (\S+)$/mu.exec(own.slice(own.indexOf("\nchanges:")))?.[1] ?? "",
      says: "the first entry must be of version 9.9.9"
    }
  ],
  [
    "a file that is not UTF-8",
    { file: latin(own.slice(0, 200), own.slice(200)), at: own.slice(200, 260), says: "the file is not UTF-8" }
  ],
  ["10 MB of YAML", { file: own + "# more\n".repeat(1_500_000), at: null, says: "bytes; a rubric may have 1000000" }],
  ["an alias bomb", { file: bomb, at: "*a", says: "a rubric has no YAML aliases" }],
  [
    "a level that no facts can reach",
    {
      file: edited("id: A5", "announcing > 0.0", "announcing > 1.0"),
      at: "announcing > 1.0",
      says: "no facts can reach this level: its condition can never hold"
    }
  ],
  [
    "a text that is missing",
    {
      file: without("  why: >-\n    With the whole", "  how: >-\n    We look for llms-full.txt"),
      at: "id: A2",
      says: '"why" is missing'
    }
  ],
  [
    "a reference that is no URL",
    {
      file: edited("id: B3", "url: https://spec.commonmark.org/", "url: spec.commonmark.org"),
      at: "spec.commonmark.org }",
      says: '"url" must be an https URL'
    }
  ],
  [
    "a remedy without effort",
    {
      file: edited("id: A2", "  effort: hours\n", ""),
      at: "id: A2",
      says: '"effort" is missing'
    }
  ]
]

const load = ({ file, plugins: known = plugins }: Mistake): ReadonlyArray<Problem> =>
  Effect.runSync(
    loadRubric(typeof file === "string" ? utf8(file) : file, "rubric.yaml", known).pipe(
      Effect.match({ onFailure: ({ problems }) => problems, onSuccess: () => [] })
    )
  )

/** Line and column of what stands at the place, from 1. */
const placeOf = ({ after = "", at, file }: Mistake): readonly [number, number] => {
  if (at === null) return [1, 1]
  const text = typeof file === "string" ? file : new TextDecoder().decode(file)
  const found = text.indexOf(at, text.indexOf(after) + after.length)
  const offset = typeof file === "string" ? found : found - 1
  const before = text.slice(0, offset).split("\n")
  return [before.length, (before.at(-1) ?? "").length + 1]
}

describe("bad input gets one message at its place", () => {
  it.each(mistakes)("%s", (_, mistake) => {
    const problems = load(mistake)
    assert.deepStrictEqual(
      problems.map(({ column, line }): readonly [number, number] => [line, column]),
      [placeOf(mistake)],
      problems.map(({ message }) => message).join("\n")
    )
    assert.include(problems[0]?.message, mistake.says)
  })
})
