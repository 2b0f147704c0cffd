import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"
import { signedPost } from "../../server/background/WebhookDeliveries.ts"
import { isAvailable } from "../harness/Availability.ts"

const ROOT = join(import.meta.dirname, "../..")
const PAGE = "server/docs/v1/events.md"

const codeIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(readFileSync(join(ROOT, PAGE), "utf8"))?.[1] ?? ""

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
const NOW = 1_764_500_000

const post = signedPost(
  {
    serial: 1,
    id: "1f6d1c55-0a3e-4f0e-8f5e-2b7c9d3e4a10",
    type: "audit.finished",
    attempt: 1,
    body: '{"title":"grün ✓"}',
    ageMs: 0,
    url: "https://hooks.dev/",
    secret: SECRET,
    site: "docs.a.dev",
    isWithdrawn: false
  },
  NOW * 1_000
)

const rotated = { ...post.headers, "webhook-signature": `v1,AAAA ${post.headers["webhook-signature"]} v1a,BBBB` }

/** Secret, headers, body and time of a message, and whether it is genuine. */
const CASES: ReadonlyArray<readonly [ReadonlyArray<unknown>, boolean]> = [
  [[SECRET, post.headers, post.body, NOW], true],
  [[SECRET, rotated, post.body, NOW + 299], true],
  [[SECRET, post.headers, post.body, NOW + 301], false],
  [[SECRET, post.headers, `${post.body} `, NOW], false],
  [[SECRET, { ...post.headers, "webhook-id": "another" }, post.body, NOW], false],
  [[SECRET, { ...post.headers, "webhook-timestamp": String(NOW + 1) }, post.body, NOW], false],
  [[SECRET, { ...post.headers, "webhook-timestamp": "soon" }, post.body, NOW], false],
  [[SECRET, { ...post.headers, "webhook-signature": "" }, post.body, NOW], false],
  [["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYA=", post.headers, post.body, NOW], false]
]

const printed = (
  command: string,
  args: ReadonlyArray<string>
): Promise<{ readonly code: number | null; readonly text: string }> =>
  new Promise((settle) => {
    const child = execFile(command, args, { encoding: "utf8" }, (_error, stdout, stderr) =>
      settle({ code: child.exitCode, text: stdout + stderr })
    )
  })

const calls = JSON.stringify(CASES.map(([given]) => given))
const verdicts = JSON.stringify(CASES.map(([, isGenuine]) => isGenuine))

describe("the examples that verify a message", () => {
  it("tell genuine ones from others in Node.js", async () => {
    const program = `${codeIn("js")}\nconsole.log(JSON.stringify(${calls}.map((each) => isGenuine(...each))))`
    const { code, text } = await printed(process.execPath, ["--input-type=module", "--eval", program])
    expect([code, text.trim()]).toEqual([0, verdicts])
  })

  it("tell genuine ones from others in Python", async () => {
    const program = `import json, sys\n${codeIn("python")}\nprint(json.dumps([is_genuine(*each) for each in json.loads(sys.argv[1])]))`
    const { code, text } = await printed("python3", ["-c", program, calls])
    if (!isAvailable("python3", code !== null)) return
    expect([code, text.trim().replaceAll(" ", "")]).toEqual([0, verdicts])
  })
})
