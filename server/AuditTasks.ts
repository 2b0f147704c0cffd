import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { BoundCriterion } from "../engine/criterion/Registry.ts"
import type { LoadedRubric } from "../engine/rubric/RubricFile.ts"
import { Parsing } from "../engine/site/Parsing.ts"
import type { CarryOut } from "../engine/worker/AuditProcessLoop.ts"
import type { RubricReference } from "../engine/worker/AuditTask.ts"
import { carryOut } from "../engine/worker/AuditWork.ts"
import { loadReferenced } from "./RubricLoading.ts"

/** Carries out the tasks of an audit process, with parser threads that its audits share one after the other. */
export const auditTasks = (): CarryOut => {
  const runtime = ManagedRuntime.make(Layer.mergeAll(Parsing.layer, NodeServices.layer))
  // A service has one rubric for as long as it runs.
  let last: LoadedRubric<BoundCriterion> | null = null

  const rubricOf = Effect.fnUntraced(function*(reference: RubricReference) {
    if (last?.digest === reference.digest) return last
    const rubric = yield* loadReferenced(reference)
    if (rubric.digest !== reference.digest) return yield* Effect.die(new Error(`${reference.file} was changed after the service had started: restart it`))
    last = rubric
    return rubric
  })

  return (task, parent) => runtime.runPromise(Effect.flatMap(rubricOf(task.rubric), (rubric) => carryOut(task, rubric, parent)))
}
