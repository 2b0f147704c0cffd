import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { loadAuditSteps } from "../../engine/audit/Audit.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import type { LoadedRubric, RubricReference } from "../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { type CarryOut, serveParent } from "../../engine/process/AuditProcessLoop.ts"
import type { AuditTask, FixTask, PostTask } from "../../engine/process/AuditTask.ts"
import { carryOut, type Parent } from "../../engine/process/AuditWork.ts"
import { ownRecipes } from "../../engine/rubric/recipes/Recipes.ts"
import { loadReferenced } from "../../engine/external/RubricLoading.ts"
import { plugins } from "../../plugins/index.ts"

/** Runs the tasks of an audit process, whose audits share its parser threads one after the other. */
const auditTasks = (): CarryOut => {
  const runtime = ManagedRuntime.make(Layer.mergeAll(ParserPool.layer, NodeServices.layer))
  // A service has one rubric for its whole lifetime.
  let last: LoadedRubric<BoundCriterion> | null = null

  const rubricOf = Effect.fnUntraced(function* (reference: RubricReference) {
    if (last?.digest === reference.digest) return last
    const rubric = yield* loadReferenced(reference, plugins)
    if (rubric.digest !== reference.digest)
      return yield* Effect.die(new Error(`${reference.file} was changed after the service started: restart it`))
    last = rubric
    return rubric
  })

  return (task, parent) =>
    runtime.runPromise(
      task.kind === "post"
        ? posted(task, parent)
        : Effect.flatMap(rubricOf(task.rubric), (rubric) => worked(task, rubric, parent))
    )
}

/** Loaded only when it is needed: most processes only audit. */
const posted = (task: PostTask, parent: Parent): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.promise(() => import("../../engine/process/PostWork.ts")),
    ({ carryOutPosts }) => carryOutPosts(task, parent)
  )

const worked = (
  task: AuditTask | FixTask,
  rubric: LoadedRubric<BoundCriterion>,
  parent: Parent
): Effect.Effect<void, never, ParserPool> =>
  task.kind === "audit"
    ? carryOut(task, rubric, parent)
    : Effect.gen(function* () {
        const { carryOutFix } = yield* Effect.promise(() => import("../../engine/process/FixWork.ts"))
        yield* carryOutFix(task, rubric, yield* ownRecipes(rubric), parent)
      })

// Audits load it themselves, but a process is started before it has one.
await loadAuditSteps()

serveParent(auditTasks())
