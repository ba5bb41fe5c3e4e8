// Renders the keys of environments, each with where it goes; those of an earlier visit are not known any more.

import { html, nothing, type TemplateResult } from 'lit'
import { SECRET_KINDS, type SecretKind } from '../../../contract/tenant.ts'
import { copyable } from '../../elements/bits.ts'
import type { MadeEnvironment } from '../../lib/made-keys.ts'
import { SECRETS } from '../environments/secret-kinds.ts'

const PLACES: Readonly<Record<SecretKind, { goes: string; name: string }>> = {
  frontApiKey: { goes: 'In your pages', name: 'Public: it names the environment to the tag.' },
  sdkSecretKey: { goes: 'In your backend', name: 'It tracks events. Shown only now.' },
  authSecretKey: { goes: 'In your backend', name: 'It signs the tokens of your users.' },
  webhookSigningSecret: { goes: 'In your backend', name: 'It verifies calls of the service to your enrichers.' },
}
const ORDER = [...SECRET_KINDS].sort((one, other) => Number(other === 'frontApiKey') - Number(one === 'frontApiKey'))

export function keysOf({ name, secrets }: MadeEnvironment, isOne: boolean): TemplateResult {
  return html`${isOne ? nothing : html`<h3 class="card-section">${name}</h3>`}
    <ul class="lines keys">
      ${ORDER.map(
        (kind) => html`<li>
          <span>${SECRETS[kind].name}<span class="row-note"><strong>${PLACES[kind].goes}.</strong> ${PLACES[kind].name}</span></span>
          ${copyable(secrets[kind], `${SECRETS[kind].name} of ${name}`)}
        </li>`,
      )}
    </ul>`
}

/** @param secretsPage The address of the page that rotates them. */
export function keptKeys(frontApiKey: string, environment: string, secretsPage: string): TemplateResult {
  return html`<ul class="lines keys">
      <li>
        <span>${SECRETS.frontApiKey.name}<span class="row-note"><strong>In your pages.</strong> ${PLACES.frontApiKey.name}</span></span>
        ${copyable(frontApiKey, `${SECRETS.frontApiKey.name} of ${environment}`)}
      </li>
    </ul>
    <p class="hint">
      The secret keys were shown when the environment was made. Lost one? <a class="link" href=${secretsPage}>Make a new one</a>:
      the old one stays valid for a day.
    </p>`
}
