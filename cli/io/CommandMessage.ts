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
