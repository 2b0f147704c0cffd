import type { SubmitterClass } from "./Submitter.ts"

/** The classes in the order in which they are asked for a run: the one that had the last turn comes second. */
export const classesAfter = (last: SubmitterClass): ReadonlyArray<SubmitterClass> => (last === "guest" ? ["operator", "guest"] : ["guest", "operator"])
