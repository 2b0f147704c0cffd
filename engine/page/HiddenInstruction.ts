/** An order to agents in a text that people do not see. */
export interface HiddenInstruction {
  /** How the text is hidden, as a noun: `an HTML comment`. */
  readonly hiddenBy: string
  /** The sentence that gives the order, at most 600 characters, white space collapsed. */
  readonly text: string
}

/** The most that are kept of a page: one is enough to be a finding. */
export const MOST_HIDDEN_INSTRUCTIONS = 20
