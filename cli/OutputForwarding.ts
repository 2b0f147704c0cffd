import type { Readable, Writable } from "node:stream"

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
