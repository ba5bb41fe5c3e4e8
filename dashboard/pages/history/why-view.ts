// Renders on top of a message what became of it and why, with a link to the cause and the remedy as a button.

import { html, nothing, type TemplateResult } from 'lit'
import type { DeliveryDetailAnswer } from '../../../contract/resources/delivery.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import type { AppContext } from '../../shell/context.ts'
import '../suppressions/suppressed-note.ts'
import { whyOf } from './why.ts'

export function whyView(context: AppContext, detail: DeliveryDetailAnswer, run: RunAnswer | undefined): TemplateResult {
  const { text, cause } = whyOf(detail, run)
  const link = cause && context.link(cause.page, cause.id, cause.query)
  return html`<p class="why" data-status=${detail.status}>
      ${text} ${link === undefined ? nothing : html`<a class="link" href=${link}>${cause?.label}</a>`}
    </p>
    ${
      detail.statusReason === 'suppressed'
        ? html`<nc-suppressed-note .context=${context} .userId=${detail.userId} .channel=${detail.channel}></nc-suppressed-note>`
        : nothing
    }`
}
