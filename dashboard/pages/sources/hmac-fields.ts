// Renders the settings of a signature by HMAC, and reads them.

import { html, type TemplateResult } from 'lit'
import type { HmacSettings } from '../../../contract/resources/hmac-settings.ts'
import { HMAC_ALGORITHMS, HMAC_ENCODINGS } from '../../../contract/tenant.ts'
import { choiceField, textField, textOf } from '../../elements/fields.ts'

const ALGORITHM_WORDS: Readonly<Record<HmacSettings['algorithm'], string>> = {
  sha256: 'SHA-256',
  sha512: 'SHA-512',
  sha1: 'SHA-1',
  basic: 'None: Basic credentials',
}

/** What most senders have. */
export const USUAL_SETTINGS: HmacSettings = {
  header: 'X-Signature',
  algorithm: 'sha256',
  encoding: 'hex',
  signedString: 'body',
  idPath: 'id',
  typePath: 'type',
}

/** @param scope Prefix of the ids of the fields. */
export function hmacFields(scope: string, settings: HmacSettings): TemplateResult {
  const text = (name: keyof HmacSettings, label: string, hint: string, required = false) =>
    textField(scope, { name, label, hint, required, isMono: true, value: String(settings[name] ?? '') })
  return html`<div class="mapping-fields hmac-fields">
    ${text('header', 'Header of the signature', 'Such as X-Hub-Signature-256.', true)}
    ${text('prefix', 'Before the signature', 'Such as sha256=, or v1= in a header of several parts.')}
    ${choiceField(scope, { name: 'algorithm', label: 'Algorithm', value: settings.algorithm, choices: HMAC_ALGORITHMS.map((one) => [one, ALGORITHM_WORDS[one]]) })}
    ${choiceField(scope, { name: 'encoding', label: 'Encoding', value: settings.encoding, choices: HMAC_ENCODINGS.map((one) => [one, one]) })}
    ${text('signedString', 'What is signed', 'The words body, timestamp, url and method, such as timestamp.body.', true)}
    ${text('timestampHeader', 'Header of the time', 'Empty: the header of the signature.')}
    ${text('timestampPrefix', 'Before the time', 'Such as t=.')}
    ${textField(scope, { name: 'toleranceSeconds', label: 'Tolerance in seconds', type: 'number', value: String(settings.toleranceSeconds ?? ''), hint: 'Empty: 300.' })}
    ${text('idPath', 'Path to the delivery ID', 'In the body, or header: and a name.', true)}
    ${text('typePath', 'Path to the type', 'In the body, or header: and a name.', true)}
  </div>`
}

/** @returns The settings of a form; fields that are empty are left out. */
export function hmacSettingsOf(form: FormData): HmacSettings {
  const given = (name: keyof HmacSettings) => {
    // A prefix may end in a space.
    const text = name === 'prefix' ? String(form.get(name) ?? '') : textOf(form, name)
    return text === '' ? {} : { [name]: text }
  }
  const tolerance = textOf(form, 'toleranceSeconds')
  return {
    header: textOf(form, 'header'),
    algorithm: textOf(form, 'algorithm') as HmacSettings['algorithm'],
    encoding: textOf(form, 'encoding') as HmacSettings['encoding'],
    signedString: textOf(form, 'signedString'),
    idPath: textOf(form, 'idPath'),
    typePath: textOf(form, 'typePath'),
    ...given('prefix'),
    ...given('timestampHeader'),
    ...given('timestampPrefix'),
    ...(tolerance !== '' && { toleranceSeconds: Number(tolerance) }),
  }
}
