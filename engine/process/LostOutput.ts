import process from "node:process"

/**
 * Lets this process go on when its output cannot be written, such as a log whose disk is full or whose reader has ended: Node would end
 * it. What could not be written is lost, and what comes later is tried again.
 */
export const outliveOutput = (streams: Iterable<NodeJS.WriteStream> = [process.stdout, process.stderr]): void => {
  for (const stream of streams) stream.on("error", () => undefined)
}
