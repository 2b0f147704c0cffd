/** What a fuzzing process is told, as JSON in its first argument. */
export interface ChildTask {
  readonly seed: number
  /** The number of the first input. */
  readonly first: number
  /** The number of the input that it ends before; `null`: it goes on until its time is over. */
  readonly before: number | null
  /** How long it goes on once it is ready, in milliseconds; `null`: until it has read them all. */
  readonly milliseconds: number | null
  /** Names of targets; `null`: all. */
  readonly names: ReadonlyArray<string> | null
  /** The folder of the extracted corpus; `null` where there is none. */
  readonly corpus: string | null
}

/** A line of it: the input that it begins with, or what came of it where that is a finding. */
export interface Progress {
  readonly index: number
  readonly target: string
  readonly bytes: number
  readonly failure?: Failure
}

export interface Failure {
  readonly kind: "threw" | "slow" | "hung" | "memory" | "ended"
  readonly message: string
  readonly stack: string
}

/** Processor time for one input (256 KB at most) beyond which it is a finding: what is linear takes a tenth of it. */
export const SLOW_CPU_MS = 2_500

/** Processor time for one input after which the process is ended. */
export const HUNG_CPU_MS = 30_000

/** Wall-clock time after which it is ended in any case: it may wait for what never comes. Long, as the machine may be busy. */
export const HUNG_MS = 240_000

/** Memory of the whole process, in bytes: what Node and all that is loaded take, and what 256 KB may become. */
export const MOST_RESIDENT = 900 * 1024 * 1024
