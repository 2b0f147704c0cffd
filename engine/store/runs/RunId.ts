const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether the text can be a run's id: a UUID, in either case. */
export const isRunId = (text: string): boolean => UUID.test(text)

/** The id as it is stored, in lower case; `null` unless it is a UUID. */
export const storedId = (id: string): string | null => (isRunId(id) ? id.toLowerCase() : null)
