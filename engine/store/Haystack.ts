/** What is searched: the address in lower case, and the site where the address does not contain it. No white space. */
export const haystackOf = (url: string, site: string): string => {
  const [address, name] = [url.toLowerCase(), site.toLowerCase()]
  return address.includes(name) ? address : `${address} ${name}`
}

/** What is searched for, as haystacks have it; `null` where nothing can contain it. */
export const needleOf = (text: string): string | null => {
  const needle = text.trim().toLowerCase()
  return needle === "" || needle.length > 2_048 || /[\s\p{Cc}]/u.test(needle) || !needle.isWellFormed() ? null : needle
}
