import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeMemoryBuckets } from "../../../engine/limit/Buckets.ts"
import { parseRate, type Rate, rateFor, timesOf } from "../../../engine/limit/LimitSettings.ts"
import { setting } from "../../../engine/config/Setting.ts"
import { decisionOf, type LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import type { Caller } from "../audits/ServiceAudits.ts"

/** Messages to the MCP server per grant; `null`: no limit. */
const messageRate: Config.Config<Rate | null> = setting("DOCGAUGE_MCP_RATE", "300/60s", parseRate)

/** The limits of a network as a multiple of those of one grant. */
const networkFactor: Config.Config<number> = setting("DOCGAUGE_MCP_NETWORK_FACTOR", "10", (text) =>
  /^[1-9]\d{0,2}$/.test(text)
    ? Result.succeed(Number(text))
    : Result.fail("give a whole number from 1 to 999, such as 10")
)

/** Rate limits of the MCP server, counted in the memory of this process. */
export class McpLimits extends Context.Service<
  McpLimits,
  {
    /** The limits of a network as a multiple of those of one grant. */
    readonly networkFactor: number
    /** Counts one message; `null`: allowed. */
    readonly message: (caller: Caller, now: number) => LimitRefusal | null
  }
>()("docgauge/server/mcp/McpLimits") {
  /** From the environment. */
  static readonly layer: Layer.Layer<McpLimits, Config.ConfigError> = Layer.effect(
    McpLimits,
    Effect.gen(function* () {
      const rate = yield* messageRate
      return { networkFactor: yield* networkFactor, message: rate === null ? () => null : countMessages(rate) }
    })
  )
}

const countMessages = (rate: Rate) => {
  const buckets = makeMemoryBuckets(rate)
  return (caller: Caller, now: number): LimitRefusal | null => {
    for (const { rateKey } of caller) {
      const verdict = decisionOf("mcp", rateFor(rate, rateKey), 1, buckets.take(rateKey, 1 / timesOf(rateKey), now))
      if (verdict._tag === "Refusal") return verdict
    }
    return null
  }
}
