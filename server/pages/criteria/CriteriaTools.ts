import { html, type VNode } from "../kit/Html.ts"

/** What filters and opens the criteria below: the filter is style alone, and needs no script. It is left out where it would change nothing. */
export const criteriaTools = ({ all, lost }: { readonly all: number; readonly lost: number }): VNode => html`
  <div class="criteria-tools no-print">
    ${lost === 0 || lost === all ? null : html`
      <fieldset class="segments">
        <legend class="visually-hidden">Criteria to show</legend>
        <label><input type="radio" name="criteria" id="show-all" checked/> All ${all}</label>
        <label><input type="radio" name="criteria" id="show-lost"/> Lost points ${lost}</label>
      </fieldset>`}
    <button class="button button-quiet button-small needs-script" type="button" data-expand>Expand all</button>
  </div>`
