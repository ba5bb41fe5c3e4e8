// Renders and reads the fields of an enricher.

import { html, type TemplateResult } from 'lit'
import type { EnricherSettings } from '../../../contract/resources/enricher.ts'
import { field, textOf } from '../../elements/fields.ts'

export const NEW_ENRICHER: EnricherSettings = { url: '', timeoutMs: 5000, cacheSeconds: 0 }

export function enricherFields({ url, timeoutMs, cacheSeconds }: EnricherSettings): TemplateResult {
  return html`${field({ name: 'url', label: 'Address', type: 'url', autocomplete: 'off', value: url, hint: ADDRESS })}
    ${field({ name: 'timeoutMs', label: 'Time limit in milliseconds', type: 'number', autocomplete: 'off', value: String(timeoutMs), hint: TIMEOUT })}
    ${field({ name: 'cacheSeconds', label: 'Kept for seconds', type: 'number', autocomplete: 'off', value: String(cacheSeconds), hint: CACHE })}`
}

export function settingsOf(form: FormData): EnricherSettings {
  return {
    url: textOf(form, 'url'),
    timeoutMs: Number(textOf(form, 'timeoutMs')),
    cacheSeconds: Number(textOf(form, 'cacheSeconds')),
  }
}

const ADDRESS = 'It begins with https:// and is called by POST, with a signature.'
const TIMEOUT = 'For one attempt: 100 to 10,000. A step makes up to three.'
const CACHE = 'An answer for the same parameters and user. 0: never kept.'
