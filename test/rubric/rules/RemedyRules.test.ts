import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { checkRubric } from "../../../engine/rubric/RubricFile.ts"
import type { Problem } from "../../../engine/rubric/source/Problem.ts"
import { remedyDiagnostics } from "../../../engine/rubric/lint/CheckRules.ts"
import { edited, smallPlugins, smallRubric } from "../smallRubric.ts"

const inShort = ({ hint, message, rule }: Problem): string => `${rule}: ${message} (${hint ?? ""})`

/** What is said of the small rubric whose first remedy (full points from 3 links of which 90% answer) has these steps. */
const saidOf = (steps: string): ReadonlyArray<string> =>
  Effect.runSync(
    Effect.match(
      checkRubric(
        new TextEncoder().encode(edited("[Add links.]", `[${steps}]`, edited("format: 1", "format: 2", smallRubric))),
        "rubric.yaml",
        smallPlugins,
        remedyDiagnostics
      ),
      {
        onFailure: ({ problems }) => problems.map(inShort),
        onSuccess: ({ warnings }) => warnings.map(inShort)
      }
    )
  )

const LINKS = '{ do: Add links., unless: "facts.links >= 3" }'
const ALIVE = '{ do: Repair links., unless: "facts.alive >= 0.9" }'

describe("a remedy's steps", () => {
  it("are in order if their conditions together mean full points", () => {
    expect(saidOf(`${LINKS}, ${ALIVE}`)).toEqual([])
  })

  it("are in order if one of them is always advised", () => {
    expect(saidOf(`${LINKS}, Ask a friend.`)).toEqual([])
  })

  it("are reported if all of them can be done while points are missing, with facts for which that is so", () => {
    expect(saidOf(LINKS)).toEqual([
      "finished_remedy: every step is done while points are missing (with links 3, alive 0, for example: add a step, or let one ask for more)"
    ])
  })

  it("are reported if a condition asks for less than the level does", () => {
    expect(saidOf(`${LINKS}, { do: Repair links., unless: "facts.alive >= 0.8" }`)).toHaveLength(1)
  })

  it("may ask for more than the level does", () => {
    expect(saidOf(`${LINKS}, { do: Repair links., unless: "facts.alive >= 0.99" }`)).toEqual([])
  })
})
