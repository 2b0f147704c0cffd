/** What the command's thread has to know of an output stream that only the main thread has. */
export interface OutputTraits {
  /** As Node has it: set on a terminal, else left out. */
  readonly isTTY: boolean | undefined
  /** Columns of the terminal. */
  readonly columns: number | undefined
}

export interface CommandOutputs {
  readonly stdout: OutputTraits
  readonly stderr: OutputTraits
}

/** What the thread of a command is started with. */
export interface CommandTask extends CommandOutputs {
  readonly args: ReadonlyArray<string>
}

/** From the main thread to the command's thread: stop, as a signal asked for; or the terminal has other measures now. */
export type CommandOrder = { readonly _tag: "Stop" } | { readonly _tag: "Resized"; readonly outputs: CommandOutputs }

/** From the command's thread to the main thread: an audit begins now. */
export interface AuditBegins {
  readonly _tag: "AuditBegins"
  /** Its time for gathering (`--timeout`). */
  readonly timeoutSeconds: number
  /** What its plugins from outside may take beyond that; 0 where it has none. They have a limit of their own. */
  readonly pluginSeconds: number
}
