import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Rubric } from "../../engine/rubric/Rubric.ts"

/** The rubric that audits are judged by; read when it is first asked for. */
export class RubricBook extends Context.Service<RubricBook, {
  readonly rubric: Effect.Effect<Rubric>
}>()("docgauge/server/mcp/RubricBook") {}
