import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import {
  criterionPage,
  deprecationText,
  type Explanation,
  explanations,
  pluginPath,
  pointsText
} from "../../../engine/rubric/CriterionPage.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { ownEvidence, studiesOf, studyLine } from "../../../engine/rubric/Evidence.ts"
import { nearestName } from "../../../engine/rubric/source/NearestName.ts"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { ReleasedRubrics, RubricInForce } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { prefersMarkdown } from "../../response/Negotiation.ts"
import { html, type VNode } from "../../../engine/report/html/Html.ts"
import { noticeResponse } from "../kit/NoticePage.ts"
import { finishedPage } from "../kit/PageAnswer.ts"
import { criterionView, rubricPage } from "./RubricPage.ts"
import { type RubricVersion, rubricVersions, versionPage, versionText } from "./VersionPage.ts"

/** A page and its Markdown version. */
interface PageWithMarkdown {
  /** Without extension. */
  readonly path: string
  readonly page: Effect.Effect<VNode>
  readonly text: Effect.Effect<string>
}

/** The rubric as Markdown: criteria, points, and every version. */
const rubricPageText = (
  rubric: Rubric,
  explained: ReadonlyArray<Explanation>,
  versions: ReadonlyArray<RubricVersion>
): string => {
  const onTrial = explained.filter((each) => each.onTrial)
  return paragraphs([
    "# Rubric",
    `> ${rubric.title} ${explained.length - onTrial.length} criteria in ${rubric.categories.length} categories, 100 points.`,
    `Version ${rubric.version} of ${rubric.id} is in force.`,
    ...rubric.categories.flatMap((category) => [
      `## ${category.id} ${category.title} (${pointsText(category.points)})`,
      category.why.trim(),
      list(explained.filter((each) => !each.onTrial && each.category.id === category.id))
    ]),
    ...(onTrial.length === 0
      ? []
      : [
          "## On trial",
          "Measured and reported apart; they earn nothing until a new version takes them in.",
          list(onTrial)
        ]),
    "## Levels",
    rubric.verdicts.map(({ from, meaning, word }) => `- ${word}, from ${from}: ${meaning}`).join("\n"),
    "## Versions",
    ...versions.flatMap((version) => [
      `### ${version.version}, ${version.date}`,
      version.what.trim(),
      ...(version.changes === null
        ? []
        : [
            version.changes
              .map(({ owes, subject, what }) => `- ${subject === null ? "" : `${subject}: `}${what} (${owes})`)
              .join("\n")
          ])
    ])
  ])
}

const list = (explained: ReadonlyArray<Explanation>): string =>
  explained
    .map(
      ({ definition, onTrial }) =>
        `- [${definition.id} ${definition.title}](/rubric/${definition.id}.md): ${onTrial ? "on trial" : pointsText(definition.points)}${deprecationText(definition) === null ? "" : ", deprecated"}`
    )
    .join("\n")

/** The page of a criterion as Markdown: that of docs/criteria, without links into the source tree and without the list of norms. */
export const criterionPageText = (explanation: Explanation, studies: ReadonlyArray<string>): string => {
  const {
    category,
    definition: { plugin }
  } = explanation
  return criterionPage(explanation, { norms: [], studies })
    .replace(/^<!--.*-->\n\n/, "")
    .replace(`\`${pluginPath(category.key, plugin)}\``, `\`${plugin}\``)
}

