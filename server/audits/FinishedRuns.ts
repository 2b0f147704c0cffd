import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { type EncodedReport, RunStore } from "../../engine/store/runs/RunStore.ts"
import { CachedResponse } from "../response/CachedResponse.ts"
import { EncodedBody } from "../response/EncodedBody.ts"
import { JSON_TYPE, NO_STORE } from "../response/CommonHeaders.ts"
import { ResponseCache } from "../response/ResponseCache.ts"
import { diagnosticsOf } from "./Diagnostics.ts"
import { bodyWithReport, shareLinkOf } from "./RunBodies.ts"

/** A finished run, which never changes, with its responses. */
export class FinishedRun {
  readonly id: string
  /** The JSON of the report, byte for byte as it was stored. */
  readonly report: EncodedBody
  /** The JSON of the run, with the report in it. */
  readonly run: EncodedBody
  /** The response to GET of the run. */
  readonly runResponse: CachedResponse
  /** The response to a request for an audit that this report answers. */
  readonly cachedReport: CachedResponse
  private readonly headers: Readonly<Record<string, string>>

  constructor(stored: EncodedReport) {
    const {
      encoded,
      run: { id }
    } = stored
    const diagnostics = diagnosticsOf(stored)
    this.id = id
    this.report = new EncodedBody(encoded)
    this.run = new EncodedBody(bodyWithReport(stored.run, encoded))
    this.headers = {
      ...NO_STORE,
      "x-audit-run-id": id,
      link: shareLinkOf(id),
      ...(diagnostics === null ? {} : { "x-audit-diagnostics": diagnostics })
    }
    this.runResponse = new CachedResponse(this.run, { type: JSON_TYPE, headers: NO_STORE, tagged: false })
    this.cachedReport = this.reportResponse("HIT")
  }

  /** Bytes of memory. */
  get cost(): number {
    return this.report.cost + this.run.cost
  }

  /** The response to a request for an audit. `MISS`: the audit was made for this request. */
  reportResponse(cache: "HIT" | "MISS"): CachedResponse {
    return new CachedResponse(this.report, {
      type: JSON_TYPE,
      headers: { ...this.headers, "x-audit-cache": cache },
      tagged: false
    })
  }
}

/** Finished runs, through the response cache. */
export class FinishedRuns extends Context.Service<
  FinishedRuns,
  {
    /** The run if it is cached, `null` otherwise. */
    readonly peek: (id: string) => Effect.Effect<FinishedRun | null>
    /** `null` unless the run is `done`. */
    readonly get: (id: string) => Effect.Effect<FinishedRun | null, StoreUnavailable>
  }
>()("docgauge/server/FinishedRuns") {
  static readonly layer: Layer.Layer<FinishedRuns, never, RunStore | ResponseCache> = Layer.effect(
    FinishedRuns,
    Effect.gen(function* () {
      const [store, responses] = [yield* RunStore, yield* ResponseCache]
      return {
        peek: (id) => responses.peek(keyOf(id), FinishedRun),
        get: (id) =>
          responses.get(
            keyOf(id),
            FinishedRun,
            Effect.map(store.report(id), (stored) => (stored === null ? null : new FinishedRun(stored)))
          )
      }
    })
  )
}

const keyOf = (id: string): string => `run:${id}`
