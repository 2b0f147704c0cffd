import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import process from "node:process"
import { vi } from "vitest"
import { commandLine } from "../../cli/Program.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { impatientClock } from "../harness/program/ImpatientClock.ts"
import type { CliRun } from "./RunCli.ts"

/** What is written to a stream of this process goes here. */
const captured = (stream: NodeJS.WriteStream, logged: "error" | "log") => {
  const pieces: Array<string> = []
  const written = vi.spyOn(stream, "write").mockImplementation((text, encoding, done) => {
    pieces.push(String(text))
    const callback = typeof encoding === "function" ? encoding : done
    callback?.()
    return true
  })
  const printed = vi.spyOn(console, logged).mockImplementation((text: unknown) => {
    pieces.push(`${String(text)}\n`)
  })
  return {
    text: (): string => pieces.join(""),
    restore: (): void => {
      written.mockRestore()
      printed.mockRestore()
    }
  }
}

/** Has pages and descriptions read on this thread until it is undone: the start of the threads costs more processor time than most audits. */
const readInline = (): (() => void) => {
  const { layer, layerInline, layerWith } = ParserPool
  const use = (properties: Partial<typeof ParserPool>): void => {
    for (const [name, value] of Object.entries(properties)) Object.defineProperty(ParserPool, name, { value })
  }
  use({ layer: layerInline, layerWith: () => layerInline })
  return () => use({ layer, layerWith })
}

/**
 * Runs a command line in the process of the test, one at a time: the same as `runCli` without the start of a process, which costs more
 * than most commands, and without threads for pages. It does not wait before it sends a request again.
 */
export const runHere = async (
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<CliRun> => {
  const before = process.cwd()
  const { env } = process
  process.env = options.env ?? env
  process.chdir(options.cwd ?? before)
  const restoreThreads = readInline()
  const stdout = captured(process.stdout, "log")
  const stderr = captured(process.stderr, "error")
  try {
    const ended = await (
      await commandLine(args)
    ).pipe(
      Effect.provide(NodeServices.layer),
      // Effect keeps the environment that it reads first.
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv()),
      Effect.provideServiceEffect(Clock.Clock, impatientClock),
      Effect.result,
      Effect.runPromise
    )
    const code = Result.isSuccess(ended) ? 0 : ended.failure.code
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.restore()
    stderr.restore()
    restoreThreads()
    process.chdir(before)
    process.env = env
  }
}
