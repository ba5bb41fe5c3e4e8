// Renders one secret: the state of its rotation, the time left of an overlap, the last uses, and the possible steps.

import { html, nothing, type TemplateResult } from 'lit'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { SourceSecretRotation } from '../../../contract/resources/source-secret.ts'
import { badge } from '../../elements/badge.ts'
import { age, facts, time } from '../../elements/bits.ts'
import { formatSpan } from '../../lib/format.ts'
import { SECRETS } from './secret-kinds.ts'

/** Of a secret of an environment, or of a source. */
export type ShownRotation = SecretRotation | SourceSecretRotation
export type RotationStep = 'rotate' | 'extend' | 'retire' | 'emergency' | 'show'

const LABELS: Record<RotationStep, string> = {
  rotate: 'Rotate',
  extend: 'Extend',
  retire: 'Retire the old value',
  emergency: 'Replace at once',
  show: 'Show',
}

/** @returns The steps that a secret in this state can take, in the order of their buttons. */
export function stepsOf({ kind, state }: ShownRotation): RotationStep[] {
  return [
    ...(state === 'single' ? (['rotate'] as const) : (['retire', 'extend'] as const)),
    ...(SECRETS[kind].isReadable ? (['show'] as const) : []),
    'emergency',
  ]
}

/** @param onStep Absent for roles that may not rotate. */
export function rotationCard(rotation: ShownRotation, onStep?: (step: RotationStep) => void): TemplateResult {
  const { kind, state, current, previous } = rotation
  const { name, use } = SECRETS[kind]
  const isOverlap = state === 'overlap' && previous !== null
  return html`<section class="card" aria-labelledby=${`${kind}-title`}>
    <header class="card-head">
      <h2 id=${`${kind}-title`} tabindex="-1">${name}</h2>
      ${badge(state)}
    </header>
    <p class="card-text">${use}</p>
    ${isOverlap ? timeLeft(rotation) : nothing}
    <div class="values">
      <div>
        <h3>${isOverlap ? 'New value' : 'Value'}</h3>
        ${facts([
          ['Created', age(current.createdAt)],
          ['Last used', lastUse(current.lastUsedAt)],
        ])}
      </div>
      ${previous === null ? nothing : oldValue(previous, isOverlap)}
    </div>
    ${
      onStep === undefined
        ? nothing
        : html`<div class="card-foot">${stepsOf(rotation).map((step) => stepButton(step, rotation, () => onStep(step)))}</div>`
    }
  </section>`
}

function timeLeft({ until, current, kind }: ShownRotation): TemplateResult | typeof nothing {
  if (until === null) return nothing
  const [from, to] = [Date.parse(current.createdAt), Date.parse(until)]
  const leftMs = Math.max(0, to - Date.now())
  return html`<div class="overlap">
    <label for=${`${kind}-left`}>Both values are accepted. The old one ends in <strong>${formatSpan(leftMs)}</strong>, ${time(until)}.</label>
    <progress id=${`${kind}-left`} max=${to - from} .value=${leftMs}></progress>
  </div>`
}

function oldValue(old: NonNullable<ShownRotation['previous']>, isLive: boolean): TemplateResult {
  return html`<div>
    <h3>${isLive ? 'Old value' : 'Retired value'}</h3>
    ${facts([
      ['Last used', lastUse(old.lastUsedAt)],
      [isLive ? 'Ends' : 'Ended', old.retiresAt === null ? null : age(old.retiresAt)],
    ])}
  </div>`
}

const lastUse = (at: string | null): TemplateResult => (at === null ? html`<span class="none">Not yet</span>` : age(at))

/** An old value that was used within this time may be in use. */
const IN_USE_MS = 60 * 60_000

/** @returns Whether callers have gone over to the new value: it was used, and the old one was not for an hour. */
export function isReplaced(rotation: ShownRotation, now = Date.now()): boolean {
  return rotation.current.lastUsedAt !== null && !isOldInUse(rotation, now)
}

export function isOldInUse({ previous }: Pick<ShownRotation, 'previous'>, now = Date.now()): boolean {
  const oldAt = previous?.lastUsedAt ?? null
  return oldAt !== null && now - Date.parse(oldAt) <= IN_USE_MS
}

function stepButton(step: RotationStep, rotation: ShownRotation, onClick: () => void): TemplateResult {
  const { name } = SECRETS[rotation.kind]
  const isFirst = step === 'rotate' || (step === 'retire' && isReplaced(rotation))
  const variant = step === 'emergency' ? 'danger' : isFirst ? 'brand' : 'neutral'
  return html`<wa-button size="s" appearance=${isFirst ? 'accent' : 'outlined'} variant=${variant} @click=${onClick}>
    ${LABELS[step]}<span class="sr">: ${name}</span>
  </wa-button>`
}
