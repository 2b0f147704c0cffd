import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeMemoryBuckets } from "../../engine/limit/MemoryBuckets.ts"
import { parseRate, type Rate } from "../../engine/limit/RateSpec.ts"
import { setting } from "../../engine/config/Setting.ts"
import { rateFor, timesOf } from "../../engine/limit/SharedKey.ts"
import { type Refusal, verdictOf } from "../../engine/limit/Verdict.ts"
import type { Caller } from "./McpCaller.ts"

/** Messages to the MCP server for each grant; `null`: as many as it likes. */
const messageRate: Config.Config<Rate | null> = setting("DOCGAUGE_MCP_RATE", "300/60s", parseRate)

/** How many times the limits of one grant hold for a network as a whole. */
const networkFactor: Config.Config<number> = setting("DOCGAUGE_MCP_NETWORK_FACTOR", "10", (text) =>
  /^[1-9]\d{0,2}$/.test(text) ? Result.succeed(Number(text)) : Result.fail("give a whole number from 1 to 999, such as 10"))

/** How much may be asked of the MCP server. Counted in this process's memory. */
export class McpLimits extends Context.Service<McpLimits, {
  /** How many times the limits of one grant hold for a network as a whole. */
  readonly networkFactor: number
  /** Counts one message; `null` where it is allowed. */
  readonly message: (caller: Caller, now: number) => Refusal | null
}>()("docgauge/server/mcp/McpLimits") {
  /** As the environment says. */
  static readonly layer: Layer.Layer<McpLimits, Config.ConfigError> = Layer.effect(
    McpLimits,
    Effect.gen(function*() {
      const rate = yield* messageRate
      return { networkFactor: yield* networkFactor, message: rate === null ? () => null : countMessages(rate) }
    })
  )
}

const countMessages = (rate: Rate) => {
  const buckets = makeMemoryBuckets(rate)
  return (caller: Caller, now: number): Refusal | null => {
    for (const { rateKey } of caller) {
      const verdict = verdictOf("mcp", rateFor(rate, rateKey), 1, buckets.take(rateKey, 1 / timesOf(rateKey), now))
      if (verdict._tag === "Refusal") return verdict
    }
    return null
  }
}
