import type { SubmitterClass } from "./Submitter.ts"

/** The classes in the order of their turns: the class of the last turn comes second. */
export const classesAfter = (last: SubmitterClass): ReadonlyArray<SubmitterClass> =>
  last === "guest" ? ["operator", "guest"] : ["guest", "operator"]
