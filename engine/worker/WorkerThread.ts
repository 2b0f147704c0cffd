/** A kind of worker thread. Its module replies to each message with exactly one message. */
export interface WorkerThread {
  readonly entry: URL
  /** As in Node's `ResourceLimits`, whose name is left out because authors of plugins compile this type without `@types/node`. */
  readonly limits: {
    readonly maxOldGenerationSizeMb?: number
    readonly maxYoungGenerationSizeMb?: number
  }
}
