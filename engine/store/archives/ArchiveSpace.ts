import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Minimum free space for new archives, in bytes: the rest is reserved for the database. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024

/** Whether there is disk space for archives, for health checks. */
export class ArchiveSpace extends Context.Service<
  ArchiveSpace,
  {
    /**
     * Whether free space was below `LEAST_FREE_BYTES` at the last check, so that new archives are not kept. False if archives are
     * off.
     */
    readonly isLow: Effect.Effect<boolean>
  }
>()("docgauge/store/ArchiveSpace") {
  /** For a service that keeps no archives. */
  static readonly layerOff: Layer.Layer<ArchiveSpace> = Layer.succeed(ArchiveSpace, { isLow: Effect.succeed(false) })
}
