const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i
const WHOLE = new RegExp(`^${UUID.source}$`, "i")

/** Whether the text can be a run's id: a UUID, in either case. */
export const isRunId = (text: string): boolean => WHOLE.test(text)

/** The first id in a text, such as the URL of a report, as it is stored; `null`: there is none. */
export const runIdIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null

/** The id as it is stored, in lower case; `null` unless it is a UUID. */
export const storedId = (id: string): string | null => (isRunId(id) ? id.toLowerCase() : null)
