import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import type { AuditFlags } from "./AuditFlags.ts"

/** Flags that a flag would silently ignore, and why it does. */
interface Conflict {
  readonly flag: string
  readonly because: string
  readonly ignores: ReadonlyArray<string>
}

/** Of all commands; a command has some of these flags. */
export const CONFLICTS: ReadonlyArray<Conflict> = [
  {
    flag: "as",
    because: "audits a folder",
    ignores: [
      "server",
      "replay",
      "record",
      "asAgents",
      "resolve",
      "allowPrivate",
      "allowHttp",
      "concurrency",
      "header",
      "basicAuth"
    ]
  },
  {
    flag: "server",
    because: "audits with the settings of the service",
    ignores: [
      "replay",
      "record",
      "asAgents",
      "rubric",
      "allowPlugins",
      "sample",
      "timeout",
      "concurrency",
      "canonicalOrigin",
      "resolve",
      "allowPrivate",
      "allowHttp",
      "header",
      "basicAuth"
    ]
  },
  {
    flag: "replay",
    because: "uses no network",
    ignores: ["asAgents", "resolve", "allowPrivate", "allowHttp", "concurrency", "timeout", "header", "basicAuth"]
  },
  {
    flag: "from",
    because: "reads an archive and uses no network",
    ignores: ["resolve", "allowPrivate", "allowHttp", "concurrency", "timeout", "as", "patch", "all"]
  },
  {
    flag: "patch",
    because: "adds to a build",
    ignores: ["logs"]
  },
  {
    flag: "pullRequest",
    because: "commits files of the site to a branch",
    ignores: ["patch", "host", "plan", "prompt"]
  },
  {
    flag: "config",
    because: "says what is audited and which goals it must reach",
    ignores: [
      "url",
      "minScore",
      "baseline",
      "maxDrop",
      "maxDrift",
      "requireReliable",
      "rubric",
      "as",
      "asAgents",
      "record",
      "replay",
      "server",
      "canonicalOrigin",
      "header",
      "basicAuth",
      "output"
    ]
  }
]

/** Checks what can be told from the flags alone. */
export const checkFlags = (flags: AuditFlags): Effect.Effect<void, CliFailure> =>
  Effect.andThen(checkNumbers(flags), refuseConflicts(flags))

const checkNumbers = (flags: AuditFlags): Effect.Effect<void, CliFailure> => {
  const fault = rangeFault([
    ...fetchingRanges(flags),
    ["--max-drop", Option.getOrUndefined(flags.maxDrop), 0, 100],
    ["--max-drift", Option.getOrUndefined(flags.maxDrift), 0, 100_000],
    ["--min-score", Option.getOrUndefined(flags.minScore), 0, 100]
  ])
  return fault === null ? Effect.void : Effect.fail(wrongUsage(fault))
}

type Range = readonly [name: string, value: number | undefined, least: number, most: number]

/** The numbers that say how a site is fetched. */
export const fetchingRanges = ({
  concurrency,
  sample,
  timeout
}: Pick<AuditFlags, "concurrency" | "sample" | "timeout">): ReadonlyArray<Range> => [
  ["--sample", Option.getOrUndefined(sample), 1, 200],
  ["--concurrency", Option.getOrUndefined(concurrency), 1, 6],
  ["--timeout", Option.getOrUndefined(timeout), 1, 3_600]
]

/** What is wrong with the first number that is not a whole one in its range; `null` if all are. */
export const rangeFault = (ranges: ReadonlyArray<Range>): string | null => {
  const wrong = ranges.find(
    ([, value, least, most]) => value !== undefined && !(Number.isInteger(value) && value >= least && value <= most)
  )
  return wrong === undefined ? null : `${wrong[0]} takes a whole number from ${wrong[2]} to ${wrong[3]}.`
}

const refuseConflicts = (flags: AuditFlags): Effect.Effect<void, CliFailure> =>
  Option.isSome(flags.maxDrop) && Option.isNone(flags.baseline)
    ? Effect.fail(wrongUsage("--max-drop needs the report to compare with, as in: --baseline main.json --max-drop 2"))
    : refuseIgnored(flags)

/** A flag that has no effect is refused, so that no build relies on it. */
export const refuseIgnored = (flags: Readonly<Record<string, unknown>>): Effect.Effect<void, CliFailure> => {
  for (const { because, flag, ignores } of CONFLICTS) {
    const ignored = isGiven(flags[flag]) ? ignores.find((name) => isGiven(flags[name])) : undefined
    if (ignored !== undefined)
      return Effect.fail(wrongUsage(`${dashed(flag)} ${because}, so ${dashed(ignored)} cannot be used with it.`))
  }
  return Effect.void
}

/** Whether the value of a flag is not the one that it has where it is left out. */
export const isGiven = (value: unknown): boolean => {
  if (typeof value === "boolean") return value
  return Array.isArray(value) ? value.length > 0 : Option.isOption(value) && Option.isSome(value)
}

/** The flag as it is written: `canonicalOrigin` is `--canonical-origin`. */
export const dashed = (name: string): string =>
  name === "url"
    ? "a URL"
    : name === "config"
      ? "docgauge.yaml"
      : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
