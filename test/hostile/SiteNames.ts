/** The URL of a site of the hostile corpus: each is under a registrable domain of its own. */
export const hostileUrl = (name: string): string => `http://docs.hostile-${name}.com`

/** The name of the site that a `Host` header asks for; trailing dots do not count. */
export const nameOf = (host: string): string => /^docs\.hostile-([a-z0-9-]+)\.com\.*(?::\d+)?$/.exec(host)?.[1] ?? ""

/** A site that does no harm, to compare with. */
export const HARMLESS = "harmless"
