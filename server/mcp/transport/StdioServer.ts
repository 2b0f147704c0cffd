import { layerStdio } from "effect/ai/McpServer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import type { TargetRules } from "../../../engine/audit/Target.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { isWithinDepth, MOST_CLIENT_DEPTH, parsedJson } from "../../../engine/text/JsonText.ts"
import { type LocalAuditor, localAudits } from "../audits/LocalAudits.ts"
import { registrations, RubricBook } from "../features/Resources.ts"
import { serverInfo } from "./ServerInfo.ts"

interface StdioServerOptions {
  readonly rules: TargetRules
  /** Loaded on first use. */
  readonly auditor: Effect.Effect<LocalAuditor>
  readonly rubric: Effect.Effect<Rubric>
}

/** Time to answer running requests after input ends. */
const GRACE = "1 second"

/**
 * The MCP server over standard input and output: audits from this machine, with no account and no limits. Ends when input
 * ends.
 */
export const serveStdio = Effect.fnUntraced(function* ({
  auditor,
  rubric,
  rules
}: StdioServerOptions): Effect.fn.Return<void, never, Stdio.Stdio> {
  const inputEnded = yield* Deferred.make<void>()
  const offered = registrations.pipe(
    Layer.provide(localAudits({ ...rules, auditor })),
    Layer.provide(Layer.succeed(RubricBook, { rubric }))
  )
  const server = layerStdio({ ...serverInfo, registrations: offered }).pipe(
    Layer.provide(layerLines(Deferred.succeed(inputEnded, undefined))),
    Layer.orDie
  )
  const serving = yield* Effect.forkChild(Layer.launch(server))
  yield* Effect.raceFirst(Fiber.await(serving), Effect.andThen(Deferred.await(inputEnded), Effect.sleep(GRACE)))
  yield* Fiber.interrupt(serving)
})

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
