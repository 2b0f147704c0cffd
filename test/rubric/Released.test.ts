import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { diffRubrics } from "../../engine/rubric/diff/RubricDiff.ts"
import { readUnbound, type UnboundRubric } from "../../engine/rubric/RubricFile.ts"
import { isBelow } from "../../engine/rubric/source/VersionBump.ts"

const FOLDER = join(import.meta.dirname, "released")

const read = (path: string): UnboundRubric => Effect.runSync(readUnbound(readFileSync(path), path))

const files = readdirSync(FOLDER)
const releases = files
  .map((file) => read(join(FOLDER, file)))
  .toSorted((one, other) => (isBelow(one.rubric.version, other.rubric.version) ? -1 : 1))
const current = read(join(import.meta.dirname, "..", "..", "rubric.yaml"))

describe("released rubrics", () => {
  it("are there, each under its own name and version", () => {
    assert.sameMembers(
      files,
      releases.map(({ rubric }) => `${rubric.id}-${rubric.version}.yaml`)
    )
    assert.isNotEmpty(files)
  })

  it("have the versions that their changes owe, and tell of them", () => {
    const faults = releases
      .slice(1)
      .flatMap((release, index) => diffRubrics(releases[index] ?? release, release).faults)
    assert.deepStrictEqual(faults, [])
  })

  // Where this fails, give rubric.yaml the version that is named, and an entry under `changes`. As long as 1.0.0 has not
  // been published: npm run release:rubric -- --again
  it("are followed by a rubric of the version that its changes owe", () => {
    const last = releases.at(-1)
    assert.isDefined(last)
    const { changes, faults } = diffRubrics(last, current)
    assert.deepStrictEqual(
      faults,
      [],
      changes.map(({ owes, subject, what }) => `${subject ?? "rubric"} ${owes}: ${what}`).join("\n")
    )
  })
})
