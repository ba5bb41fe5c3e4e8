// Asks for each step of a rotation, and names what fails with it.

import { html, nothing, type TemplateResult } from 'lit'
import type { Question } from '../../elements/confirm-dialog.ts'
import { choiceField, textOf } from '../../elements/fields.ts'
import { formatAge } from '../../lib/format.ts'
import { isReplaced, type RotationStep, type ShownRotation } from './rotation-card.ts'
import { SECRETS } from './secret-kinds.ts'

const OVERLAPS = [
  ['PT1H', '1 hour'],
  ['PT24H', '24 hours'],
  ['P3D', '3 days'],
  ['P7D', '7 days'],
] as const

const overlapField = (label: string) =>
  choiceField('overlap', { name: 'overlap', label, value: 'PT24H', choices: OVERLAPS })

/** Where another party dictates the values of a secret. */
export interface DictatedBy {
  /** Its name. */
  platform: string
  /** The field of the new value. */
  field: TemplateResult
}

/**
 * @param typed The name to be typed where callers fail at once.
 * @param take Does it, with the chosen overlap as an ISO 8601 duration.
 * @param dictatedBy Absent: the server makes the new value.
 */
export function questionOf(
  step: RotationStep,
  rotation: ShownRotation,
  typed: string,
  take: (overlap: string, form: FormData) => Promise<void>,
  dictatedBy?: DictatedBy,
): Question {
  const { name, failing } = SECRETS[rotation.kind]
  const run = (form: FormData) => take(textOf(form, 'overlap'), form)
  const valueField = dictatedBy?.field ?? nothing
  switch (step) {
    case 'rotate':
      return {
        title: `Rotate the ${name}`,
        text: html`<p>${dictatedBy === undefined ? MADE : `Enter the new value of ${dictatedBy.platform}. The old one is accepted until the overlap ends.`}</p>`,
        fields: html`${valueField} ${overlapField('The old value is accepted for')}`,
        button: 'Rotate',
        run,
      }
    case 'extend':
      return {
        title: 'Extend the overlap',
        text: html`<p>The old value of the ${name} is accepted for longer, counted from now.</p>`,
        fields: overlapField('From now on, for'),
        button: 'Extend',
        run,
      }
    case 'retire':
      return {
        title: 'Retire the old value',
        text: html`<p>${lastUseOf(rotation)}</p>
          ${isReplaced(rotation) ? nothing : html`<p>It may be in use. “Extend” gives its callers more time.</p>`}
          <p class="consequence">From now on, ${failing}</p>`,
        button: 'Retire',
        isDangerous: true,
        typed,
        run,
      }
    case 'show':
      return {
        title: `Show the ${name}`,
        text: html`<p>The audit log records that you have seen it, unless it is public.</p>`,
        button: 'Show',
        run,
      }
    case 'emergency':
      return {
        title: `Replace the ${name} at once`,
        text: html`<p>For a value that is known to others. ${dictatedBy === undefined ? 'A new one is made' : `Enter the new one of ${dictatedBy.platform}`}, and no other is accepted from this moment.</p>
          <p class="consequence">At once, ${failing}</p>`,
        fields: html`${valueField}`,
        button: 'Replace at once',
        isDangerous: true,
        typed,
        run,
      }
  }
}

const MADE =
  'A new value is made and shown once. The old one is accepted until the overlap ends: give the new one to all that use it before.'

function lastUseOf({ current, previous }: ShownRotation): string {
  const at = previous?.lastUsedAt ?? null
  const old = at === null ? 'The old value has not been used.' : `The old value was last used ${formatAge(at)}.`
  return current.lastUsedAt === null ? `${old} The new value has not been used yet.` : old
}
