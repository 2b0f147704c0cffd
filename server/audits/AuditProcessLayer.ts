import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { setting } from "../../engine/config/Setting.ts"
import { AuditProcesses } from "../../engine/process/AuditProcesses.ts"

/** The program of an audit process: `.ts` if this file runs from source, `.js` if it was built. */
const ENTRY = new URL(`./AuditProcessMain${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/**
 * `DOCGAUGE_AUDIT_NICENESS`: at 10, an audit process gets a tenth of the processor time that the service gets where both want it, because
 * visitors wait for milliseconds and audits take seconds. Beside hostile sites, 99 % of `/healthz` took 19 ms instead of 105
 * (test/bench/README.md).
 */
const auditNiceness: Config.Config<number> = setting("DOCGAUGE_AUDIT_NICENESS", "10", (text) =>
  /^1?\d$/.test(text) ? Result.succeed(Number(text)) : Result.fail("give a whole number from 0 to 19")
)

/** Audit processes with our plugins, at most `most` at once. */
export const layerAuditProcesses = (most: number): Layer.Layer<AuditProcesses, Config.ConfigError> =>
  Layer.unwrap(Effect.map(auditNiceness, (niceness) => AuditProcesses.layer({ entry: ENTRY, most, niceness })))
