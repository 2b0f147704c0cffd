#!/usr/bin/env node
// Stands in for GitHub's command line: keeps comments, artifacts and uploads in the file that FAKE_GITHUB names, and runs --jq by jq.
import { execFileSync } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { env, exit, argv } from "node:process"

const state = JSON.parse(readFileSync(env.FAKE_GITHUB, "utf8"))
const keep = () => writeFileSync(env.FAKE_GITHUB, JSON.stringify(state, null, 2))
const args = argv.slice(2)
const valueOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null)
const fields = Object.fromEntries(
  args.flatMap((arg, index) => {
    if (!["-f", "-F"].includes(args[index - 1] ?? "")) return []
    const value = arg.slice(arg.indexOf("=") + 1)
    return [
      [
        arg.slice(0, arg.indexOf("=")),
        args[index - 1] === "-F" && value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value
      ]
    ]
  })
)
const refuse = () => {
  process.stderr.write("gh: Resource not accessible by integration (HTTP 403)\n")
  exit(1)
}
const print = (value) => {
  const filter = valueOf("--jq")
  process.stdout.write(
    filter === null
      ? JSON.stringify(value)
      : execFileSync("jq", ["-r", filter], { input: JSON.stringify(value), encoding: "utf8" })
  )
}

if (env.GH_TOKEN !== "the token") refuse()
if (args[0] === "run" && args[1] === "download") {
  if (!(args[2] in state.runs)) exit(1)
  cpSync(state.runs[args[2]], valueOf("--dir"), { recursive: true })
} else if (args[0] === "api" && args[1] === "user") {
  // A workflow's token has no user; gh prints what GitHub answered.
  if (state.login === undefined) {
    process.stdout.write('{"message":"Resource not accessible by integration","status":"403"}')
    refuse()
  }
  print({ login: state.login })
} else {
  const path = args.find((arg) => arg.startsWith("repos/acme/docs/"))?.slice("repos/acme/docs/".length) ?? ""
  const method = valueOf("--method") ?? "GET"
  state.calls.push(`${method} ${path}`)
  if (path === "actions/artifacts" && state.noActions) refuse()
  else if (path === "actions/artifacts")
    print({ artifacts: state.artifacts.filter(({ name }) => name === fields.name) })
  else if (method !== "GET" && state.readOnly) {
    keep()
    refuse()
  } else if (path === "issues/7/comments" && method === "GET") print(state.comments)
  else if (path === "issues/7/comments")
    state.comments.push({
      id: state.comments.length + 1,
      user:
        state.login === undefined
          ? { type: "Bot", login: "github-actions[bot]" }
          : { type: "User", login: state.login },
      body: fields.body
    })
  else if (path.startsWith("issues/comments/"))
    state.comments.find(({ id }) => id === Number(path.split("/").at(-1))).body = fields.body
  else if (path === "code-scanning/sarifs") {
    state.sarifs.push(fields)
    print({ id: "sarif-1" })
  } else if (path === "code-scanning/sarifs/sarif-1") {
    // Pending when it is asked first.
    const asked = state.calls.filter((call) => call === `GET ${path}`).length
    print(asked === 1 ? { processing_status: "pending" } : (state.verdict ?? { processing_status: "complete" }))
  } else exit(1)
}
keep()
