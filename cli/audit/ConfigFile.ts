import { existsSync } from "node:fs"
import * as Option from "effect/Option"
import type { AuditFlags } from "./AuditFlags.ts"

/** The configuration file that is used without a flag, in the working directory. */
export const CONFIG_FILE = "docgauge.yaml"

/** The file of `--config`, or `docgauge.yaml` in the working directory if nothing else says what to audit. */
export const configFile = ({ as, config, replay, url }: AuditFlags): Option.Option<string> =>
  [as, config, replay, url].every(Option.isNone) && existsSync(CONFIG_FILE) ? Option.some(CONFIG_FILE) : config
