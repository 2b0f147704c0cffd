import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { serveFakeSite } from "../../engine/testing/FakeServer.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { composeErrors } from "../deploy/ComposeSchema.ts"
import { freePort } from "../harness/FreePort.ts"
import { execForm, saidBy, stagesOf } from "./Dockerfile.ts"
import { NODE_FIRST, ROOT } from "../harness/PackedPackage.ts"

/*
 * The steps of the Dockerfile, done without a container engine: in a root of their own (mount namespace and chroot) that has this
 * machine's libraries, Node, npm and what the steps put there. Then the image's program runs there as the image's user with a
 * read-only root. Needs root and Linux; skipped elsewhere. In CI, a machine without the tool is an error rather than a reason to skip.
 */

const [build = [], runtime = []] = stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"))

const tried = spawnSync("unshare", ["--mount", "true"], { encoding: "utf8" })
const CAN = tried.status === 0
const isToolMissing = tried.error !== undefined
if (!CAN) process.stderr.write(`The image of the Dockerfile is skipped: ${isToolMissing ? "unshare is missing" : tried.stderr.trim()}\n`)

const base = mkdtempSync(join(tmpdir(), "docgauge-image-"))
const root = join(base, "root")
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** The mounts of the root: everything of this machine is read only. */
const MOUNTS = (readOnly: boolean): string => `
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
for part in usr lib lib64 bin; do
  if [ -d "/$part" ] && [ ! -L "/$part" ]; then mkdir -p "$ROOT/$part"; mount --rbind "/$part" "$ROOT/$part"; mount -o remount,bind,ro "$ROOT/$part"; elif [ -L "/$part" ]; then ln -sfn "$(readlink "/$part")" "$ROOT/$part"; fi
done
mount --bind "$BASE/local" "$ROOT/usr/local"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
${readOnly ? `mount --bind "$ROOT/data" "$ROOT/data"
mount -o remount,bind,ro "$ROOT/usr/local"
mount -o remount,bind,ro "$ROOT"
mount -t tmpfs tmpfs "$ROOT/tmp"` : ""}
`

/** How to run `$COMMAND` in the root; `user`: as the image's user, with its root read only. */
const inRoot = (cwd: string, env: Readonly<Record<string, string>>, user: boolean): ReadonlyArray<string> => {
  const settings = Object.entries(env).map(([name, value]) => `'${name}=${value}'`).join(" ")
  const as = user ? "/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all" : ""
  return [
    "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
    `${MOUNTS(user)}\nexec chroot "$ROOT" ${as} /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp ${settings} sh -c 'cd "$0" && eval "$1"' '${cwd}' "$COMMAND"`
  ]
}

const environment = (command: string) => ({ ...process.env, ROOT: root, BASE: base, COMMAND: command })

/** How this machine reaches a registry. */
const NPM = Object.fromEntries(Object.entries(process.env).flatMap(([name, value = ""]) => /^(?:npm_config_registry|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name) ? [[name, value]] : []))

const step = (command: string, cwd: string): void => {
  const [program = "", ...args] = inRoot(cwd, { ...NPM, npm_config_cache: "/tmp/npm" }, false)
  execFileSync(program, args, { env: environment(command), stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 * 2 ** 20 })
}

const SETTINGS = Object.fromEntries(saidBy(runtime, "ENV").flatMap((text) => text.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])))

interface Finished {
  readonly code: number | null
  readonly printed: string
}

/** `docker run --read-only --tmpfs /tmp IMAGE …` */
const imageRun = (args: string): Promise<Finished> =>
  new Promise((done) => {
    const [program = "", ...rest] = inRoot("/data", SETTINGS, true)
    const child = execFile(program, rest, { env: environment(`${execForm(saidBy(runtime, "ENTRYPOINT")[0] ?? "").join(" ")} ${args}`) }, (_, stdout, stderr) => done({ code: child.exitCode, printed: stdout + stderr }))
  })

it.runIf(process.env["CI"])("has unshare in CI, where no test of the image may be skipped for want of it", () => expect(isToolMissing).toBe(false))

