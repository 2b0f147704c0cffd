/** Hosts on which an owner has one site at the root, and a folder for each further project. */
const PROJECT_HOST = /\.(?:github\.io|gitlab\.io|codeberg\.page)$/i

/** Whether who publishes the documentation publishes the root of its host, too: the root of a project's pages is another project's. */
export const ownsRoot = (url: string): boolean => {
  const { hostname, pathname } = new URL(url)
  return !PROJECT_HOST.test(hostname) || pathname === "/"
}

/** Why a file at the root is not written; `file`: its name. */
export const rootText = (file: string, url: string): string =>
  `${file} belongs to the root of ${new URL(url).hostname}, which another repository publishes. Ask its owner, or publish the documentation on a host of its own.`
