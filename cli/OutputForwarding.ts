import type { Readable, Writable } from "node:stream"

/**
 * Writes what a thread says to a stream of this process, no faster than the stream takes it. A reader that closes its end
 * early (`| head`) is no error: the rest is dropped, and the thread does not wait for a reader that is gone.
 */
export const forwardOutput = (source: Readable, target: Writable, onFailure: (error: Error) => void): void => {
  let open = true
  target.on("drain", () => source.resume())
  target.on("error", (error: NodeJS.ErrnoException) => {
    open = false
    source.resume()
    if (error.code !== "EPIPE") onFailure(error)
  })
  source.on("data", (chunk: Uint8Array) => {
    if (open && !target.write(chunk)) source.pause()
  })
}
