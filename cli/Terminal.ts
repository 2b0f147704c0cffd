import process from "node:process"
import { colours, plain, type Style } from "./render/Style.ts"

/** Columns of the terminal on stdout; 80 where there is none. */
export const terminalWidth = (): number => process.stdout.columns ?? 80

/** Colours only on a terminal, and not where NO_COLOR (https://no-color.org) or the flag says no. */
export const outputStyle = (noColor: boolean): Style =>
  process.stdout.isTTY && !noColor && (process.env["NO_COLOR"] ?? "") === "" ? colours : plain
