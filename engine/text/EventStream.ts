import { parsedJson } from "./JsonText.ts"

/** An event of a `text/event-stream`. */
interface StreamEvent {
  /** The `data` lines, joined by line feeds. */
  readonly data: string
  /** Characters of the stream up to the end of the event. */
  readonly end: number
}

/**
 * Reads a stream of events (WHATWG HTML, section 9.2) in pieces: each call returns the events that the piece completes. Names,
 * ids and comments are passed over.
 */
export const makeEventReader = (): ((piece: string) => ReadonlyArray<StreamEvent>) => {
  let line = ""
  let data: Array<string> = []
  let length = 0
  let followsReturn = false
  const endLine = (end: number): ReadonlyArray<StreamEvent> => {
    const field = line
    line = ""
    if (field !== "") {
      const value = /^data(?::|$)/.test(field) ? field.slice(5) : null
      if (value !== null) data.push(value.startsWith(" ") ? value.slice(1) : value)
      return []
    }
    const events = data.length === 0 ? [] : [{ data: data.join("\n"), end }]
    data = []
    return events
  }
  return (piece) => {
    const events: Array<StreamEvent> = []
    let from = 0
    for (const { 0: ending, index } of piece.matchAll(/[\r\n]/g)) {
      const isPair = ending === "\n" && index === from && (from === 0 ? followsReturn : piece[index - 1] === "\r")
      if (!isPair) {
        line += piece.slice(from, index)
        events.push(...endLine(length + index + 1))
      }
      from = index + 1
    }
    line += piece.slice(from)
    followsReturn = piece === "" ? followsReturn : piece.endsWith("\r")
    length += piece.length
    return events
  }
}

/** The JSON-RPC response to the request `id` among a text's events; `undefined` if there is none. */
export const responseAmong = (text: string, id: unknown): unknown =>
  makeEventReader()(text.endsWith("\n") ? `${text}\n` : `${text}\n\n`)
    .map(({ data }) => parsedJson(data))
    .find((message) => isResponseTo(id, message))

/** A message with that id that is a result or an error, so not a request of the server's own. */
export const isResponseTo = (id: unknown, message: unknown): boolean =>
  typeof message === "object" &&
  message !== null &&
  "id" in message &&
  message.id === id &&
  ("result" in message || "error" in message)
