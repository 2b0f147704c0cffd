import process from "node:process"
import type { AuditEvent } from "../../engine/audit/AuditRequest.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { canRedraw } from "./Style.ts"

/** Shows the progress of an audit in one line of stderr that is redrawn. */
interface Progress {
  readonly listen: (event: AuditEvent) => void
  /** Clears the line. */
  readonly end: () => void
}

/** Minimum interval between redraws, in milliseconds. */
const EVERY = 60

const silent: Progress = { listen: () => {}, end: () => {} }

/** Nothing is shown unless stderr is a terminal that can redraw a line. */
export const makeProgress = (quiet: boolean): Progress => {
  const terminal = process.stderr
  if (quiet || !canRedraw()) return silent
  let answered = 0
  let measured = ""
  let drawnAt = 0
  const draw = (url: string) => {
    const width = (terminal.columns ?? 80) - 1
    terminal.write(`\r\u001b[2K${plainText(`${answered} answers${measured}  ${url}`, width)}`)
  }
  return {
    listen: (event) => {
      if (event._tag === "Measured") measured = `, ${event.done} of ${event.total} criteria`
      if (event._tag === "Answered") answered += 1
      const now = performance.now()
      if (now - drawnAt < EVERY) return
      drawnAt = now
      draw(event._tag === "Measured" ? "" : event.url)
    },
    end: () => {
      terminal.write("\r\u001b[2K")
    }
  }
}
