/** What the innermost cause of an error says, in one line: drivers wrap what the database said. */
export const rootMessage = (error: unknown): string => {
  if (error instanceof Error && error.cause instanceof Error) return rootMessage(error.cause)
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? ""
}
