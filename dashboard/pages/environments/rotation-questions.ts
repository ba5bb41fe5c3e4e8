// Asks for each step of a rotation, and names what fails with it.

import { html } from 'lit'
import type { Rotation } from '../../api/tenant.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { choiceField } from '../../elements/fields.ts'
import { formatAge } from '../../lib/format.ts'
import type { RotationStep } from './rotation-card.ts'
import { SECRETS } from './secret-kinds.ts'

const OVERLAPS = [
  ['PT1H', '1 hour'],
  ['PT24H', '24 hours'],
  ['P3D', '3 days'],
  ['P7D', '7 days'],
] as const

const overlapField = (label: string) =>
  choiceField('overlap', { name: 'overlap', label, value: 'PT24H', choices: OVERLAPS })

/**
 * @param environment Its name, to be typed where callers fail at once.
 * @param take Does it, with the chosen overlap as an ISO 8601 duration.
 */
export function questionOf(
  step: RotationStep,
  rotation: Rotation,
  environment: string,
  take: (overlap: string) => Promise<void>,
): Question {
  const { name, failing } = SECRETS[rotation.kind]
  const run = (form: FormData) => take(String(form.get('overlap') ?? ''))
  switch (step) {
    case 'rotate':
      return {
        title: `Rotate the ${name}`,
        text: html`<p>A new value is made and shown once. The old one is accepted until the overlap ends: give the new one to all that use it before.</p>`,
        fields: overlapField('The old value is accepted for'),
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
        text: html`<p>${lastUseOf(rotation)} From now on, ${failing}</p>`,
        button: 'Retire',
        isDangerous: true,
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
        text: html`<p>For a value that is known to others. A new one is made, and no other is accepted from this moment.</p>
          <p class="consequence">At once, ${failing}</p>`,
        button: 'Replace at once',
        isDangerous: true,
        typed: environment,
        run,
      }
  }
}

function lastUseOf({ previous }: Rotation): string {
  const at = previous?.lastUsedAt ?? null
  return at === null ? 'The old value has not been used.' : `The old value was last used ${formatAge(at)}.`
}
