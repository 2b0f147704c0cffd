/** What an audit found for a criterion; `inconclusive`: we could not check it, `not_applicable`: the site has no HTTP API to document. */
export const OUTCOME_STATES = ["present", "partial", "absent", "inconclusive", "not_applicable"] as const
export type OutcomeState = (typeof OUTCOME_STATES)[number]

/** One criterion of a report: what the corpus counts, and what the history of a site shows. */
export interface CriterionOutcome {
  /** Category letter and number, such as `D3`. */
  readonly id: string
  readonly state: OutcomeState
  readonly score: number
  readonly max: number
}

const SIGNS: Readonly<Record<OutcomeState, string>> = {
  present: "+",
  partial: "~",
  absent: "-",
  inconclusive: "?",
  not_applicable: "x"
}

const STATES = new Map(OUTCOME_STATES.map((state) => [SIGNS[state], state]))

/** As text of about eight bytes each: `A1+2/2 A2~1/3`. The pages of a site read a hundred of them, which reports would make slow. */
export const packOutcomes = (outcomes: ReadonlyArray<CriterionOutcome>): string =>
  outcomes.map(({ id, max, score, state }) => `${id}${SIGNS[state]}${score}/${max}`).join(" ")

/** The outcomes of such a text. Leaves out what it cannot read, such as outcomes of a later version. */
export const unpackOutcomes = (text: string): ReadonlyArray<CriterionOutcome> =>
  text.split(" ").flatMap((packed): ReadonlyArray<CriterionOutcome> => {
    const [, id, sign = "", score, max] = /^([A-Z]\d{1,4})([-+~?x])(\d{1,3})\/(\d{1,3})$/.exec(packed) ?? []
    const state = STATES.get(sign)
    return id === undefined || state === undefined ? [] : [{ id, state, score: Number(score), max: Number(max) }]
  })
