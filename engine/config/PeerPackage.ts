import { createRequire } from "node:module"

/*
 * Packages that users install beside docgauge. package.json accepts any version of them: npm would otherwise refuse to install
 * docgauge in a project that has another version for itself, even where docgauge does not use it.
 */

/** What needs a package, and the oldest version that works. */
interface PeerNeed {
  readonly user: string
  readonly name: string
  /** Major and minor version, such as 4.1. */
  readonly oldest: string
}

/** The sentence for users where the version beside the module is too old; `null` where it is not, or cannot be read. */
export const peerProblem = ({ name, oldest, user }: PeerNeed, module: string): string | null => {
  const version = versionBeside(name, module)
  return version === null || !isOlder(version, oldest)
    ? null
    : `${user} needs ${name} ${oldest} or later, and ${version} is installed: run npm install ${name}@${oldest}.`
}

/** Throws that sentence. */
export const requirePeer = (need: PeerNeed, module: string): void => {
  const problem = peerProblem(need, module)
  if (problem !== null) throw new Error(problem)
}

const versionBeside = (name: string, module: string): string | null => {
  try {
    const manifest: unknown = createRequire(module)(`${name}/package.json`)
    return typeof manifest === "object" &&
      manifest !== null &&
      "version" in manifest &&
      typeof manifest.version === "string"
      ? manifest.version
      : null
  } catch {
    return null
  }
}

const isOlder = (version: string, oldest: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [neededMajor = 0, neededMinor = 0] = oldest.split(".").map(Number)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}
