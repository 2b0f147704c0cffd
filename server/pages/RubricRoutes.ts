import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { explanations } from "../../engine/rubric/Explanation.ts"
import { nearestName } from "../../engine/rubric/NearestName.ts"
import { plainText } from "../../engine/audit/PlainText.ts"
import { ReleasedRubrics } from "../ReleasedRubrics.ts"
import { RubricInForce } from "../RubricInForce.ts"
import { prefersMarkdown } from "./docs/Preference.ts"
import { html, type VNode } from "./kit/Html.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import { LastingContent } from "./kit/LastingContent.ts"
import { noticeAnswer } from "./kit/NoticePage.ts"
import { finishedPage } from "./kit/PageAnswer.ts"
import { criterionView } from "./rubric/CriterionView.ts"
import { rubricPage } from "./rubric/RubricPage.ts"
import { criterionText, rubricText } from "./rubric/RubricText.ts"
import { rubricVersions } from "./rubric/Versions.ts"

/** A page and its twin. */
interface Twins {
  /** Without extension. */
  readonly path: string
  readonly page: Effect.Effect<VNode>
  readonly text: Effect.Effect<string>
}

const routes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const loaded = yield* RubricInForce
    const { releases } = yield* ReleasedRubrics
    const kept = yield* KeptPages
    const { rubric } = loaded
    const explained = explanations(loaded)
    const ids = explained.map(({ definition }) => definition.id)
    const versions = Effect.map(releases, (all) => rubricVersions(rubric, all))

    const htmlOf = ({ page, path }: Twins) =>
      kept.through(path, Effect.map(page, (drawn) => finishedPage(drawn, { headers: { vary: "Accept", link: twinLink(path) } })))

    const markdown = ({ path, text }: Twins, headers: Readonly<Record<string, string>>) =>
      kept.through(`${path}.md ${headers["vary"] ?? ""}`, Effect.map(text, (written) => new LastingContent(written, { type: "text/markdown; charset=utf-8", headers })))

    /** The page, or its Markdown for whoever asks for it by its address or prefers it. */
    const answer = (twins: Twins, isMarkdown: boolean) =>
      Effect.flatMap(HttpServerRequest, (request) => {
        if (isMarkdown) return Effect.flatMap(markdown(twins, {}), (content) => content.to(request))
        const chosen = prefersMarkdown(request.headers["accept"]) ? markdown(twins, { vary: "Accept" }) : htmlOf(twins)
        return Effect.flatMap(chosen, (content) => content.to(request))
      })

    const whole: Twins = {
      path: "/rubric",
      page: Effect.map(versions, (all) => rubricPage({ rubric, explained, versions: all })),
      text: Effect.map(versions, (all) => rubricText(rubric, explained, all))
    }

    const twinsOf = (id: string): Twins | null => {
      const at = ids.indexOf(id)
      const explanation = explained[at]
      if (explanation === undefined) return null
      return {
        path: `/rubric/${id}`,
        page: Effect.sync(() => criterionView({ explanation, previous: explained[at - 1] ?? null, next: explained[at + 1] ?? null })),
        text: Effect.sync(() => criterionText(explanation))
      }
    }

    yield* router.add("GET", "/rubric", answer(whole, false))
    yield* router.add("GET", "/rubric.md", answer(whole, true))
    yield* router.add("GET", "/rubric/:id", Effect.gen(function*() {
      const { id: asked = "" } = yield* HttpRouter.params
      const isMarkdown = asked.endsWith(".md")
      const id = isMarkdown ? asked.slice(0, -".md".length) : asked
      const twins = twinsOf(id)
      if (twins !== null) return yield* answer(twins, isMarkdown)
      const same = ids.find((each) => each.toLowerCase() === id.toLowerCase())
      if (same !== undefined) return HttpServerResponse.empty({ status: 308, headers: { location: `/rubric/${same}${isMarkdown ? ".md" : ""}` } })
      return noSuchCriterion(id, nearestName(id, ids))
    }))
  }))

/** The rubric in force, as pages and as Markdown. */
export const rubricRoutes = routes.pipe(Layer.provide(ReleasedRubrics.layerOf()))

const twinLink = (path: string): string => `<${path}.md>; rel="alternate"; type="text/markdown"`

const noSuchCriterion = (id: string, near: string | null): HttpServerResponse.HttpServerResponse =>
  noticeAnswer(404, {
    title: "There is no such criterion",
    text: `The rubric has no criterion “${plainText(id, 40)}”.`,
    more: html`${near === null ? null : html`<p>Did you mean <a href=${`/rubric/${near}`}>${near}</a>?</p>`}<p><a href="/rubric">All criteria</a></p>`
  })
