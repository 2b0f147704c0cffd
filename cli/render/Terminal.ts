import process from "node:process"
import { colours, plain, type Style } from "./Style.ts"

/** Columns of the terminal on stdout; 80 without one. */
export const terminalWidth = (): number => process.stdout.columns ?? 80

/** Colours only on a terminal, unless NO_COLOR (https://no-color.org) or the flag turns them off. */
export const outputStyle = (noColor: boolean): Style =>
  process.stdout.isTTY && !noColor && (process.env["NO_COLOR"] ?? "") === "" ? colours : plain
