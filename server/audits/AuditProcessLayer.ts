import type * as Layer from "effect/Layer"
import { AuditProcesses } from "../../engine/process/AuditProcesses.ts"

/** The program of an audit process: `.ts` if this file runs from source, `.js` if it was built. */
const ENTRY = new URL(`./AuditProcessMain${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** Audit processes with our plugins, at most `most` at once. */
export const layerAuditProcesses = (most: number): Layer.Layer<AuditProcesses> =>
  AuditProcesses.layer({ entry: ENTRY, most })
