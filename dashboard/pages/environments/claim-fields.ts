// Renders and reads the paths of claims in a token, which identity provider and public key have in common.

import { html, type TemplateResult } from 'lit'
import type { ClaimPaths } from '../../../contract/resources/token-keys.ts'
import { textField, textOf } from '../../elements/fields.ts'

const CLAIMS = [
  ['userId', 'Claim of the user ID'],
  ['email', 'Claim of the e-mail address'],
  ['name', 'Claim of the name'],
  ['locale', 'Claim of the locale'],
] as const

export function claimFields(scope: string, claims: ClaimPaths | undefined): TemplateResult {
  return html`<div class="field-pairs">
    ${CLAIMS.map(([name, label]) =>
      textField(scope, {
        name,
        label,
        value: claims?.[name] ?? '',
        placeholder: name === 'userId' ? 'sub' : 'Not read',
        isMono: true,
      }),
    )}
  </div>`
}

export function readClaims(form: FormData): ClaimPaths {
  const given = CLAIMS.map(([name]) => [name, textOf(form, name)] as const).filter(([, path]) => path !== '')
  return { userId: 'sub', ...Object.fromEntries(given) }
}
