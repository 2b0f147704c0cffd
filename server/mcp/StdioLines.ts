import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { isWithinDepth } from "./JsonDepth.ts"

/** The longest message that is read, in characters. */
const LONGEST_LINE = 1_000_000

/** What a message that is none is answered with; there is no id to name. */
const PARSE_ERROR = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error: a line has to be one JSON-RPC message." } })}\n`

/**
 * Standard input and output of which the protocol sees nothing but whole lines of JSON: anything else is answered with a
 * parse error and forgotten, so that the lines after it are read as if it had never been. `onEnd` runs once input ends.
 */
export const layerLines = (onEnd: Effect.Effect<unknown>): Layer.Layer<Stdio.Stdio, never, Stdio.Stdio> => Layer.effect(
  Stdio.Stdio,
  Effect.gen(function*() {
    const stdio = yield* Stdio.Stdio
    const answerMalformed = Stream.make(PARSE_ERROR).pipe(Stream.run(stdio.stdout()), Effect.ignore)
    const stdin = Stream.suspend(() => {
      const lines = makeLineReader()
      return stdio.stdin.pipe(
        Stream.map((bytes) => lines.push(bytes)),
        Stream.concat(Stream.fromEffect(Effect.as(onEnd, lines.end()))),
        Stream.flattenIterable,
        Stream.filterEffect((line) => line !== null && isMessage(line) ? Effect.succeed(true) : Effect.as(answerMalformed, false)),
        Stream.map((line) => new TextEncoder().encode(`${line}\n`))
      )
    })
    return { ...stdio, stdin }
  })
)

const isMessage = (line: string): boolean => {
  if (!isWithinDepth(line)) return false
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null
  } catch {
    return false
  }
}

/** Cuts bytes into lines. Blank lines are left out; one that is too long is `null`, and is not kept. */
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
    /** What came last may lack its line feed. */
    end: () => cut(`${decoder.decode()}\n`)
  }
}
