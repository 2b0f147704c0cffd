import { Argument, type Command, Flag } from "effect/cli"
import { AI_POLICIES } from "../../engine/fix/site/GeneratedFile.ts"
import { HOSTS } from "../../engine/fix/hosts/HostRules.ts"
import { auditFlagGroups, auditFlags } from "../audit/AuditFlags.ts"
import { described, formatFlag, off, optionalText } from "../io/Flags.ts"

const { allowPlugins, canonicalOrigin, noColor, quiet, rubric, sample } = auditFlags

/** Where files are written without `--out`. */
export const OUT_FOLDER = "docgauge-fix"

/** Flags of `docgauge fix`, by the heading of its help under which they stand. */
export const fixFlagGroups = {
  Source: {
    from: optionalText(
      "from",
      "ARCHIVE",
      "Write from an archive of an audit (--record), without using the network. --from audit.warc.gz"
    ),
    as: optionalText(
      "as",
      "URL",
      "Fix a folder as the site that it will be published at. docgauge fix ./build --as https://docs.example.com"
    ),
    logs: optionalText(
      "logs",
      "SUMMARY.json",
      "What docgauge logs --format json says of this site: list the pages first that agents read most, and with --host redirect what they ask for in vain. --logs summary.json"
    ),
    canonicalOrigin,
    sample,
    all: off(
      "all",
      "Open up to 2,000 pages of a site that names 300 or more, and convert them; a smaller site is opened whole without it, unless --sample says how many pages to open"
    ),
    rubric,
    allowPlugins
  },
  Files: {
    only: optionalText(
      "only",
      "IDS",
      "Write only files for these criteria: A1 to A5, B1 to B4, C1, F2, F3. --only A1,B1"
    ),
    ai: Flag.Literals("ai", AI_POLICIES).pipe(
      Flag.withMetavar("POLICY"),
      described(
        "What robots.txt says to AI agents that it does not name: allow, search-only (no training) or deny. --ai search-only"
      ),
      Flag.optional
    ),
    host: Flag.Literals("host", HOSTS).pipe(
      Flag.withMetavar("HOST"),
      described(`Write the rules of this host: ${HOSTS.join(", ")}. --host nginx`),
      Flag.optional
    ),
    out: Flag.String("out").pipe(
      Flag.withMetavar("DIR"),
      described("Folder to write to. --out docgauge-fix"),
      Flag.withDefault(OUT_FOLDER)
    ),
    patch: optionalText(
      "patch",
      "FOLDER",
      "Write into a static build instead: files, and the heads of its pages. --patch ./build"
    ),
    pullRequest: off(
      "pull-request",
      "Commit the files that your generator publishes as they are to a new branch of this git checkout, and write the text of the pull request; nothing is pushed"
    ),
    static: optionalText(
      "static",
      "FOLDER",
      "With --pull-request: the folder of static files, if the repository has several. --static website/static"
    ),
    verify: optionalText(
      "verify",
      "PLAN.json",
      "After publishing: check on the site what this plan promised, and write nothing. --verify docgauge-fix/PLAN.json"
    ),
    force: off(
      "force",
      "Write even if files in --out were changed since the last run or, with --patch, the folder has changes that are not committed to git"
    )
  },
  Output: {
    plan: off("plan", "Print the plan and write nothing"),
    prompt: off("prompt", "Print a prompt for a coding agent and write nothing"),
    format: formatFlag(
      ["text", "markdown", "json"],
      "Format of what is printed: text, markdown or json. --format json"
    ),
    quiet,
    noColor
  },
  Network: auditFlagGroups.Network
} as const

export const fixFlags = {
  url: Argument.String("base-url").pipe(
    Argument.withDescription(
      "URL of the documentation; with --as, a folder with its static build; not needed with --from"
    ),
    Argument.optional
  ),
  ...fixFlagGroups.Source,
  ...fixFlagGroups.Files,
  ...fixFlagGroups.Output,
  ...fixFlagGroups.Network
} as const

export type FixFlags = Command.Command.Config.Infer<typeof fixFlags>
