/** The text of a site that is searched: its URL in lower case, and its name unless the URL contains it. Free of white space but for one space between. */
export const searchTextOf = (url: string, site: string): string => {
  const [address, name] = [url.toLowerCase(), site.toLowerCase()]
  return address.includes(name) ? address : `${address} ${name}`
}

/** A user's search in the form of search texts; `null` if no search text can contain it. */
export const searchedText = (query: string): string | null => {
  const text = query.trim().toLowerCase()
  return text === "" || text.length > 2_048 || /[\s\p{Cc}]/u.test(text) || !text.isWellFormed() ? null : text
}
