import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { folderTransport } from "../../engine/evidence/folder/FolderTransport.ts"
import { openFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { auditAndRead } from "../../engine/fix/Fix.ts"
import { WHOLE_SITE } from "../../engine/fix/open/OpeningCost.ts"
import { openMore, withOpened } from "../../engine/fix/open/OpenPages.ts"
import { recordedHops } from "../../engine/fix/overlay/OverlayTransport.ts"
import { type FileChange, patchFolder, type PatchOutcome } from "../../engine/fix/patch/PatchFolder.ts"
import { unjudgedIn } from "../../engine/fix/plan/Plan.ts"
import { otherVersionsText, unjudgedText } from "../../engine/fix/plan/PlanWords.ts"
import type { Unwritten } from "../../engine/fix/site/GeneratedFile.ts"
import { idsOf, type WritablePlugin } from "../../engine/fix/site/WritablePlugins.ts"
import type { Skipped } from "../../engine/fix/patch/FolderPages.ts"
import type { ParserPool } from "../../engine/parse/ParserPool.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { auditBegins, notAudited, printPreviewHint } from "../audit/LocalAudit.ts"
import type { AuditSource } from "../audit/AuditSource.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { type FixFlags, OUT_FOLDER } from "./FixFlags.ts"
import { folderWriter, realOf, uncommitted } from "./FolderWriter.ts"
import { counted, grouped } from "../../engine/plugin/Wording.ts"

/** Time to patch the largest builds, in seconds. */
const PATCH_SECONDS = 600

/** What was written, or would be. */
interface Patched {
  readonly before: AuditReport
  /** The report of the folder as it is now; `null`: nothing was written. */
  readonly after: AuditReport | null
  readonly outcome: Omit<PatchOutcome, "unwritten"> & { readonly unwritten: ReadonlyArray<Note> }
  readonly changes: ReadonlyArray<Noted>
  /** As in the plan. */
  readonly unjudged: ReadonlyArray<string>
}

/** Points that no file can gain, with the id of their criterion. */
interface Note extends Omit<Unwritten, "isElsewhere" | "plugin"> {
  readonly criterion: string
}

/** Empty if the rubric has no criterion for it. */
const noteOf = (report: AuditReport, { option, pages, plugin, reason }: Unwritten): ReadonlyArray<Note> =>
  idsOf(report, [plugin]).map((criterion) => ({
    criterion,
    reason,
    pages,
    ...(option === undefined ? {} : { option })
  }))

/** A change without the body that was written. */
interface Noted extends Pick<FileChange, "kind" | "path" | "remark"> {
  readonly bytes: number
  readonly isNew: boolean
  /** Lines that were added to a file of the owner's. */
  readonly added: ReadonlyArray<string>
}

/** Writes into a static build, audits it again, and says what was done. */
export const patchAndPrint = Effect.fnUntraced(function* (
  flags: FixFlags,
  path: string,
  source: AuditSource,
  rubric: LoadedRubric<BoundCriterion>,
  only: ReadonlySet<WritablePlugin> | null
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem | ParserPool> {
  yield* checkFlags(flags, path, source)
  const {
    run: { limits, ...run }
  } = source
  yield* auditBegins(PATCH_SECONDS, flags.allowPlugins)
  const audit = Effect.gen(function* () {
    const folder = yield* Effect.mapError(openFolder(path), ({ message }) =>
      wrongUsage(`${plainText(path, 200)}: ${message}.`)
    )
    const { send } = yield* Effect.provide(Transport, folderTransport(folder, run.url))
    const audited = yield* auditAndRead({ ...run, rubric, folder: true }, send).pipe(
      Effect.catchTag("AuditFailed", (failed) => Effect.fail(notAudited(failed)))
    )
    return { folder, send, ...audited }
  }).pipe(Effect.provide(Layer.succeed(FetchLimits, limits)))
  const options = { only, ai: Option.getOrNull(flags.ai), host: Option.getOrNull(flags.host) }
  const first = yield* audit
  // What is said of pages is said as without --patch, which opens the whole site; all pages are converted later.
  const seen = {
    audit: { ...run, rubric, folder: true },
    options,
    isLive: false,
    pages: WHOLE_SITE,
    onlyWhole: true,
    converts: false
  }
  const opened = yield* Effect.provideService(openMore(seen, first, recordedHops([]), first.send), FetchLimits, limits)
  yield* printPreviewHint(first.productionOrigin, { from: "site" }, flags)
  const heldBack = flags.plan || flags.force ? null : yield* uncommitted(path)
  const isDry = flags.plan || heldBack !== null
  const writer = folderWriter(path)
  const changes: Array<Noted> = []
  const refused: Array<Skipped> = []
  const patch = yield* patchFolder(
    {
      folder: first.folder,
      site: withOpened(first.site, opened),
      more: opened.pages,
      report: first.report,
      dead: opened.dead,
      options: { ...options, folder: true }
    },
    Effect.fnUntraced(function* (change: FileChange) {
      const reason = yield* isDry ? writer.whyNot(change.path) : writer.write(change.path, change.body)
      if (reason === null) changes.push(noted(change, first.folder.has(change.path)))
      else refused.push({ path: change.path, reason })
      return reason === null
    })
  )
  const outcome = {
    ...patch,
    unwritten: patch.unwritten.flatMap((note) => noteOf(first.report, note)),
    skipped: [...patch.skipped, ...refused]
  }
  const after = isDry || changes.length === 0 ? null : (yield* audit).report
  // A folder does not show if Markdown is negotiated, and rules for it are written all the same.
  const unjudged = unjudgedIn(first.report, only, [
    "b2-markdown-negotiation",
    ...patch.unwritten.map(({ plugin }) => plugin)
  ])
  const patched: Patched = { before: first.report, after, outcome, changes, unjudged }
  yield* writeOut(
    flags.format === "json" ? patchJson(patched) : patchText(patched, path, Option.getOrNull(flags.host), heldBack)
  )
})

const checkFlags = (flags: FixFlags, path: string, source: AuditSource): Effect.Effect<void, CliFailure> => {
  if (source.folder === undefined || Option.isNone(flags.url)) {
    return Effect.fail(
      wrongUsage(
        `--patch writes into a static build. Say where that is published: docgauge fix ${plainText(path, 200)} --as https://docs.example.com --patch ${plainText(path, 200)}`
      )
    )
  }
  if (realOf(path) !== realOf(flags.url.value))
    return Effect.fail(wrongUsage("--patch takes the folder that is fixed: give the same folder twice."))
  if (flags.format === "markdown")
    return Effect.fail(wrongUsage("--patch prints text or JSON: use --format text or --format json."))
  if (flags.out !== OUT_FOLDER)
    return Effect.fail(wrongUsage("--patch writes into the build, so --out cannot be used with it."))
  return flags.prompt || flags.all
    ? Effect.fail(
        wrongUsage(
          `--patch cannot be used with ${flags.prompt ? "--prompt" : "--all, because it converts all pages anyway"}.`
        )
      )
    : Effect.void
}

const noted = ({ body, completes, kind, path, remark }: FileChange, isThere: boolean): Noted => {
  const before = new Set((completes ?? "").split("\n"))
  const added =
    completes === null
      ? []
      : new TextDecoder()
          .decode(body)
          .split("\n")
          .filter((line) => line.trim() !== "" && !before.has(line))
  return { kind, path, bytes: body.byteLength, isNew: !isThere, added, ...(remark === undefined ? {} : { remark }) }
}

const LINES = 5

const patchText = (
  { after, before, changes, outcome, unjudged }: Patched,
  path: string,
  host: string | null,
  heldBack: string | null
): string => {
  const count = (kind: FileChange["kind"]): number => changes.filter((change) => change.kind === kind).length
  const others = changes.filter(({ kind }) => kind === "file" || kind === "host" || kind === "removal")
  const wrote = after === null ? "Would write" : "Wrote"
  const lines = [
    changes.length === 0 && outcome.skipped.length === 0
      ? `${before.total_score} of 100. ${plainText(path, 200)} has everything that can be written.`
      : after === null
        ? `${before.total_score} of 100. Nothing was written to ${plainText(path, 200)}.`
        : `${before.total_score} → ${after.total_score} of 100 for ${plainText(path, 200)} as ${plainText(before.base_url, 200)}.`,
    ...(heldBack === null ? [] : [heldBack]),
    ...(after === null
      ? []
      : [
          "What only a server shows (B2, E4) is not checked in a folder, so the score of the published site may differ."
        ]),
    ...(count("version") === 0
      ? []
      : [
          `${wrote} ${count("version") === 1 ? "the Markdown version of 1 page" : `Markdown versions of ${grouped(count("version"))} pages`}.`
        ]),
    ...(count("head") === 0
      ? []
      : [`${wrote} to the ${count("head") === 1 ? "head of 1 page" : `heads of ${grouped(count("head"))} pages`}.`]),
    ...others.flatMap(({ added, isNew, kind, path, remark }) => [
      kind === "removal"
        ? `${after === null ? "Would remove" : "Removed"} from ${path} the rules that an earlier run wrote, because nothing needs them any more.`
        : isNew
          ? `${wrote} ${path}.`
          : `${after === null ? "Would add" : "Added"} what was missing to your ${path}.`,
      ...(remark === undefined ? [] : [`  ${remark}`]),
      ...added.slice(0, LINES).map((line) => `  + ${plainText(line, 150)}`),
      ...(added.length > LINES ? [`  … and ${grouped(added.length - LINES)} more lines`] : [])
    ]),
    ...(outcome.outside.length === 0
      ? []
      : [
          `Not in this folder: ${outcome.outside.map((one) => plainText(one, 200)).join(", ")}. To have ${outcome.outside.length === 1 ? "it" : "them"} in ${OUT_FOLDER}/, run: docgauge fix ${plainText(path, 200)} --as ${plainText(before.base_url, 200)}${host === null ? "" : ` --host ${host}`}`
        ]),
    ...skippedText(outcome.skipped),
    ...(outcome.otherVersions.length === 0 ? [] : [otherVersionsText(outcome)]),
    ...(outcome.otherLanguages === 0 ? [] : [otherLanguagesText(outcome.otherLanguages)]),
    ...(unjudged.length === 0 ? [] : [unjudgedText({ live: false, unjudged })]),
    ...outcome.unwritten.map((note) => `${note.criterion}: ${note.reason}${pagesText(note)}`),
    ...(after === null ? [] : [`Publish the folder, then run: docgauge ${plainText(before.base_url, 200)}`])
  ]
  return `${lines.join("\n")}\n`
}

const otherLanguagesText = (count: number): string =>
  `${counted(count, "page is", "pages are")} in other languages than the start page: nothing is written for ${count === 1 ? "it" : "them"}. For one of these languages, run this for its own folder and URL.`

/** The page of a note, or how many there are, unless the note says it, and the first. */
const pagesText = ({ pages: [first, ...others], reason }: Note): string => {
  if (first === undefined || first === "") return ""
  const count = grouped(others.length + 1)
  return others.length === 0
    ? ` (${plainText(first, 200)})`
    : ` (${reason.includes(`${count} pages`) ? "" : `${count} pages, `}such as ${plainText(first, 200)})`
}

/** Files that a sentence names one by one. */
const NAMED = 3

/** Each file with its reason; of many with the same reason the first, and how many there are. */
const skippedText = (skipped: ReadonlyArray<Skipped>): ReadonlyArray<string> =>
  [...Map.groupBy(skipped, ({ reason }) => reason)].flatMap(([reason, files]) =>
    files.length > NAMED
      ? [
          `Not written: ${plainText(files[0]?.path ?? "", 200)} ${reason} The same holds for ${grouped(files.length - 1)} more files (--format json names them).`
        ]
      : files.map(({ path }) => `Not written: ${plainText(path, 200)} ${reason}`)
  )

const patchJson = ({
  after,
  before,
  changes,
  outcome: { otherLanguages, otherVersions, ...outcome },
  unjudged
}: Patched): string =>
  `${JSON.stringify({ before, after, unjudged, files: changes.map(({ bytes, isNew, kind, path, remark }) => ({ path, kind, bytes, new: isNew, remark })), ...outcome, other_versions: otherVersions, other_languages: otherLanguages }, null, 2)}\n`