describe.skipIf(!CAN)("the image of the Dockerfile", () => {
  beforeAll(() => {
    for (const part of ["root/dev", "root/proc", "root/tmp", "root/etc", "root/src", "local/bin", "local/lib/node_modules"]) mkdirSync(join(base, part), { recursive: true })
    chmodSync(base, 0o755)
    chmodSync(join(root, "tmp"), 0o1777)
    for (const file of ["resolv.conf", "hosts", "nsswitch.conf", "ssl"]) {
      try {
        cpSync(join("/etc", file), join(root, "etc", file), { recursive: true, dereference: true })
      } catch {
        // Some machines lack one of them.
      }
    }
    writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n")
    writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n")
    copyFileSync(process.execPath, join(base, "local/bin/node"))
    const npm = dirname(dirname(realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8", env: { ...process.env, PATH: (process.env["PATH"] ?? "").split(":").filter((path) => !path.includes("node_modules")).join(":") } }).trim())))
    cpSync(npm, join(base, "local/lib/node_modules/npm"), { recursive: true })
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(base, "local/bin/npm"))
    // COPY . . without what .dockerignore names
    const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").trim().split("\n")
    const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 2 ** 20 }).split("\0").filter((file) => file !== "" && !ignored.includes(file.split("/")[0] ?? ""))
    for (const file of files) cpSync(join(ROOT, file), join(root, "src", file))
    for (const command of saidBy(build, "RUN")) step(command, "/src")
    // COPY --from=build
    step("mv /tmp/docgauge-*.tgz /tmp/docgauge.tgz && rm -rf /src/* /tmp/npm", "/")
    for (const command of saidBy(runtime, "RUN")) step(command, "/")
    step("rm -rf /tmp/npm /src", "/")
  }, 900_000)

  it("has a user of its own, who may write to /data and /tmp and nowhere else", async () => {
    expect(saidBy(runtime, "USER")).toEqual(["node"])
    const [program = "", ...rest] = inRoot("/data", {}, true)
    const probe = `id -u; for path in / /usr/local /data /tmp; do (echo > "$path/probe") 2>/dev/null && echo "$path"; done; rm -f /data/probe`
    expect(execFileSync(program, rest, { env: environment(probe), encoding: "utf8" })).toBe("1000\n/data\n/tmp\n")
  })

  it("audits with what follows the image's name, and explains itself without", async () => {
    const refused = await imageRun("ftp://docs.example.com")
    expect([refused.code, refused.printed]).toEqual([2, expect.stringContaining("cannot be audited")])
    const { origin, pathname } = new URL(TYPICAL_URL)
    const audited = await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const server = yield* serveFakeSite(typicalSite(), { host: origin })
      return yield* Effect.promise(() => imageRun(`${server.origin}${pathname} --allow-http --allow-private --canonical-origin ${origin} --quiet --format json`))
    })))
    expect([audited.code, JSON.parse(audited.printed).total_score]).toEqual([0, 53])
    const help = await imageRun(execForm(saidBy(runtime, "CMD")[0] ?? "").join(" "))
    expect([help.code, help.printed]).toEqual([0, expect.stringContaining("--min-score")])
  })

  it("serves with its own settings from a file in /data, is found healthy by its own check, draws images, and stops when it is told to", async () => {
    const port = await freePort()
    const [program = "", ...rest] = inRoot("/data", { ...SETTINGS, PORT: String(port) }, true)
    const service = spawn(program, rest, { env: environment("exec docgauge serve"), stdio: ["ignore", "ignore", "pipe"] })
    let said = ""
    service.stderr.setEncoding("utf8").on("data", (text: string) => { said += text })
    try {
      const [program = "", ...args] = execForm(saidBy(runtime, "HEALTHCHECK")[0] ?? "")
      const healthy = () => new Promise<boolean>((done) => { execFile(program, args, { env: { ...NODE_FIRST, PORT: String(port) } }, (error) => done(error === null)) })
      const until = Date.now() + 60_000
      while (!(await healthy())) {
        if (Date.now() > until || service.exitCode !== null) throw new Error(`not healthy: ${said}`)
        await pause(200)
      }
      expect(said).not.toContain("@resvg/resvg-js is not installed")
      expect(existsSync(join(root, "data/docgauge.db"))).toBe(true)
    } finally {
      service.kill("SIGTERM")
    }
  }, 120_000)
})

describe("the Dockerfile", () => {
  it("takes its Node from the version that the repository pins, twice", () => {
    const { devDependencies }: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
    for (const stage of [build, runtime]) expect(saidBy(stage, "FROM")[0]).toMatch(new RegExp(`^node:${devDependencies["node"]}-bookworm-slim`))
  })

  it("copies only what it builds from, and runs the program in exec form", () => {
    expect(saidBy(runtime, "COPY")).toEqual(["--from=build /tmp/docgauge-*.tgz /tmp/docgauge.tgz"])
    for (const name of ["ENTRYPOINT", "CMD"]) expect(execForm(saidBy(runtime, name)[0] ?? "").length).toBeGreaterThan(0)
  })
})

describe("compose.yaml", () => {
  const compose: unknown = parse(readFileSync(join(ROOT, "compose.yaml"), "utf8"))

  it("is valid by the schema of the Compose specification", () => {
    expect(composeErrors(compose)).toEqual([])
    expect(composeErrors({ services: { docgauge: { prots: [] } } })).not.toEqual([])
  })

  it("runs the service with a read-only root, no capabilities and a database that is ready", () => {
    expect(compose).toMatchObject({
      services: {
        docgauge: { read_only: true, ports: ["127.0.0.1:8080:8080"], environment: { DOCGAUGE_OWN_HOSTS_ONLY: "true" }, cap_drop: ["ALL"], command: ["serve"], depends_on: { postgres: { condition: "service_healthy" } } },
        postgres: { healthcheck: { test: ["CMD", "pg_isready", "--username", "docgauge"] } }
      }
    })
  })
})
