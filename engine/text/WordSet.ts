/** The words of a text, which single spaces separate. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "))
