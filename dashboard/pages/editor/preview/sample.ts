// Describes the data that a draft is tried with, and keeps in the browser which was chosen for a campaign.

import type { JsonObject } from '../../../../contract/json.ts'
import type { SampleUser } from '../../../../contract/resources/campaign-trial.ts'
import type { TrackedEventAnswer } from '../../../../contract/resources/tracked-event.ts'
import { type Draft, isObject } from '../../../editor/step-tree.ts'
import { readKept } from '../../../lib/kept-values.ts'

export interface Sample {
  event: { name: string; properties: JsonObject; occurredAt?: string; userId?: string }
  /** With what is known of them; undefined: nobody. */
  user?: SampleUser
}

/** What is chosen: an event that was tracked, or properties that a person wrote; and a user in place of the event's. */
export interface SampleChoice {
  eventId?: string
  properties?: JsonObject
  userId?: string
}

/** The page is given other data to try the draft with. */
export class SampleChanged extends Event {
  readonly sample: Sample
  constructor(sample: Sample) {
    super('sample-changed', { bubbles: true })
    this.sample = sample
  }
}

/** A person wants to see a place of the draft. */
export class GoTo extends Event {
  readonly path: readonly (string | number)[]
  readonly stepId: string | undefined
  constructor(path: readonly (string | number)[], stepId?: string) {
    super('go-to', { bubbles: true, composed: true })
    this.path = path
    this.stepId = stepId
  }
}

const KEPT_AS = 'nc-dashboard-samples'
const MOST_KEPT = 50
/** Larger ones are not worth the room in the browser. */
const MOST_CHARS = 20_000

/** @param name of a person and a campaign */
export const keptSample = (name: string): SampleChoice => readKept<SampleChoice>(KEPT_AS)[name] ?? {}

/** Keeps the choice for the next visit, and those of the last campaigns besides. */
export function keepSample(name: string, choice: SampleChoice): void {
  const { [name]: _former, ...others } = readKept<SampleChoice>(KEPT_AS)
  const last = Object.entries(others).slice(1 - MOST_KEPT)
  const kept = JSON.stringify(choice).length > MOST_CHARS ? last : [...last, [name, choice] as const]
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // A browser whose room is full forgets the choice.
  }
}

/** @returns the name of the event that starts the draft; empty where none is written */
export function eventNameOf({ trigger }: Draft): string {
  return isObject(trigger) && typeof trigger.event === 'string' ? trigger.event : ''
}

/** @returns the first of the users that an event was for */
export const userIdOf = ({ userId, userIds }: Pick<TrackedEventAnswer, 'userId' | 'userIds'>): string | undefined =>
  userId ?? userIds?.[0] ?? undefined

/** @returns such as "total 74, orderId A-1": the first short values of an event */
export function valuesInShort(properties: Readonly<Record<string, unknown>>): string {
  const short = Object.entries(properties).filter(
    ([, value]) =>
      typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== ''),
  )
  return short
    .slice(0, 3)
    .map(([key, value]) => `${key} ${String(value).slice(0, 24)}`)
    .join(', ')
}

/** @returns what a call of the API tries the draft with */
export function triedWith(draft: Draft, sample: Sample | undefined, locale?: string) {
  const { event, user } = sample ?? {}
  const given = locale === undefined ? user : { ...user, locale }
  return {
    definition: draft as JsonObject,
    ...(event && { event }),
    ...(given && { user: given }),
  }
}
