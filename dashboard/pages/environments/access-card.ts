// <nc-access-card>: the allowed origins of an environment, its tokens, what its keys may manage, and its config.

import { html, type TemplateResult } from 'lit'
import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import { KEY_MAY_MANAGE } from '../../../contract/tenant.ts'
import { choiceField, linesOf, textField, textOf, tickField } from '../../elements/fields.ts'
import { EnvironmentCard, ORIGINS_HINT } from './environment-card.ts'

class NcAccessCard extends EnvironmentCard {
  static override properties = { ...EnvironmentCard.properties, configs: { attribute: false } }

  declare configs: readonly ConfigAnswer[]

  override render(): TemplateResult {
    const { environment } = this
    const configs = this.configs.map(({ id, name }) => [id, name] as const)
    return this.card({
      title: 'Access',
      name: 'access',
      fields: html`${textField('access', { name: 'origins', path: 'allowedOrigins', label: 'Allowed origins', rows: 3, isMono: true, value: environment.allowedOrigins.join('\n'), hint: ORIGINS_HINT })}
        ${tickField('requireExpiringTokens', 'Tokens must expire', environment.requireExpiringTokens, 'A token of your backend without an end is refused.')}
        ${tickField('sdkKeyMayManage', 'The SDK secret key may manage', environment.sdkKeyMayManage, `With it a backend may ${KEY_MAY_MANAGE}. Without, it may track, change users and topics, and read.`)}
        ${tickField('isProduction', 'Production', environment.isProduction, 'Real users are in it. The dashboard marks it.')}
        ${choiceField('access', { name: 'config', label: 'Notification config', value: environment.notificationConfigId ?? '', choices: [['', 'None'], ...configs], hint: 'Look and categories of the inbox, and of campaigns that name no config.' })}
        ${textField('access', { name: 'siteUrl', label: 'Site', value: environment.siteUrl ?? '', placeholder: 'Inherited: the address of this server', hint: 'Such as https://shop.example: paths in mails, such as /orders/1, begin there. A notification config may have its own.' })}
        ${textField('access', { name: 'appSchemes', label: 'Schemes of apps', isMono: true, value: environment.appSchemes.join('\n'), rows: 2, hint: 'One a line, such as shopapp: links of messages may open these apps.' })}`,
      mayChange: this.mayChange,
    })
  }

  protected override submit(form: FormData): Promise<void> {
    return this.saveSettings(
      {
        allowedOrigins: linesOf(form, 'origins'),
        requireExpiringTokens: form.has('requireExpiringTokens'),
        sdkKeyMayManage: form.has('sdkKeyMayManage'),
        isProduction: form.has('isProduction'),
        notificationConfigId: textOf(form, 'config') || null,
        siteUrl: textOf(form, 'siteUrl') || null,
        appSchemes: linesOf(form, 'appSchemes'),
      },
      'The access is changed.',
    )
  }
}

customElements.define('nc-access-card', NcAccessCard)
