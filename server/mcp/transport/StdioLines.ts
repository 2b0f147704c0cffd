import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { isWithinDepth, MOST_CLIENT_DEPTH, parsedJson } from "../../../engine/text/JsonText.ts"

/** Maximum length of a message, in characters. */
const LONGEST_LINE = 1_000_000

/** The response to an invalid message, whose id is unknown. */
const PARSE_ERROR = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error: each line must be one JSON-RPC message." } })}\n`

/**
 * Standard input and output that passes on only whole lines of JSON. Any other line gets a parse error and is dropped, so that
 * it does not affect the lines after it. `onEnd` runs when input ends.
 */
export const layerLines = (onEnd: Effect.Effect<unknown>): Layer.Layer<Stdio.Stdio, never, Stdio.Stdio> =>
  Layer.effect(
    Stdio.Stdio,
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const answerMalformed = Stream.make(PARSE_ERROR).pipe(Stream.run(stdio.stdout()), Effect.ignore)
      const stdin = Stream.suspend(() => {
        const lines = makeLineReader()
        return stdio.stdin.pipe(
          Stream.map((bytes) => lines.push(bytes)),
          Stream.concat(Stream.fromEffect(Effect.as(onEnd, lines.end()))),
          Stream.flattenIterable,
          Stream.filterEffect((line) =>
            line !== null && isMessage(line) ? Effect.succeed(true) : Effect.as(answerMalformed, false)
          ),
          Stream.map((line) => new TextEncoder().encode(`${line}\n`))
        )
      })
      return { ...stdio, stdin }
    })
  )

const isMessage = (line: string): boolean => {
  const value = isWithinDepth(line, MOST_CLIENT_DEPTH) ? parsedJson(line) : undefined
  return typeof value === "object" && value !== null
}

/** Splits bytes into lines. Blank lines are skipped; a line that is too long is `null` and is not kept. */
const makeLineReader = () => {
  const decoder = new TextDecoder()
  let rest = ""
  let tooLong = false

  const cut = (text: string): ReadonlyArray<string | null> => {
    const pieces = text.split("\n")
    const last = pieces.pop() ?? ""
    const whole = pieces.flatMap((piece) => {
      const line = rest + piece
      const dropped = tooLong || line.length > LONGEST_LINE
      rest = ""
      tooLong = false
      if (dropped) return [null]
      return line.trim() === "" ? [] : [line]
    })
    if (!tooLong) rest += last
    if (rest.length > LONGEST_LINE) [rest, tooLong] = ["", true]
    return whole
  }

  return {
    push: (bytes: Uint8Array) => cut(decoder.decode(bytes, { stream: true })),
    /** The last line may lack its line feed. */
    end: () => cut(`${decoder.decode()}\n`)
  }
}
