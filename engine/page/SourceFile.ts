import { percentDecoded } from "../text/PercentDecoding.ts"

/** How code hosts name a file in the URLs of their pages, with its path as the last part. A branch counts as one segment. */
const FORMS: ReadonlyArray<RegExp> = [
  // GitLab
  /^\/[^/]+(?:\/[^/]+)+\/-\/(?:edit|blob|tree|raw|ide\/project\/[^/]+\/edit)\/[^/]+\/(?:-\/)?(.+)$/,
  // Gitea and Forgejo
  /^\/[^/]+\/[^/]+\/(?:_edit|src\/branch|src\/tag|src\/commit)\/[^/]+\/(.+)$/,
  // GitHub, Bitbucket
  /^\/[^/]+\/[^/]+\/(?:edit|blob|tree|raw|src)\/[^/]+\/(.+)$/
]

/** Characters of a path. */
const LONGEST = 500

/**
 * The path of a page's source file in its repository, by the first of its "edit this page" links that a code host answers;
 * `null` if there is none.
 */
export const sourceFileOf = (links: ReadonlyArray<string>): string | null => {
  for (const link of links) {
    const path = pathIn(link)
    if (path !== null) return path
  }
  return null
}

const pathIn = (link: string): string | null => {
  const { pathname = "" } = URL.parse(link) ?? {}
  if (pathname.length > LONGEST) return null
  for (const form of FORMS) {
    const path = form.exec(pathname)?.[1]
    if (path !== undefined) return decoded(path)
  }
  return null
}

/** The path as the file system has it; `null` for one that could lead out of the repository. */
const decoded = (path: string): string | null => {
  const plain = percentDecoded(path)
  return plain === null ||
    /\p{Cc}/u.test(plain) ||
    plain.split("/").some((segment) => segment === "" || segment === "." || segment === "..")
    ? null
    : plain
}
