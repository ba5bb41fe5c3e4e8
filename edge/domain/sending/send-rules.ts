// Defines preferences and suppressions of an environment's users, and the port of their store.

import type { Channel } from '../../../contract/delivery.ts'
import type { SuppressionReason } from '../../../contract/resources/suppression.ts'
import type { QuietHours } from './quiet-hours.ts'

/** An absent channel has the category's default. */
export type ChannelChoice = Partial<Record<Channel, boolean>>

/** Stands for messages without a category, which no page lists: a mail of theirs can be turned off all the same. */
export const UNCATEGORISED = ''

/** A user's settings, by category. */
export interface Preferences {
  choices: Record<string, ChannelChoice>
  quietHours: QuietHours | null
  /** When each choice was made (epoch ms); absent of choices from before it was kept. */
  since?: Record<string, Partial<Record<Channel, number>>>
}

export const NO_PREFERENCES: Preferences = { choices: {}, quietHours: null }

/** A user, or an address (of any user), on one channel. */
export interface SuppressedSubject {
  environmentId: number
  channel: Channel
  /** Exactly one of the two. */
  userId?: string | undefined
  address?: string | undefined
}

export interface Suppression {
  channel: Channel
  reason: SuppressionReason
  /**
   * Whether critical categories are sent all the same: they override a recipient's request, but not a provider's
   * refusal.
   */
  mayPass: boolean
  createdAt: number
}

/** The rules that a send policy needs for one user. */
export interface SendRulesOfUser extends Preferences {
  suppressions: Suppression[]
}

/** A recipient of a plan. */
export interface SendRecipient {
  userId: string
  /** The address of mail, where it is known. */
  email: string | null
}

export interface SendRules {
  /** Returns whether the environment ever had a preference or suppression; until then, users need no query. */
  isUsed(environmentId: number): Promise<boolean>
  /** Reads many in one query, in their order; undefined for a user without rules. */
  findMany(environmentId: number, recipients: SendRecipient[]): Promise<(SendRulesOfUser | undefined)[]>
  findPreferences(environmentId: number, userNo: number): Promise<Preferences | undefined>
  /**
   * Merges `change` into the stored preferences in one transaction. `first`: the environment had none before, so caches
   * must be invalidated. Undefined when there is no such user (any more).
   */
  changePreferences(
    environmentId: number,
    userNo: number,
    change: PreferencesChange,
    now: number,
  ): Promise<{ preferences: Preferences; first: boolean } | undefined>
  /** `first` as above; a repeat keeps the first reason and time. */
  suppress(
    subject: SuppressedSubject,
    reason: SuppressionReason,
    now: number,
  ): Promise<{ added: boolean; first: boolean }>
  /** False when it was not suppressed. */
  release(subject: SuppressedSubject): Promise<boolean>
  listOf(subject: Omit<SuppressedSubject, 'channel'>): Promise<Suppression[]>
}

/** Merges preferences: absent categories stay, and within a category absent channels. */
export interface PreferencesChange {
  choices: Record<string, ChannelChoice>
  quietHours?: QuietHours | null | undefined
}

/** Applies a change: absent categories and channels stay; absent quiet hours stay, null removes them. */
export function mergePreferences(stored: Preferences, change: PreferencesChange, now: number): Preferences {
  // A category may be named `__proto__`, which no object takes by an assignment.
  const choices = new Map(Object.entries(stored.choices))
  const since = new Map(Object.entries(stored.since ?? {}))
  for (const [key, choice] of Object.entries(change.choices)) {
    const before = choices.get(key)
    const made = Object.entries(choice).filter(([channel, wants]) => before?.[channel as Channel] !== wants)
    if (made.length > 0) since.set(key, { ...since.get(key), ...Object.fromEntries(made.map(([name]) => [name, now])) })
    choices.set(key, { ...before, ...choice })
  }
  return {
    choices: Object.fromEntries(choices),
    quietHours: change.quietHours === undefined ? stored.quietHours : change.quietHours,
    ...(since.size > 0 && { since: Object.fromEntries(since) }),
  }
}

/** Returns whether a critical category overrides the suppression: only for a recipient's own request. */
export function mayPass(reason: SuppressionReason): boolean {
  return reason === 'unsubscribe'
}
