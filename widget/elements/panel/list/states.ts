// Templates of what stands in place of rows, or after them: nothing there, out of reach, refused, on their way.

import { html, nothing, type TemplateResult } from 'lit'
import type { Translate } from '../../../lib/translations.ts'
import { type IconName, icon } from '../icons.ts'

export interface State {
  icon: Extract<IconName, 'error' | 'offline' | 'message'>
  title: string
  hint?: string
  /** By which the service finds the failure in its log. */
  reference?: string | null | undefined
  /** Undefined where trying again is of no use. */
  tryAgain?: (() => void) | undefined
}

/** A state in the middle of the panel. */
export function state({ icon: name, title, hint = '', reference, tryAgain }: State, t: Translate): TemplateResult {
  return html`<div part=${name === 'error' ? 'error' : 'empty'} class="state">
    <span class="avatar large ${name === 'error' ? 'error' : 'plain'}">${icon(name)}</span>
    <p class="state-title">${title}</p>
    ${hint === '' ? nothing : html`<p class="state-hint">${hint}</p>`}
    ${
      tryAgain === undefined
        ? nothing
        : html`<button type="button" class="button primary" @click=${tryAgain}>${t('tryAgain')}</button>`
    }
    ${reference ? html`<p class="reference">${t('reference', { id: reference })}</p>` : nothing}
  </div>`
}

export function moreFailed(t: Translate, tryAgain: () => void): TemplateResult {
  return html`<p class="more">
    ${t('listError')} <button type="button" class="button default" @click=${tryAgain}>${t('tryAgain')}</button>
  </p>`
}

export function skeleton(rows: number): TemplateResult[] {
  const one = html`<div class="row bone-row" aria-hidden="true">
    <span class="avatar bone"></span>
    <div class="words"><span class="bone bone-title"></span><span class="bone"></span><span class="bone bone-short"></span></div>
  </div>`
  return new Array(rows).fill(one)
}
