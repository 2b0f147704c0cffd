import process from "node:process"
import { styleText } from "node:util"

/** Terminal colours; no-ops if the output is not a terminal or colours are off. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly fair: (text: string) => string
  readonly poor: (text: string) => string
}

const coloured = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false })

export const colours: Style = {
  bold: coloured("bold"),
  dim: coloured("dim"),
  good: coloured("green"),
  fair: coloured("yellow"),
  poor: coloured("red")
}

const asIs = (text: string): string => text

export const plain: Style = { bold: asIs, dim: asIs, good: asIs, fair: asIs, poor: asIs }

/** Breaks a text at spaces into lines of at most `width` characters; a longer word gets its own line. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

export const block = (text: string, width: number, indent: string): ReadonlyArray<string> =>
  wrap(text, Math.max(20, width - indent.length)).map((line) => indent + line)

/** Sections with an empty line between them; those without lines are left out. */
export const sectionsText = (sections: ReadonlyArray<ReadonlyArray<string>>): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`

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