const paragraphs = (parts: ReadonlyArray<string>): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`

const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const loaded = yield* RubricInForce
    const { releases } = yield* ReleasedRubrics
    const responses = yield* ResponseCache
    const { base } = yield* addresses
    const { rubric } = loaded
    const explained = explanations(loaded)
    const ids = explained.map(({ definition }) => definition.id)
    const evidence = yield* ownEvidence
    const versions = Effect.map(releases, (all) => rubricVersions(loaded, all))

    const htmlOf = ({ page, path }: PageWithMarkdown) =>
      responses.get(
        path,
        CachedResponse,
        Effect.map(page, (drawn) => finishedPage(drawn, { headers: { vary: "Accept", link: markdownLink(path) } }))
      )

    const markdown = ({ path, text }: PageWithMarkdown, headers: Readonly<Record<string, string>>) =>
      responses.get(
        `${path}.md ${headers["vary"] ?? ""}`,
        CachedResponse,
        Effect.map(text, (written) => new CachedResponse(written, { type: MARKDOWN_TYPE, headers }))
      )

    /** The page, or its Markdown version for clients that ask for it by URL or prefer it. */
    const answer = (shown: PageWithMarkdown, isMarkdown: boolean) =>
      Effect.flatMap(HttpServerRequest, (request) => {
        if (isMarkdown) return Effect.flatMap(markdown(shown, {}), (content) => content.to(request))
        const chosen = prefersMarkdown(request.headers["accept"]) ? markdown(shown, { vary: "Accept" }) : htmlOf(shown)
        return Effect.flatMap(chosen, (content) => content.to(request))
      })

    const whole: PageWithMarkdown = {
      path: "/rubric",
      page: Effect.map(versions, (all) => rubricPage({ base, rubric, explained, versions: all })),
      text: Effect.map(versions, (all) => rubricPageText(rubric, explained, all))
    }

    const pageOf = (id: string): PageWithMarkdown | null => {
      const at = ids.indexOf(id)
      const explanation = explained[at]
      if (explanation === undefined) return null
      const studies = studiesOf(evidence, explanation.definition.evidence ?? [])
      return {
        path: `/rubric/${id}`,
        page: Effect.sync(() =>
          criterionView({
            base,
            explanation,
            studies,
            previous: explained[at - 1] ?? null,
            next: explained[at + 1] ?? null
          })
        ),
        text: Effect.sync(() => criterionPageText(explanation, studies.map(studyLine)))
      }
    }

    /** The page of a released version, or of the one in force. */
    const versionOf = Effect.fnUntraced(function* (version: string): Effect.fn.Return<PageWithMarkdown | null> {
      if (!/^\d+\.\d+\.\d+$/u.test(version)) return null
      const released = (yield* releases).find(
        (release) => release.rubric.id === rubric.id && release.rubric.version === version
      )
      const found = version === rubric.version ? loaded : released
      if (found === undefined) return null
      const props = { rubric: found.rubric, digest: found.digest, inForce: rubric.version }
      return {
        path: `/rubric/${version}`,
        page: Effect.sync(() => versionPage({ base, ...props })),
        text: Effect.sync(() => versionText(props))
      }
    })

    yield* router.add("GET", "/rubric", answer(whole, false))
    yield* router.add("GET", "/rubric.md", answer(whole, true))
    yield* router.add(
      "GET",
      "/rubric/:id",
      Effect.gen(function* () {
        const { id: asked = "" } = yield* HttpRouter.params
        const isMarkdown = asked.endsWith(".md")
        const id = isMarkdown ? asked.slice(0, -".md".length) : asked
        const shown = pageOf(id) ?? (yield* versionOf(id))
        if (shown !== null) return yield* answer(shown, isMarkdown)
        const same = ids.find((each) => each.toLowerCase() === id.toLowerCase())
        if (same !== undefined)
          return HttpServerResponse.empty({
            status: 308,
            headers: { location: `/rubric/${same}${isMarkdown ? ".md" : ""}` }
          })
        return noSuchCriterion(id, nearestName(id, ids))
      })
    )
  })
)

/** The rubric in force, as pages and as Markdown. */
export const rubricRoutes = routes.pipe(Layer.provide(ReleasedRubrics.layerOf()))

const markdownLink = (path: string): string => `<${path}.md>; rel="alternate"; type="text/markdown"`

const noSuchCriterion = (id: string, near: string | null): HttpServerResponse.HttpServerResponse =>
  noticeResponse(404, {
    title: "Criterion not found",
    text: `The rubric has no criterion “${plainText(id, 40)}”.`,
    more: html`${near === null ? null : html`<p>Did you mean <a href=${`/rubric/${near}`}>${near}</a>?</p>`}<p><a href="/rubric">All criteria</a></p>`
  })
