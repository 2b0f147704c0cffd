/** A URL as one word of a POSIX shell, and as the same URL: quoted where a character means something there. */
export const shellUrl = (url: string): string =>
  /^[\w\-.~/%:=@,+]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`
