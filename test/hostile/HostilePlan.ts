import { setTimeout as pause } from "node:timers/promises"
import { expect } from "vitest"
import { longestFix, LONGEST_START_MS } from "../../engine/process/ProcessLimits.ts"
import { OWN_RUBRIC } from "../../engine/rubric/RubricFile.ts"

/** Its limit and that of the start of its process, twice: a busy machine keeps clocks and ends waiting as well. */
const LONGEST_MS = 2 * (longestFix({ rubric: { ...OWN_RUBRIC, digest: "" }, isSlow: false }) + LONGEST_START_MS)

/** The answer of `/r/ID/fix.json`. */
export interface HostilePlan {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

/** Asks for the fixes of a run until there are some, or none is possible. */
export const planAt = async (service: string, id: string): Promise<HostilePlan> => {
  for (;;) {
    const began = performance.now()
    const answer = await fetch(`${service}/r/${id}/fix.json`, { headers: { accept: "application/json" } })
    const text = await answer.text()
    // Waiting for those before it is no part of its time.
    if (answer.status !== 503) return { status: answer.status, text, milliseconds: performance.now() - began }
    await pause(500)
  }
}

/** It ends within its limit, says what to do where there are none, and tells nothing of the service's code. */
export const expectPlan = (name: string, { milliseconds, status, text }: HostilePlan): void => {
  console.log(
    `${name.padEnd(28)} ${status} ${(milliseconds / 1_000).toFixed(1).padStart(5)} s  ${status === 200 ? `${Math.round(text.length / 1_000)} kB` : text.slice(0, 160)}`
  )
  expect([200, 422]).toContain(status)
  if (status === 422)
    expect(JSON.parse(text)).toEqual({
      error: expect.stringMatching(
        / Run npx docgauge fix \S+ on your own machine: it makes them from the site as it is now\.$/
      )
    })
  expect(text.slice(0, 2_000)).not.toMatch(/node_modules|\bat \S+ \(|\.ts:\d/)
  expect(milliseconds).toBeLessThan(LONGEST_MS)
}
