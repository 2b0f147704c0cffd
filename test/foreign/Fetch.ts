import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Packages, Suite } from "./Suite.ts"

/** Installs what the suites need into `folder`, which is outside of the repository. No script of a package is run. */
export const fetchPackages = (folder: string, suites: ReadonlyArray<Suite>): Packages => {
  const dependencies = Object.assign({}, ...suites.map(({ npm = {} }) => npm))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "foreign", private: true, dependencies }))
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit"
  })
  const hasApt = isInstalled("apt-get") && isInstalled("dpkg")
  const debian = join(folder, "debian")
  mkdirSync(debian)
  if (hasApt) {
    for (const name of new Set(suites.flatMap((suite) => suite.debian ?? []))) unpack(debian, name)
  }
  return {
    npm: (name) => join(folder, "node_modules", name),
    debian: (name) => (existsSync(join(debian, name)) ? join(debian, name) : null)
  }
}

const unpack = (folder: string, name: string): void => {
  try {
    execFileSync("apt-get", ["download", "-qq", name], { cwd: folder, stdio: "ignore" })
    const file = readdirSync(folder).find((each) => each.startsWith(`${name}_`))
    if (file === undefined) return
    mkdirSync(join(folder, name))
    execFileSync("dpkg", ["-x", join(folder, file), join(folder, name)])
  } catch {
    console.error(`${name} could not be fetched`)
  }
}

export const isInstalled = (program: string): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
