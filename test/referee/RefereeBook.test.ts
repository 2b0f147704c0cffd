import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadReferee } from "../../engine/referee/RefereeBook.ts"
import { readableTools } from "../../engine/referee/ToolReports.ts"
import { plugins } from "../../plugins/index.ts"
import { book } from "./SomeReports.ts"

const file = (...checks: ReadonlyArray<string>): string => `format: 1
tools:
  - id: some-tool
    title: Some tool
    version: "1"
    seen: { how: run, where: "on one site", on: "2026-11-30" }
    report: "some-tool URL"
    members: [one, two]
    checks:
${checks.map((check) => `      - { ${check}, because: "Both look at the same file of a site." }`).join("\n")}
unread: []
`

/** The first problems of a file, as their messages. */
const problemsOf = (text: string): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(
    Effect.match(loadReferee(new TextEncoder().encode(text), "referee.yaml", plugins), {
      onFailure: ({ problems }) => problems.map(({ message }) => message),
      onSuccess: () => []
    })
  )

describe("referee.yaml", () => {
  it("has the tools whose reports there is code for, and no other", () => {
    expect(book.tools.map(({ id }) => id).toSorted()).toEqual(readableTools.toSorted())
  })

  it("tells the reports of its tools apart by their members: none has all those of another", () => {
    const twice = book.tools.flatMap((one) =>
      book.tools.filter((other) => one !== other && other.members.every((member) => one.members.includes(member)))
    )
    expect(twice).toEqual([])
  })

  it("says of each tool that it does not read why", () => {
    expect(book.unread.length).toBeGreaterThan(0)
    expect(book.unread.every(({ because }) => because.endsWith("."))).toBe(true)
  })

  it("ends each sentence with a full stop", () => {
    const sentences = book.tools.flatMap(({ checks, groups = [] }) =>
      [...checks, ...groups].map(({ because }) => because)
    )
    expect(sentences.filter((sentence) => !sentence.endsWith("."))).toEqual([])
  })

  it("holds every check that has a criterion against a part of it, unless the check is about as much as the criterion", () => {
    const whole = book.tools.flatMap(({ checks, id }) =>
      checks.flatMap(({ criterion, holds, relation }) =>
        criterion !== undefined && holds === undefined && relation !== "overlaps" ? [`${id} ${criterion}`] : []
      )
    )
    expect(whole).toEqual([])
  })
})

describe("docs/referee.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/referee.md"), "utf8")

  it("has each tool with its versions and how to get its report", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| "))
    const missing = book.tools.filter(
      ({ report, title, version }) => !rows.some((row) => row.startsWith(`| ${title} | ${version} | \`${report}\` |`))
    )
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  it("names each tool that is not read", () => {
    const [, rest = ""] = page.split("Not read:")
    expect(
      book.unread.map(({ title }) => title.split(" (")[0] ?? title).filter((name) => !rest.includes(name))
    ).toEqual([])
  })
})

describe("a file of tools", () => {
  it("may map a check to a criterion by a condition over its facts", async () => {
    expect(await problemsOf(file(`id: one-check, criterion: A1, holds: "facts.h1 >= 1", relation: same`))).toEqual([])
  })

  it.each([
    ["a criterion that does not exist", "id: one-check, criterion: A9, relation: same", "there is no criterion A9"],
    [
      "a fact that the criterion does not have",
      `id: one-check, criterion: A1, holds: "facts.h2 >= 1", relation: same`,
      'the plugin has no fact "h2"'
    ],
    [
      "a premise that is no condition",
      `id: one-check, criterion: A1, given: "facts.h1", relation: same`,
      "the condition gives a number, not true or false"
    ],
    [
      "no criterion where there is a relation",
      "id: one-check, relation: same",
      'a check has a criterion, unless its relation is "none"'
    ],
    [
      "a criterion without a relation",
      "id: one-check, criterion: A1, relation: none",
      'a check has a criterion, unless its relation is "none"'
    ]
  ])("is refused with %s", async (_what, check, message) => {
    expect(await problemsOf(file(check))).toEqual([message])
  })

  it("is refused if it holds a check against a criterion twice, and taken if against two", async () => {
    const [one, other] = [
      "id: one-check, criterion: A1, relation: same",
      "id: one-check, criterion: A2, relation: same"
    ]
    expect(await problemsOf(file(one, one))).toEqual(["the check one-check is already in the file for this criterion"])
    expect(await problemsOf(file(one, other))).toEqual([])
  })

  it("is refused with a key that it may not have", async () => {
    expect(await problemsOf(file("id: one-check, relation: none, hold: x"))).toHaveLength(1)
  })
})
