import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { BodyAdmission } from "../../engine/evidence/http/BodyAdmission.ts"
import { savingMemory } from "../../engine/process/AuditWork.ts"

it("keeps large bodies in a process that cannot collect garbage on demand", async () => {
  let kept = 0
  const admission: BodyAdmission = {
    admit: () => null,
    keep: (bytes) => {
      kept += bytes
    }
  }
  await Effect.runPromise(
    Effect.provide(
      Effect.map(BodyAdmission, ({ keep }) => keep(9_000_000)),
      savingMemory(admission)
    )
  )
  expect(kept).toBe(9_000_000)
})
