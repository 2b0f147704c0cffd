import { execFile, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"

/*
 * The package as users install it: packed, and installed by a package manager and run by a version of Node that a registry gives.
 */

/** `npm pack`, with the build that it runs; gives the tarball's path. */
export { packInto as pack } from "./PackedPackage.ts"

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A version of Node, alone on the PATH with a shell: no compiler, no Python, no make. */
export interface BareNode {
  readonly version: string
  readonly path: string
  /** Environment of what it runs. */
  readonly env: NodeJS.ProcessEnv
}

/** A package manager in a folder of its own. */
export interface PackageManager {
  readonly name: string
  readonly version: string
  /** Runs it in a folder. */
  readonly run: (cwd: string, args: ReadonlyArray<string>, node: BareNode) => Promise<Finished>
  /** Installs the package in a project. */
  readonly install: (project: string, tarball: string, node: BareNode) => Promise<Finished>
}

/** A folder for packages, tools and projects; removed at the end. */
export const workshop = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-install-"))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

/** An empty project in the workshop. */
export const emptyProject = (folder: string, name: string): string => {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", private: true }))
  return project
}

/** Installs a package from the registry as a tool, once; `null` if it cannot be installed. */
const tool = async (folder: string, spec: string): Promise<string | null> => {
  const home = join(folder, `tool-${spec.replaceAll(/[^\w.]+/g, "-")}`)
  if (existsSync(home)) return existsSync(join(home, "node_modules")) ? home : null
  mkdirSync(home)
  writeFileSync(join(home, "package.json"), "{}")
  const { code } = await runIn(home, "npm", ["install", spec, "--no-audit", "--no-fund"], process.env)
  return code === 0 ? home : null
}

/** A Node of this version (`22.19.0`, or the newest of `20`); `null` where the registry has none for this machine. */
export const bareNode = async (folder: string, version: string): Promise<BareNode | null> => {
  const name = `node-${process.platform}-${process.arch}`
  const home = await tool(folder, `${name}@${version}`)
  const path = home === null ? "" : join(home, "node_modules", name, "bin", "node")
  return existsSync(path) ? bare(folder, path) : null
}

/** The Node that runs the tests, in the same way. */
export const ownNode = (folder: string): BareNode => bare(folder, process.execPath)

const bare = (folder: string, node: string): BareNode => {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1)
  const programs = join(folder, `programs-${version}`)
  if (!existsSync(programs)) {
    mkdirSync(programs)
    symlinkSync(node, join(programs, "node"))
    symlinkSync("/bin/sh", join(programs, "sh"))
  }
  const kept = ["HOME", "LANG", "TMPDIR", "NODE_EXTRA_CA_CERTS", "DOCGAUGE_AUDIT_NICENESS"].flatMap((variable) =>
    process.env[variable] === undefined ? [] : [[variable, process.env[variable]]]
  )
  const configured = Object.entries(process.env).filter(([variable]) =>
    /^npm_config_(?:registry|cache|cafile)$/i.test(variable)
  )
  return { version, path: node, env: { ...Object.fromEntries([...kept, ...configured]), PATH: programs } }
}

/** The program of an installed package, from its package.json. */
const programOf = (home: string, name: string, bin: string): string => {
  const folder = join(home, "node_modules", name)
  const manifest: { readonly bin: string | Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  return join(folder, typeof manifest.bin === "string" ? manifest.bin : (manifest.bin[bin] ?? ""))
}

/** Some package managers are binaries rather than scripts for Node. */
const isBinary = (program: string): boolean => readFileSync(program).subarray(0, 1_000).includes(0)

const versionOf = (home: string, name: string): string => {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(home, "node_modules", name, "package.json"), "utf8")
  )
  return version
}

interface ManagerKind {
  /** As npm names it. */
  readonly spec: string
  readonly packageName: string
  readonly bin: string
  readonly add: (tarball: string) => ReadonlyArray<string>
  /** Files that the project needs first. */
  readonly files?: Readonly<Record<string, string>>
}

const QUIET = ["--no-audit", "--no-fund"]

/** Leaves packages in their archives, so that a project has no `node_modules`. */
export const PLUG_N_PLAY = "yarn 4 with Plug'n'Play"

