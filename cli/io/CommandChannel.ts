import type { Readable, Writable } from "node:stream"

/*
 * What passes between the main thread and the thread of a command: data, messages and output.
 */

/** Properties of an output stream, which the command's thread cannot read itself. */
export interface OutputTraits {
  /** As in Node: set on a terminal, otherwise absent. */
  readonly isTTY: boolean | undefined
  /** Columns of the terminal. */
  readonly columns: number | undefined
}

export interface CommandOutputs {
  readonly stdout: OutputTraits
  readonly stderr: OutputTraits
}

/** The start-up data of a command's thread. */
export interface CommandTask extends CommandOutputs {
  readonly args: ReadonlyArray<string>
}

/** From the main thread to the command's thread: a signal asks it to stop, or the terminal was resized. */
export type CommandOrder = { readonly _tag: "Stop" } | { readonly _tag: "Resized"; readonly outputs: CommandOutputs }

/** From the command's thread to the main thread: an audit begins now. */
export interface AuditBegins {
  readonly _tag: "AuditBegins"
  /** Its time for gathering (`--timeout`). */
  readonly timeoutSeconds: number
  /** Additional time for its external plugins, which have their own limit; 0 without any. */
  readonly pluginSeconds: number
}

/**
 * Pipes a thread's output to a stream of this process, with backpressure. A reader that closes the pipe early (`| head`) is not
 * an error: the rest is discarded, so that the thread does not wait. Call what is returned to discard the rest at once.
 */
export const forwardOutput = (source: Readable, target: Writable, onFailure: (error: Error) => void): (() => void) => {
  let open = true
  const discard = (): void => {
    open = false
    source.resume()
  }
  target.on("drain", () => source.resume())
  target.on("error", (error: NodeJS.ErrnoException) => {
    discard()
    if (!isClosedPipe(error)) onFailure(error)
  })
  source.on("data", (chunk: Uint8Array) => {
    if (open && !target.write(chunk)) source.pause()
  })
  return discard
}

/** A reader that closes the pipe early (`| head`) is not an error. */
export const isClosedPipe = (error: NodeJS.ErrnoException): boolean => error.code === "EPIPE"

export const unwritable = ({ message }: Error): string => `cannot write the output: ${message}.`
