import process from "node:process"
import { colours, plain, type Style } from "./Style.ts"

/** Columns of the terminal on stdout; 80 without one. */
export const terminalWidth = (): number => process.stdout.columns ?? 80

/**
 * Colours on a terminal, by the rules of Effect's CLI: `TERM=dumb` and NO_COLOR (https://no-color.org) turn them off, and
 * FORCE_COLOR (https://force-color.org) turns them on without a terminal.
 */
export const outputStyle = (noColor: boolean): Style =>
  !noColor && canColour(process.env, process.stdout.isTTY) ? colours : plain

export const canColour = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean => {
  if (env["TERM"] === "dumb" || (env["NO_COLOR"] ?? "") !== "") return false
  return isTerminal || !/^(?:|0|false)$/i.test(env["FORCE_COLOR"] ?? "")
}

/** Whether a line of stderr can be cleared and drawn again. */
export const canRedraw = (): boolean => process.stderr.isTTY && process.env["TERM"] !== "dumb"
