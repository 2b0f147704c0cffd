import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { hasCorpus } from "../corpus/CorpusServer.ts"
import { differences, falls, fixCorpus } from "./FixedCorpus.ts"

/** A site below a folder of its host; test/long/fix has six others. */
const SAMPLED = ["restcaptcha-de"]

describe.skipIf(!hasCorpus)("a site of the corpus with the files in place", () => {
  test("has the score that was promised, and no criterion falls", async () => {
    const rubric = await Effect.runPromise(
      loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
    )
    const fixed = await fixCorpus(rubric, SAMPLED)
    expect(fixed.map(({ site }) => site).sort()).toEqual([...SAMPLED].sort())
    for (const { outcome, served, site } of fixed) {
      expect.soft(differences(outcome.after, served), site).toEqual([])
      expect.soft(falls(outcome.before, served), site).toEqual([])
      expect.soft(served.total_score, site).toBeGreaterThan(outcome.before.total_score + 15)
    }
  }, 300_000)
})
