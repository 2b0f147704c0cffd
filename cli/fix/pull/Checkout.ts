import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import process from "node:process"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../../io/CliFailure.ts"

/** The last commit of a checkout: nothing else of it is read, and nothing of it is changed. */
export interface Checkout {
  /** The top of the checkout. */
  readonly top: string
  readonly commit: string
  /** Paths of files, links and submodules, with `/` between their parts. */
  readonly paths: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** The text of a file; `null`: there is none of that path. */
  readonly read: (path: string) => Effect.Effect<string | null>
}

/** The checkout that a folder is in. */
export const openCheckout = Effect.fnUntraced(function* (folder: string): Effect.fn.Return<Checkout, CliFailure> {
  const top = yield* gitOrNull(folder, ["rev-parse", "--show-toplevel"])
  if (top === null)
    return yield* wrongUsage(
      "--pull-request writes a branch of the git checkout that it is run in, and this folder is in none. Run it in the repository of the documentation."
    )
  const root = top.trimEnd()
  const commit = yield* gitOrNull(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
  if (commit === null)
    return yield* wrongUsage(`${plainText(root, 200)} has no commit yet, so there is nothing to branch from.`)
  const listed = yield* git(root, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit.trim()])
  const paths = new Set(listed.split("\0").filter((path) => path !== ""))
  return {
    top: root,
    commit: commit.trim(),
    paths,
    folders: new Set([...paths].flatMap(foldersAbove)),
    read: (path) =>
      paths.has(path) ? gitOrNull(root, ["cat-file", "blob", `${commit.trim()}:${path}`]) : Effect.succeed(null)
  }
})

const foldersAbove = (path: string): ReadonlyArray<string> => {
  const segments = path.split("/").slice(0, -1)
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"))
}

const BRANCH = "docgauge-files"

/** Branches that are tried before an older one has to go. */
const MOST_BRANCHES = 100

const freeBranch = Effect.fnUntraced(function* ({ top }: Checkout): Effect.fn.Return<string, CliFailure> {
  for (let number = 1; number <= MOST_BRANCHES; number++) {
    const name = number === 1 ? BRANCH : `${BRANCH}-${number}`
    if ((yield* gitOrNull(top, ["rev-parse", "--verify", "--quiet", `refs/heads/${name}`])) === null) return name
  }
  return yield* wrongUsage(
    `This repository has ${MOST_BRANCHES} branches named ${BRANCH}. Delete those that were merged.`
  )
})

interface CommittedFile {
  readonly path: string
  readonly text: string
}

/**
 * Writes a branch with one commit on top of the checkout's, and returns its name. The commit is imported into the object store: working
 * tree, index and current branch stay as they are, no hook is run, and nothing is pushed.
 */
export const commitBranch = Effect.fnUntraced(function* (
  checkout: Checkout,
  message: string,
  files: ReadonlyArray<CommittedFile>
): Effect.fn.Return<string, CliFailure> {
  const branch = yield* freeBranch(checkout)
  const committer = (yield* git(checkout.top, ["var", "GIT_COMMITTER_IDENT"])).trim()
  const author = (yield* git(checkout.top, ["var", "GIT_AUTHOR_IDENT"])).trim()
  const parts = [
    `commit refs/heads/${branch}\nauthor ${author}\ncommitter ${committer}\n`,
    data(message),
    `from ${checkout.commit}\n`,
    ...files.flatMap(({ path, text }) => [`M 100644 inline ${path}\n`, data(text)]),
    "done\n"
  ]
  yield* git(checkout.top, ["fast-import", "--quiet", "--done"], Buffer.from(parts.join("")))
  return branch
})

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

/** Why a file cannot be added to the commit, as a clause with the file as its subject; `null`: it can. */
export const whyNotAdded = ({ folders, paths }: Checkout, path: string): string | null => {
  if (paths.has(path)) return "is in the repository already"
  const blocking = foldersAbove(path).find((folder) => paths.has(folder))
  if (blocking !== undefined) return `is below ${blocking}, which is a file, a link or a submodule`
  return folders.has(path) ? "is a folder in the repository" : null
}

/** Output of git that is read: the paths of a large repository. */
const MOST_OUTPUT = 64 * 1024 * 1024

/** Runs git in a folder, with `input` as what it reads; fails with its first line of errors. */
const git = (
  folder: string,
  args: ReadonlyArray<string>,
  input: Uint8Array | null = null
): Effect.Effect<string, CliFailure> =>
  Effect.flatMap(
    Effect.promise(
      () =>
        new Promise<{ readonly error: string | null; readonly stdout: string }>((resolve) => {
          const child = execFile(
            "git",
            ["-C", folder, ...args],
            { maxBuffer: MOST_OUTPUT, env: { ...process.env, LC_ALL: "C" } },
            (error, stdout, stderr) =>
              resolve({
                error:
                  error === null ? null : ((stderr.trim() === "" ? error.message : stderr.trim()).split("\n")[0] ?? ""),
                stdout
              })
          )
          child.stdin?.on("error", () => {})
          if (input !== null) child.stdin?.end(input)
        })
    ),
    ({ error, stdout }) =>
      error === null
        ? Effect.succeed(stdout)
        : Effect.fail(wrongUsage(`git ${args[0] ?? ""} failed: ${plainText(error, 300)}`))
  )

/** As `git`, where failing is an answer: `null`. */
const gitOrNull = (folder: string, args: ReadonlyArray<string>): Effect.Effect<string | null> =>
  Effect.orElseSucceed(git(folder, args), () => null)
