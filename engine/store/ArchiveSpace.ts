import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Below so much free space, in bytes, no archives are kept: what is left is for the database. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024

/** Whether there is room for archives, for health checks. */
export class ArchiveSpace extends Context.Service<ArchiveSpace, {
  /** Free space was below `LEAST_FREE_BYTES` when it was read last: new archives are not kept. False where archives are off. */
  readonly isLow: Effect.Effect<boolean>
}>()("docgauge/store/ArchiveSpace") {
  /** No archives are kept in any case. */
  static readonly layerOff: Layer.Layer<ArchiveSpace> = Layer.succeed(ArchiveSpace, { isLow: Effect.succeed(false) })
}
