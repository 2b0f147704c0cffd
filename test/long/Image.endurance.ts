import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { composeErrors } from "../deploy/ComposeSchema.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { hasPostgres, makePostgres } from "../harness/PostgresCluster.ts"
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
if (!CAN)
  process.stderr.write(
    `The image of the Dockerfile is skipped: ${isToolMissing ? "unshare is missing" : tried.stderr.trim()}\n`
  )

const base = mkdtempSync(join(tmpdir(), "docgauge-image-"))
const root = join(base, "root")
afterAll(() => rmSync(base, { recursive: true, force: true }))

const compose: {
  readonly services: { readonly docgauge: { readonly environment: Readonly<Record<string, string>> } }
} = parse(readFileSync(join(ROOT, "compose.yaml"), "utf8"))
const COMPOSED = compose.services.docgauge.environment

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
${
  readOnly
    ? `mount --bind "$ROOT/data" "$ROOT/data"
mount -o remount,bind,ro "$ROOT/usr/local"
mount -o remount,bind,ro "$ROOT"
mount -t tmpfs tmpfs "$ROOT/tmp"`
    : ""
}
`

/** A user as `docker run --user` takes one, and the home that Docker gives it. */
interface ImageUser {
  readonly uid: number
  readonly home: string
}

/** The image's own user. */
const NODE: ImageUser = { uid: 1000, home: "/home/node" }

/** How to run `$COMMAND` in the root: as a user, with its root read only, or as root, which may write. */
const inRoot = (cwd: string, env: Readonly<Record<string, string>>, user: ImageUser | null): ReadonlyArray<string> => {
  const settings = Object.entries(env)
    .map(([name, value]) => `'${name}=${value}'`)
    .join(" ")
  const as =
    user === null
      ? ""
      : `/usr/bin/setpriv --reuid ${user.uid} --regid ${user.uid} --clear-groups --no-new-privs --bounding-set=-all`
  return [
    "unshare",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "sh",
    "-c",
    `${MOUNTS(user !== null)}\nexec chroot "$ROOT" ${as} /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=${user?.home ?? "/tmp"} ${settings} sh -c 'cd "$0" && eval "$1"' '${cwd}' "$COMMAND"`
  ]
}

const environment = (command: string) => ({ ...process.env, ROOT: root, BASE: base, COMMAND: command })

/** How this machine reaches a registry. */
const NPM = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value = ""]) =>
    /^(?:npm_config_registry|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name) ? [[name, value]] : []
  )
)

const step = (command: string, cwd: string): void => {
  const [program = "", ...args] = inRoot(cwd, { ...NPM, npm_config_cache: "/tmp/npm" }, null)
  execFileSync(program, args, { env: environment(command), stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 * 2 ** 20 })
}

const SETTINGS = Object.fromEntries(
  saidBy(runtime, "ENV").flatMap((text) =>
    text.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])
  )
)

interface Finished {
  readonly code: number | null
  readonly printed: string
}

/** `docker run --read-only --tmpfs /tmp IMAGE …` */
const imageRun = (args: string, user = NODE, cwd = "/data"): Promise<Finished> =>
  new Promise((done) => {
    const [program = "", ...rest] = inRoot(cwd, SETTINGS, user)
    const child = execFile(
      program,
      rest,
      { env: environment(`${execForm(saidBy(runtime, "ENTRYPOINT")[0] ?? "").join(" ")} ${args}`) },
      (_, stdout, stderr) => done({ code: child.exitCode, printed: stdout + stderr })
    )
  })

interface ImageService {
  readonly port: number
  /** What it has logged so far. */
  readonly said: () => string
}

/** `docker run -d … IMAGE serve` until it is healthy by the image's own check, then `docker stop`; its exit code. */
const imageService = async (
  settings: Readonly<Record<string, string>>,
  use: (service: ImageService) => Promise<void>
): Promise<number | null> => {
  const port = await freePort()
  const [program = "", ...rest] = inRoot("/data", { ...SETTINGS, ...settings, PORT: String(port) }, NODE)
  const child = spawn(program, rest, { env: environment("exec docgauge serve"), stdio: ["ignore", "ignore", "pipe"] })
  const ended = once(child, "exit")
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  const [check = "", ...args] = execForm(saidBy(runtime, "HEALTHCHECK")[0] ?? "")
  const healthy = () =>
    new Promise<boolean>((done) => {
      execFile(check, args, { env: { ...NODE_FIRST, PORT: String(port) } }, (error) => done(error === null))
    })
  try {
    const until = Date.now() + 60_000
    while (!(await healthy())) {
      if (Date.now() > until || child.exitCode !== null) throw new Error(`not healthy: ${said}`)
      await pause(200)
    }
    await use({ port, said: () => said })
    // A container's engine signals the first process inside; ours is the only child of unshare.
    process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")), "SIGTERM")
    const [code]: ReadonlyArray<unknown> = await ended
    return typeof code === "number" ? code : null
  } finally {
    child.kill("SIGKILL")
  }
}

/** A request under a name of ours, which `fetch` does not allow to choose. */
const statusUnder = (host: string, port: number, path: string): Promise<number | undefined> =>
  new Promise((done, fail) => {
    get({ host: "127.0.0.1", port, path, headers: { host } }, (response) => done(response.resume().statusCode)).on(
      "error",
      fail
    )
  })

it.runIf(process.env["CI"])("has unshare in CI, where no test of the image may be skipped for want of it", () =>
  expect(isToolMissing).toBe(false)
)

describe.skipIf(!CAN)("the image of the Dockerfile", () => {
  beforeAll(() => {
    for (const part of [
      "root/dev",
      "root/proc",
      "root/tmp",
      "root/etc",
      "root/src",
      "local/bin",
      "local/lib/node_modules"
    ])
      mkdirSync(join(base, part), { recursive: true })
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
    const npm = dirname(
      dirname(
        realpathSync(
          execFileSync("sh", ["-c", "command -v npm"], {
            encoding: "utf8",
            env: {
              ...process.env,
              PATH: (process.env["PATH"] ?? "")
                .split(":")
                .filter((path) => !path.includes("node_modules"))
                .join(":")
            }
          }).trim()
        )
      )
    )
    cpSync(npm, join(base, "local/lib/node_modules/npm"), { recursive: true })
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(base, "local/bin/npm"))
    // COPY . . without what .dockerignore names
    const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").trim().split("\n")
    const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 64 * 2 ** 20
    })
      .split("\0")
      .filter((file) => file !== "" && !ignored.includes(file.split("/")[0] ?? ""))
    for (const file of files) cpSync(join(ROOT, file), join(root, "src", file))
    for (const command of saidBy(build, "RUN")) step(command, "/src")
    // COPY --from=build
    step(
      "mv /tmp/docgauge-*.tgz /tmp/docgauge.tgz && mv /src/node_modules/@resvg /usr/local/lib/node_modules/@resvg && rm -rf /src/* /tmp/npm",
      "/"
    )
    for (const command of saidBy(runtime, "RUN")) step(command, "/")
    step("rm -rf /tmp/npm /src", "/")
  }, 900_000)

  it("has a user of its own, who may write to /data and /tmp and nowhere else", async () => {
    expect(saidBy(runtime, "USER")).toEqual(["node"])
    const [program = "", ...rest] = inRoot("/data", {}, NODE)
    const probe = `id -u; for path in / /usr/local /data /tmp; do (echo > "$path/probe") 2>/dev/null && echo "$path"; done; rm -f /data/probe`
    expect(execFileSync(program, rest, { env: environment(probe), encoding: "utf8" })).toBe("1000\n/data\n/tmp\n")
  })

  it("audits with what follows the image's name, and explains itself without", async () => {
    const refused = await imageRun("ftp://docs.example.com")
    expect([refused.code, refused.printed]).toEqual([2, expect.stringContaining("cannot be audited")])
    const { origin, pathname } = new URL(TYPICAL_URL)
    const audited = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* serveFakeSite(typicalSite(), { host: origin })
          return yield* Effect.promise(() =>
            imageRun(
              `${server.origin}${pathname} --allow-http --allow-private --canonical-origin ${origin} --quiet --format json`
            )
          )
        })
      )
    )
    expect([audited.code, JSON.parse(audited.printed).total_score]).toEqual([0, 43])
    const help = await imageRun(execForm(saidBy(runtime, "CMD")[0] ?? "").join(" "))
    expect([help.code, help.printed]).toEqual([0, expect.stringContaining("--min-score")])
  })

  it("writes into a mounted folder as the user that --user names, whom the image does not know", async () => {
    const work = join(root, "data/work")
    mkdirSync(join(work, "build"), { recursive: true })
    writeFileSync(
      join(work, "build/index.html"),
      '<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1></main></html>'
    )
    writeFileSync(
      join(work, "docgauge.yaml"),
      "sites: [{ url: https://docs.example.com, path: ./build }]\nformats: { json: reports/docgauge.json }\n"
    )
    chownSync(work, 1234, 1234)
    const { code, printed } = await imageRun("--quiet", { uid: 1234, home: "/" }, "/data/work")
    expect([code, printed]).toEqual([0, expect.stringMatching(/^https:\/\/docs\.example\.com /)])
    expect(statSync(join(work, "reports/docgauge.json")).uid).toBe(1234)
    rmSync(work, { recursive: true })
  })

  it("serves with its own settings from a file in /data, is found healthy by its own check, draws images, and stops when it is told to", async () => {
    const code = await imageService(
      { DOCGAUGE_RESOLVE: "docs.example.com:443:127.0.0.1:9" },
      async ({ port, said }) => {
        expect(said()).not.toContain("@resvg/resvg-js is not installed")
        expect(existsSync(join(root, "data/docgauge.db"))).toBe(true)
        const accepted = await fetch(`http://127.0.0.1:${port}/audit?async=true`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ base_url: "https://docs.example.com" })
        })
        const { run_id: id }: { readonly run_id: string } = JSON.parse(await accepted.text())
        const image = await fetch(`http://127.0.0.1:${port}/r/${id}/og.png`)
        expect([image.status, image.headers.get("content-type"), (await image.bytes()).subarray(1, 4)]).toEqual([
          200,
          "image/png",
          new TextEncoder().encode("PNG")
        ])
      }
    )
    expect(code).toBe(0)
  }, 120_000)

  it.skipIf(!hasPostgres)(
    "serves with the environment that compose.yaml gives it, under names of this machine alone",
    async () => {
      const postgres = await makePostgres()
      try {
        await postgres.execute("CREATE ROLE docgauge LOGIN PASSWORD 'letters1'")
        await postgres.execute("CREATE DATABASE docgauge OWNER docgauge")
        const settings = Object.fromEntries(
          Object.entries(COMPOSED).map(([name, value]) => [
            name,
            value
              .replace(/\$\{POSTGRES_PASSWORD:\?[^}]*\}/, "letters1")
              .replace("@postgres:5432/", `@127.0.0.1:${postgres.port}/`)
          ])
        )
        expect(settings["DOCGAUGE_DATABASE_URL"]).toBe(
          `postgres://docgauge:letters1@127.0.0.1:${postgres.port}/docgauge`
        )
        const code = await imageService(settings, async ({ port }) => {
          expect([await statusUnder("localhost:8080", port, "/"), await statusUnder("web.example", port, "/")]).toEqual(
            [200, 421]
          )
          expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
        })
        expect(code).toBe(0)
      } finally {
        await postgres.remove()
      }
    },
    240_000
  )
})

