import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import {
  gradeOf,
  isPositive,
  loadEvidence,
  MOST_POINTS,
  studiesOf,
  studyLine
} from "../../../engine/rubric/Evidence.ts"
import { checkRubric, loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { checkDiagnostics } from "../../../engine/rubric/lint/CheckRules.ts"
import { plugins } from "../../../plugins/index.ts"

const ROOT = resolve(import.meta.dirname, "../../..")
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const own = read("rubric.yaml")
const book = await Effect.runPromise(loadEvidence(bytes(read("evidence.yaml")), "evidence.yaml"))
const { criteria } = await Effect.runPromise(loadRubric(bytes(own), "rubric.yaml", plugins))
const gradeIn = (ids: ReadonlyArray<string>) => gradeOf(studiesOf(book, ids).map(({ grade }) => grade))

/** What `rubric check` says of evidence in our rubric with a text replaced. */
const saidOf = (before: string, after: string): Promise<ReadonlyArray<string>> => {
  expect(own).toContain(before)
  const load = checkRubric(bytes(own.replace(before, after)), "rubric.yaml", plugins, checkDiagnostics(book))
  return Effect.runPromise(
    Effect.match(load, {
      onFailure: ({ problems }) => problems.filter(({ rule }) => rule === "evidence").map(({ message }) => message),
      onSuccess: () => []
    })
  )
}

/** The line of a criterion that lists its evidence. */
const evidenceOf = (id: string): string => {
  const [line = ""] = /^ +evidence: .*$/m.exec(own.slice(own.indexOf(`id: ${id}\n`))) ?? []
  return line
}

describe("a criterion's grade", () => {
  it("is the best of its findings, mixed at most with one against it, and against where nothing speaks for it", () => {
    expect(gradeOf(["none", "cost", "success"])).toBe("success")
    expect(gradeOf(["success", "against"])).toBe("mixed")
    expect(gradeOf(["none", "against"])).toBe("against")
    expect(gradeOf([])).toBe("none")
  })
})

describe("the published rubric", () => {
  it("has at least 70 points on criteria whose gain for agents was measured", () => {
    const positive = criteria.filter(({ definition: { evidence = [] } }) => isPositive(gradeIn(evidence)))
    expect(positive.reduce((sum, { definition }) => sum + definition.points, 0)).toBeGreaterThanOrEqual(70)
  })

  it("gives no criterion more points than its evidence allows", () => {
    for (const { definition } of criteria)
      expect(definition.points, definition.id).toBeLessThanOrEqual(MOST_POINTS[gradeIn(definition.evidence ?? [])])
  })

  it("cites every study of the book", () => {
    const cited = new Set(criteria.flatMap(({ definition }) => definition.evidence ?? []))
    expect(book.studies.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([])
  })
})

describe("rubric check", () => {
  it("refuses points that exceed what the evidence allows", async () => {
    const said = await saidOf(evidenceOf("D3"), evidenceOf("D3").replace(/\[.*\]/, "[none-found]"))
    expect(said).toContain('evidence of grade "none" allows D3 at most 1 points, not 6')
  })

  it("refuses a criterion that names no evidence, and a study that there is not", async () => {
    expect(await saidOf(`${evidenceOf("A2")}\n`, "")).toEqual(["A2 names no evidence"])
    expect(await saidOf(evidenceOf("A2"), evidenceOf("A2").replace(/\[.*\]/, "[plausibel]"))).toEqual([
      'evidence.yaml has no study "plausibel"'
    ])
  })

  it("refuses a rubric with less than 70 points on measured gains", async () => {
    const without = own.replace(/^( +evidence: ).*(?:examples-rag|leadtype-gotchas).*$/gm, "$1[plausible]")
    const load = checkRubric(bytes(without), "rubric.yaml", plugins, checkDiagnostics(book))
    const problems = await Effect.runPromise(Effect.flip(load))
    expect(problems.problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^\d\d points rest on measured gains, not 70 at least$/)
    )
  })

  it("asks no rubric of another name for evidence", async () => {
    const other = own.replace("id: docs-ai-readiness", "id: house").replaceAll(/^ +evidence: .*\n/gm, "")
    const { loaded } = await Effect.runPromise(checkRubric(bytes(other), "house.yaml", plugins, checkDiagnostics(book)))
    expect(loaded.rubric.id).toBe("house")
  })
})

describe("a file of evidence", () => {
  it("is refused with the place of a finding that has no url, though something was found", async () => {
    const text = read("evidence.yaml").replace(/ {4}url: .*\n/, "")
    const { problems } = await Effect.runPromise(Effect.flip(loadEvidence(bytes(text), "evidence.yaml")))
    expect(problems.map(({ message }) => message)).toEqual(["only a finding of grade none has no url"])
  })

  it("is told with source, agents, size, effect and grade, each study in a line", () => {
    const [study] = studiesOf(book, ["a14y-markdown"])
    expect(study === undefined ? "" : studyLine(study)).toMatch(
      /^- \[.+\]\(https:.+\) \(experiment of 2026-06-25; Claude; .+\)\. .+: -48\.6% tokens; .+\. Grade: cost\.$/
    )
  })
})
