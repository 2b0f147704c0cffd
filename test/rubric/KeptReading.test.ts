import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { KeptReading } from "../../engine/rubric/KeptReading.ts"
import { type LoadedRubric, loadKeptRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { keptReadingOf } from "../../engine/rubric/RubricSource.ts"
import { plugins } from "../../plugins/index.ts"

const text = readFileSync(join(import.meta.dirname, "../../rubric.yaml"), "utf8")
const bytesOf = (rubric: string) => new TextEncoder().encode(rubric)
const keptOf = (rubric: string): KeptReading => {
  const kept: KeptReading = Effect.runSync(keptReadingOf(bytesOf(rubric), "rubric.yaml"))
  return JSON.parse(JSON.stringify(kept))
}
const problemsOf = <A>(loading: Effect.Effect<A, { readonly problems: ReadonlyArray<object> }>) =>
  Effect.runSync(Effect.match(loading, { onFailure: ({ problems }) => problems, onSuccess: () => [] }))

/** Everything but the compiled conditions, which are functions. */
const told = ({ criteria, digest, rubric }: LoadedRubric<unknown>) => ({
  digest,
  rubric,
  criteria: criteria.map(({ category, definition, facts, levels }) => ({ category, definition, facts: Object.keys(facts), levels: levels.map(({ earns, status }) => ({ earns, status })) }))
})

describe("a rubric whose reading was kept", () => {
  it("is the rubric that its YAML says", () => {
    const kept = Effect.runSync(loadKeptRubric(bytesOf(text), "rubric.yaml", plugins, keptOf(text)))
    expect(told(kept)).toEqual(told(Effect.runSync(loadRubric(bytesOf(text), "rubric.yaml", plugins))))
  })

  it("is read from its YAML where the reading is of other bytes", () => {
    const changed = text.replace(/^version: .*$/m, "version: 999.0.0")
    expect(changed).not.toBe(text)
    const loaded = loadKeptRubric(bytesOf(changed), "rubric.yaml", plugins, keptOf(text))
    const plain = loadRubric(bytesOf(changed), "rubric.yaml", plugins)
    expect(problemsOf(loaded)).toEqual(problemsOf(plain))
  })

  it("has its problems told at their places in the text", () => {
    const wrong = text.replace(/points: 5\b/, "points: 6")
    const problems = problemsOf(loadKeptRubric(bytesOf(wrong), "rubric.yaml", plugins, keptOf(wrong)))
    expect(problems.length).toBeGreaterThan(0)
    expect(problems).toEqual(problemsOf(loadRubric(bytesOf(wrong), "rubric.yaml", plugins)))
  })
})
