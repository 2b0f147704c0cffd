import type * as Layer from "effect/Layer"
import { AuditProcesses } from "../engine/worker/AuditProcesses.ts"

/** The program of an audit process: `.ts` where this file runs from source, `.js` where it was built. */
const ENTRY = new URL(`./AuditProcessMain${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** Audit processes with our plugins: so many at once. */
export const layerAuditProcesses = (most: number): Layer.Layer<AuditProcesses> => AuditProcesses.layer({ entry: ENTRY, most })
