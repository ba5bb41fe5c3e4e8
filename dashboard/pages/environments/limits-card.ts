// <nc-limits-card>: the calls a minute that an environment may have, in place of those of the deployment.

import { html, type TemplateResult } from 'lit'
import type { EnvironmentLimits } from '../../../contract/resources/environment.ts'
import { LIMITED_CLASSES } from '../../../contract/tenant.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { EnvironmentCard } from './environment-card.ts'
import { limitText, parseLimit } from './limit-text.ts'

const LABELS: Record<(typeof LIMITED_CLASSES)[number], string> = {
  auth: 'Sign-ins of the widget',
  inbox: 'Calls of the widget',
  track: 'Recipients of tracked events',
  management: 'All other calls with a key, and those of the dashboard',
  webhooks: 'Calls of e-mail providers',
}

class NcLimitsCard extends EnvironmentCard {
  override render(): TemplateResult {
    const { rateLimits } = this.environment
    return this.card({
      title: 'Limits',
      name: 'limits',
      text: 'Calls a minute. Empty: the limit of the deployment. “off”: no limit.',
      fields: html`<div class="field-pairs">
        ${LIMITED_CLASSES.map((one) =>
          textField('limits', {
            name: one,
            label: LABELS[one],
            value: limitText(rateLimits?.[one]),
            placeholder: 'Deployment',
          }),
        )}
      </div>`,
      mayChange: this.mayChange,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    const given = LIMITED_CLASSES.map((one) => [one, parseLimit(textOf(form, one), LABELS[one])] as const)
    const limits = Object.fromEntries(given.filter(([, limit]) => limit !== undefined)) as EnvironmentLimits
    const rateLimits = Object.keys(limits).length === 0 ? null : limits
    await this.saveSettings({ rateLimits }, 'The limits are changed.')
  }
}

customElements.define('nc-limits-card', NcLimitsCard)