describe("the Dockerfile", () => {
  it("takes its Node from the version that the repository pins, twice", () => {
    const { devDependencies }: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(ROOT, "package.json"), "utf8")
    )
    for (const stage of [build, runtime])
      expect(saidBy(stage, "FROM")[0]).toMatch(new RegExp(`^node:${devDependencies["node"]}-bookworm-slim`))
  })

  it("copies only what it builds from, and runs the program in exec form", () => {
    expect(saidBy(runtime, "COPY")).toEqual([
      "--from=build /tmp/docgauge-*.tgz /tmp/docgauge.tgz",
      "--from=build /src/node_modules/@resvg /usr/local/lib/node_modules/@resvg"
    ])
    for (const name of ["ENTRYPOINT", "CMD"]) expect(execForm(saidBy(runtime, name)[0] ?? "").length).toBeGreaterThan(0)
  })
})

describe("compose.yaml", () => {
  it("is valid by the schema of the Compose specification", () => {
    expect(composeErrors(compose)).toEqual([])
    expect(composeErrors({ services: { docgauge: { prots: [] } } })).not.toEqual([])
  })

  it("runs the service with a read-only root, no capabilities and a database that is ready", () => {
    expect(compose).toMatchObject({
      services: {
        docgauge: {
          read_only: true,
          ports: ["127.0.0.1:8080:8080"],
          environment: { DOCGAUGE_OWN_HOSTS_ONLY: "true" },
          cap_drop: ["ALL"],
          command: ["serve"],
          depends_on: { postgres: { condition: "service_healthy" } }
        },
        postgres: { healthcheck: { test: ["CMD", "pg_isready", "--username", "docgauge"] } }
      }
    })
  })
})
