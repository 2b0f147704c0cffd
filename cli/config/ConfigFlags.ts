import * as Effect from "effect/Effect"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import { dashed, isGiven } from "../audit/FlagConflicts.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import type { Config } from "./Config.ts"

/** Refuses flags that have no effect on the sites of the file. */
export const refuseFlags = (config: Config, flags: AuditFlags): Effect.Effect<void, CliFailure> => {
  const conflict = oneReport(config, flags) ?? networkOfFolders(config, flags)
  return conflict === null ? Effect.void : Effect.fail(wrongUsage(conflict))
}

const oneReport = ({ sites }: Config, { format }: AuditFlags): string | null =>
  sites.length === 1 || format === "text" || format === "github"
    ? null
    : `--format ${format} prints one report, and the configuration has ${sites.length} sites. Name files under "formats" instead.`

/** Flags that only say how to fetch a site. */
const OF_THE_NETWORK = ["resolve", "allowPrivate", "allowHttp", "concurrency"] as const

const networkOfFolders = ({ sites }: Config, flags: AuditFlags): string | null => {
  const ignored = sites.every(({ path }) => path !== undefined)
    ? OF_THE_NETWORK.find((name) => isGiven(flags[name]))
    : undefined
  return ignored === undefined
    ? null
    : `all sites of docgauge.yaml are folders, so ${dashed(ignored)} cannot be used with it.`
}
