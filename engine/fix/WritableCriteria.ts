/** Criteria that `docgauge fix` can write files for. Apart from what writes them, so that a report that names them does not load it. */
export const WRITABLE = ["A1", "A2", "A3", "A4", "A5", "B1", "B2", "B3", "B4", "C1", "F2", "F3"] as const

export type WritableCriterion = (typeof WRITABLE)[number]
