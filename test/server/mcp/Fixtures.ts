import type { FixtureRequest } from "./FixtureProxy.ts"

const PROMPT = "make_documentation_agent_ready"

/** What of this server's stands for each fixture of the conformance suite. `finishedRun` is a run that is done. */
export const ownOf =
  (finishedRun: string) =>
  ({ method, params }: FixtureRequest): Readonly<Record<string, unknown>> => {
    switch (`${method} ${fixtureOf(params)}`) {
      case "tools/call test_simple_text":
        return { ...params, name: "audit", arguments: { base_url: "https://simple.example.org" } }
      case "tools/call test_tool_with_progress":
        return { ...params, name: "audit", arguments: { base_url: "https://stepping.example.org" } }
      case "tools/call test_error_handling":
        return { ...params, name: "get_report" }
      case "resources/read test://static-text":
        return { ...params, uri: "docgauge://rubric" }
      case "resources/read test://template/123/data":
        return { ...params, uri: `docgauge://runs/${finishedRun}` }
      case "prompts/get test_simple_prompt":
        return { ...params, name: PROMPT, arguments: { base_url: "https://docs.example.org" } }
      case "prompts/get test_prompt_with_arguments":
        return { ...params, name: PROMPT, arguments: { base_url: "https://testValue1.example/testValue2" } }
      case "completion/complete test_prompt_with_arguments":
        return {
          ...params,
          ref: { type: "ref/resource", uri: "docgauge://rubric/{criterion}" },
          argument: { name: "criterion", value: "B" }
        }
      default:
        return params
    }
  }

const fixtureOf = ({ name, ref, uri }: Readonly<Record<string, unknown>>): string => {
  if (typeof name === "string") return name
  if (typeof uri === "string") return uri
  return typeof ref === "object" && ref !== null && "name" in ref ? String(ref.name) : ""
}
