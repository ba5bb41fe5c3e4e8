// Draws the branches of a funnel side by side: for each step a bar for each branch, as long as its share of what was delivered.

import { html, nothing, type TemplateResult } from 'lit'
import { formatCount, formatPercent, toWords } from '../../lib/format.ts'
import { setStyle } from '../../lib/set-style.ts'
import { barsOf, type FunnelPart } from './funnel-branches.ts'

/** More cannot be compared at a glance. The tables have all. */
const MOST = 8

/** The tables of the branches have the same figures for those who do not see it. */
export function branchBars(branches: readonly FunnelPart[]): TemplateResult | typeof nothing {
  if (branches.length < 2) return nothing
  const byDelivered = branches.toSorted((one, other) => deliveredOf(other) - deliveredOf(one))
  const shown = branches.filter((branch) => byDelivered.indexOf(branch) < MOST)
  return html`<h3 class="card-section">Branches, of what each delivered</h3>
    ${shown.length < branches.length ? html`<p class="hint">The ${MOST} branches with the most messages.</p>` : nothing}
    <div class="branch-bars" aria-hidden="true">
      ${barsOf(shown).map(
        ({ step, bars }) => html`<div class="branch-group">
          <p class="branch-step">${toWords(step)}</p>
          ${bars.map(
            ({ name, count, percent, isBest }) =>
              html`<div class="branch-row" ?data-best=${isBest}>
                <span class="branch-name" title=${`${name}: ${formatCount(count)}`}>${name}</span>
                <span class="branch-room"><span class="branch-bar" ${setStyle({ '--part': `${percent ?? 0}%` })}></span></span>
                <span class="branch-share">${formatPercent(percent)}</span>
              </div>`,
          )}
        </div>`,
      )}
    </div>`
}

const deliveredOf = ({ steps }: FunnelPart): number => steps[0]?.count ?? 0
