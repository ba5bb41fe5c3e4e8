// Renders the field for a secret that a platform dictates, and reads it.

import { html, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import type { GivenSecret } from '../../../contract/resources/source-secret.ts'
import { textField, textOf } from '../../elements/fields.ts'
import type { PlatformWords } from './platforms.ts'

/** @returns Whether the platform dictates the value of the secret. */
export const isDictated = ({ secret }: PlatformWords): boolean => secret !== 'made'

/** @param hint Default: where the platform shows the secret. */
export function secretField(
  scope: string,
  { title, secretHelp }: PlatformWords,
  { required, hint = secretHelp }: { required: boolean; hint?: unknown },
): TemplateResult {
  const field = textField(scope, {
    name: 'verificationSecret',
    label: `Signing secret of ${title}`,
    type: 'password',
    required,
    isMono: true,
    hint,
  })
  // The secret of one platform is not that of another.
  return html`${keyed(title, field)}`
}

/** @returns Nothing for an empty field. */
export function givenSecretOf(form: FormData): GivenSecret {
  const verificationSecret = textOf(form, 'verificationSecret')
  return verificationSecret === '' ? {} : { verificationSecret }
}