export const MANAGERS: Readonly<Record<string, ManagerKind>> = {
  "npm 11": { spec: "npm@11", packageName: "npm", bin: "npm", add: (tarball) => ["install", tarball, ...QUIET] },
  "npm 12": { spec: "npm@12", packageName: "npm", bin: "npm", add: (tarball) => ["install", tarball, ...QUIET] },
  pnpm: { spec: "pnpm", packageName: "pnpm", bin: "pnpm", add: (tarball) => ["add", tarball] },
  "yarn 1": {
    spec: "yarn@1",
    packageName: "yarn",
    bin: "yarn",
    add: (tarball) => ["add", `file:${tarball}`, "--no-progress"]
  },
  "yarn 4": {
    spec: "@yarnpkg/cli-dist",
    packageName: "@yarnpkg/cli-dist",
    bin: "yarn",
    add: (tarball) => ["add", `docgauge@file:${tarball}`],
    files: { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn.lock": "" }
  },
  [PLUG_N_PLAY]: {
    spec: "@yarnpkg/cli-dist",
    packageName: "@yarnpkg/cli-dist",
    bin: "yarn",
    add: (tarball) => ["add", `docgauge@file:${tarball}`],
    files: { ".yarnrc.yml": "nodeLinker: pnp\nenableTelemetry: false\n", "yarn.lock": "" }
  },
  bun: { spec: "bun", packageName: "bun", bin: "bun", add: (tarball) => ["add", tarball] }
}

/** A package manager from the registry; `null` if it cannot be installed. */
export const packageManager = async (folder: string, name: string): Promise<PackageManager | null> => {
  const kind = MANAGERS[name]
  const home = kind === undefined ? null : await tool(folder, kind.spec)
  if (kind === undefined || home === null) return null
  const program = programOf(home, kind.packageName, kind.bin)
  const run: PackageManager["run"] = (cwd, args, node) => {
    const [command, before] = isBinary(program) ? ([program, []] as const) : ([node.path, [program]] as const)
    return runIn(cwd, command, [...before, ...args], { ...node.env, CI: "1" })
  }
  return {
    name,
    version: versionOf(home, kind.packageName),
    run,
    install: (project, tarball, node) => {
      for (const [file, text] of Object.entries(kind.files ?? {})) writeFileSync(join(project, file), text)
      return run(project, kind.add(tarball), node)
    }
  }
}

export const runIn = (
  cwd: string,
  command: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv
): Promise<Finished> =>
  new Promise((settle) => {
    const child = execFile(command, args, { cwd, env, maxBuffer: 64 * 2 ** 20 }, (_, stdout, stderr) =>
      settle({ code: child.exitCode, stdout, stderr })
    )
  })

/** `docgauge` of a project, run by a version of Node. */
export const docgauge = (project: string, node: BareNode, args: ReadonlyArray<string>): Promise<Finished> =>
  runIn(project, node.path, [join(project, "node_modules/docgauge/dist/docgauge.cjs"), ...args], node.env)

/** Audits the typical site, served on loopback, with whatever audits. */
export const auditing = (audit: (args: ReadonlyArray<string>) => Promise<Finished>): Promise<Finished> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { origin, pathname } = new URL(TYPICAL_URL)
        const server = yield* serveFakeSite(typicalSite(), { host: origin })
        const own = ["--allow-private", "--allow-http", "--canonical-origin", origin, "--format", "json", "--quiet"]
        return yield* Effect.promise(() => audit([server.origin + pathname, ...own]))
      })
    )
  )

/** The status of /healthz, asked again where a busy machine keeps its database waiting for longer than a check may take. */
const healthOf = async (url: string): Promise<number> => {
  let status = 0
  for (let asked = 0; asked < 20 && status !== 200; asked++) {
    if (asked > 0) await setTimeout(1_000)
    status = (await fetch(`${url}/healthz`)).status
  }
  return status
}

/** Starts `docgauge serve` with a database file in the project, and gives what it logged before it listened and its health. */
export const servingFromFile = async (
  project: string,
  node: BareNode
): Promise<{ readonly health: number; readonly log: ReadonlyArray<string> }> => {
  const child = spawn(
    node.path,
    [
      join(project, "node_modules/docgauge/dist/docgauge.cjs"),
      "serve",
      "--port",
      "0",
      "--database-url",
      "file:runs.db",
      "--archives",
      "off"
    ],
    {
      cwd: project,
      env: node.env,
      stdio: ["ignore", "ignore", "pipe"]
    }
  )
  const log: Array<string> = []
  try {
    const url = await new Promise<string>((settle, fail) => {
      createInterface({ input: child.stderr })
        .on("line", (line) => {
          log.push(line)
          const port = /listens on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
          if (port !== undefined) settle(`http://127.0.0.1:${port}`)
        })
        .on("close", () => fail(new Error(`it ended: ${log.join("\n")}`)))
    })
    return { health: await healthOf(url), log }
  } finally {
    const ended = new Promise((done) => child.once("exit", done))
    child.kill("SIGTERM")
    await ended
  }
}
