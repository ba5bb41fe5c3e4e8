// Derives the light of a source, of a mail account and of a secret.

import type { EmailIntegrationAnswer } from '../../../contract/resources/email-integration.ts'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import type { Tone } from '../../elements/badge.ts'
import { formatAge } from '../../lib/format.ts'
import { stateOf } from '../email/integration-state.ts'
import { isOldInUse } from '../environments/rotation-card.ts'
import { hasFailedLast } from '../sources/source-state.ts'

/** A source without a delivery for this long is silent. */
const SILENT_MS = 7 * 24 * 60 * 60 * 1000

interface State {
  state: string
  tone: Tone
  note: string
}

export interface Light extends State {
  name: string
  href: string
}

type Source = Pick<SourceAnswer, 'status' | 'lastReceivedAt' | 'lastErrorAt' | 'lastError'>

export function lightOfSource(source: Source, now = Date.now()): State {
  const { status, lastReceivedAt, lastError } = source
  if (status === 'paused') return { state: 'paused', tone: 'warn', note: 'What arrives is dropped.' }
  if (hasFailedLast(source)) return { state: 'failing', tone: 'bad', note: lastError ?? '' }
  if (lastReceivedAt === null) return { state: 'not connected yet', tone: 'quiet', note: 'Nothing has arrived.' }
  const note = `Last delivery ${formatAge(lastReceivedAt, now)}`
  if (now - Date.parse(lastReceivedAt) > SILENT_MS) return { state: 'silent', tone: 'warn', note }
  return { state: 'receiving', tone: 'good', note }
}

export function lightOfIntegration(account: Pick<EmailIntegrationAnswer, 'state'>, now = Date.now()): State {
  const { lastSentAt, lastError } = account.state
  const state = stateOf(account)
  if (state.tone === 'bad') return { ...state, note: lastError ?? '' }
  return { ...state, note: lastSentAt === null ? 'No mail was sent by it.' : `Last mail ${formatAge(lastSentAt, now)}` }
}

/** @returns undefined for a secret that nothing has to be done about. */
export function lightOfSecret(
  rotation: Pick<SecretRotation, 'until' | 'previous'>,
  now = Date.now(),
): State | undefined {
  const { until } = rotation
  if (until === null) return undefined
  const isUsed = isOldInUse(rotation, now)
  const note = `The old value ends ${formatAge(until, now)}${isUsed ? ', and is still used' : ''}.`
  return { state: 'rotating', tone: isUsed ? 'bad' : 'warn', note }
}
