// Renders the cards of the first steps, and their lights.

import { html, type TemplateResult } from 'lit'
import { age } from '../../elements/bits.ts'
import { emptyView } from '../../elements/states.ts'
import type { AppContext } from '../../shell/context.ts'
import type { WidgetLight } from './widget-light.ts'

/** A numbered step of the page, with its light. */
export function step(number: number, title: string, state: TemplateResult, content: unknown): TemplateResult {
  return html`<section class="card" aria-labelledby=${`step-${number}`}>
    <header class="card-head">
      <h2 id=${`step-${number}`}><span class="step-number">${number}</span>${title}</h2>
      ${state}
    </header>
    ${content}
  </section>`
}

export const light = (tone: 'good' | 'warn' | 'quiet', words: unknown): TemplateResult =>
  html`<span class="badge" data-tone=${tone} role="status">${words}</span>`

/** Says whether a widget has signed in. */
export function tagLight(found: WidgetLight): TemplateResult {
  if (found.state === 'waiting') return light('quiet', 'Waiting for the first sign-in')
  return found.state === 'refused'
    ? light('warn', html`A page asked ${age(found.at)}, and its token was refused`)
    : light('good', html`A widget signed in ${age(found.at)}`)
}

/** What stands in place of the inbox in production. */
export function noTestUser({ environments, link }: AppContext): TemplateResult {
  const other = environments.find(({ isProduction }) => !isProduction)
  const way =
    other === undefined
      ? html`<a class="link" href=${link('environments')}>Create an environment</a> that is not in production to try it.`
      : html`<a class="link" href=${link('first-steps', '', { env: other.id })}>Try it in ${other.name}</a>.`
  return html`<p class="card-text">Production has no test user. ${way}</p>`
}

export const wholeWay = ({ link }: AppContext): TemplateResult => html`<section class="card">
  <header class="card-head"><h2>That is the whole way</h2></header>
  <p class="card-text">Your backend tracks, a campaign decides, the inbox shows. Home says what to set up next.</p>
  <div class="card-foot"><wa-button size="s" variant="brand" href=${link('home')}>Go to Home</wa-button></div>
</section>`

export const noRole = (): TemplateResult =>
  emptyView({
    icon: 'ban',
    title: 'Not for your role',
    text: 'Admins set an environment up: its keys are in these steps.',
  })
