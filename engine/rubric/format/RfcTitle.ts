const RFC = /^https:\/\/www\.rfc-editor\.org\/rfc\/rfc(\d{1,5})(?:#section-([\d.]{1,20}))?$/

/** `RFC 9110, section 12` of the URL of an RFC or of a section of one; `null`: it is another URL. */
export const rfcTitle = (url: string): string | null => {
  const [, rfc, section] = RFC.exec(url) ?? []
  if (rfc === undefined) return null
  return section === undefined ? `RFC ${rfc}` : `RFC ${rfc}, section ${section}`
}
