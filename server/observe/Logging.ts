import * as Cause from "effect/Cause"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import process from "node:process"

/*
 * Logs go to stderr, one line per event. JSON escapes untrusted text in a message; on a terminal, control characters are made
 * visible. Secrets are `Redacted` values, which do not print.
 */

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text with its control characters made visible. */
export const visible = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, "0")}`)

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof Error) return value.message
  return JSON.stringify(value) ?? String(value)
}

const partsOf = (message: unknown): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

/** An event as a JSON object. */
export const jsonLine = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const [said, ...details] = partsOf(message).filter((part) => !Cause.isCause(part))
  const causes = [cause, ...partsOf(message).filter(Cause.isCause)].filter((one) => one.reasons.length > 0)
  return JSON.stringify({
    time: date.toISOString(),
    level: logLevel.toLowerCase(),
    message: textOf(said ?? ""),
    ...fiber.getRef(References.CurrentLogAnnotations),
    ...(details.length === 0 ? {} : { details: details.map(textOf) }),
    ...(causes.length === 0 ? {} : { cause: causes.map((one) => Cause.pretty(one)).join("\n") })
  })
})

/** An event for people. */
export const terminalLine = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const causes = [cause, ...partsOf(message).filter(Cause.isCause)].filter((one) => one.reasons.length > 0)
  const said = partsOf(message)
    .filter((part) => !Cause.isCause(part))
    .map((part) => visible(textOf(part)))
    .join(" ")
  const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
    .map(([key, value]) => ` ${key}=${visible(textOf(value))}`)
    .join("")
  const explained = causes
    .map(
      (one) =>
        `\n${Cause.pretty(one)
          .split("\n")
          .map((line) => `  ${visible(line)}`)
          .join("\n")}`
    )
    .join("")
  return `${date.toISOString().slice(11, 19)} ${logLevel.toUpperCase().padEnd(5)} ${said}${annotations}${explained}`
})

const toStderr = (lines: Logger.Logger<unknown, string>) =>
  Logger.map(lines, (line) => {
    process.stderr.write(`${line}\n`)
  })

/** JSON lines, or readable ones if stderr is a terminal. */
export const layerLogging: Layer.Layer<never> = Logger.layer([toStderr(process.stderr.isTTY ? terminalLine : jsonLine)])
