import type { CriterionOutcome } from "../corpus/CriterionOutcome.ts"
import type { Run } from "./Run.ts"

/** The facts of one criterion's plugin, for rescoring. */
export interface StoredFacts {
  /** The criterion's id. */
  readonly criterion: string
  readonly plugin: string
  /** Its major part. */
  readonly revision: number
  readonly params: Readonly<Record<string, unknown>>
  /** `null` if the evidence could not be obtained. */
  readonly facts: Readonly<Record<string, number | boolean | string>> | null
}

/** One exchange of the run, with what distinguishes two responses. */
export interface ExchangeDigest {
  readonly method: string
  readonly url: string
  /** `null` without a response. */
  readonly status: number | null
  /** SHA-256 of the body, hexadecimal; `null` without a response. */
  readonly sha256: string | null
  /** Bytes of body, decompressed. */
  readonly size: number
}

/** The result of an audit. The store knows nothing else about reports. */
export interface RunResult {
  /** The report exactly as it is served: UTF-8 JSON. */
  readonly encoded: string
  readonly totalScore: number
  /** Whether the score can be relied on. */
  readonly reliable: boolean
  /** One for each criterion that earns points. */
  readonly outcomes: ReadonlyArray<CriterionOutcome>
  readonly facts: ReadonlyArray<StoredFacts>
  readonly exchanges: ReadonlyArray<ExchangeDigest>
  readonly durationMs: number
  readonly requests: number
  /** Received over the network. */
  readonly bytes: number
}

/** A finished report with the data of its HTTP headers. */
export interface EncodedReport {
  readonly run: Run
  readonly encoded: string
  readonly durationMs: number
  readonly requests: number
  readonly bytes: number
}
