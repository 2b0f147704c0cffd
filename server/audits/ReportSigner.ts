import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import {
  type PublishedKey,
  reportDigest,
  type SigningKey,
  signingKeyOf,
  signReport
} from "../../engine/audit/signature/ReportSignature.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { ServerKey } from "../../engine/store/operators/ServerKey.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { addresses } from "../config/Settings.ts"

/** Signs reports as they are served. The key is of the database, so all processes of a service sign alike. */
export class ReportSigner extends Context.Service<
  ReportSigner,
  {
    /** The signature of a run's report; `null` if it has no canonical JSON, which only a plugin that cuts characters in half can cause. */
    readonly sign: (
      run: Pick<Run, "id" | "startedAt" | "url">,
      report: string
    ) => Effect.Effect<string | null, StoreUnavailable>
    /** The public keys with which others can verify signatures. */
    readonly published: Effect.Effect<ReadonlyArray<PublishedKey>, StoreUnavailable>
  }
>()("docgauge/server/ReportSigner") {
  static readonly layer: Layer.Layer<ReportSigner, Config.ConfigError, ServerKey> = Layer.effect(
    ReportSigner,
    Effect.gen(function* () {
      const { base } = yield* addresses
      const { reportSigning } = yield* ServerKey
      let known: SigningKey | null = null
      const key = Effect.gen(function* () {
        if (known !== null) return known
        const seed = yield* reportSigning
        return (known = yield* Effect.promise(() => signingKeyOf(seed)))
      })
      return {
        sign: Effect.fnUntraced(function* ({ id, startedAt, url }, report) {
          const json: Schema.Json = JSON.parse(report)
          const digest = reportDigest(json)
          if (digest === null) return null
          const claims = { iss: base, run_id: id, base_url: url, started_at: startedAt, report_sha256: digest }
          const own = yield* key
          return yield* Effect.promise(() => signReport(own, claims))
        }),
        published: Effect.map(key, ({ published }) => [published])
      }
    })
  )
}
