// What an environment's users have said about being sent to, and who must not be: the port of its store (contract section 5).

import type { Channel } from '../../../contract/delivery.ts'
import type { QuietHours } from './quiet-hours.ts'

/** A channel that is absent is as the category has it. */
export type ChannelChoice = Partial<Record<Channel, boolean>>

/** What a user has set, by category. */
export interface Preferences {
  choices: Record<string, ChannelChoice>
  quietHours: QuietHours | null
}

export const NO_PREFERENCES: Preferences = { choices: {}, quietHours: null }

/** Why nothing is sent: what a provider reported, what the recipient asked for, or an operator's word. */
export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]

/** A user, or an address of whichever user has it, on one channel. */
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
  /** Whether a critical category is sent all the same: what a recipient asked for bends to it, what a provider refuses does not. */
  mayPass: boolean
  createdAt: number
}

/** All that a policy needs of one user. */
export interface SendRulesOfUser extends Preferences {
  suppressions: Suppression[]
}

/** Whom a plan would send to. */
export interface SendRecipient {
  userId: string
  /** The address that mail would go to, where it is known. */
  email: string | null
}

export interface SendRules {
  /** Whether anybody in the environment has ever had preferences or was suppressed: until then nobody is asked about. */
  isUsed(environmentId: number): Promise<boolean>
  /** One query for many, in their order; undefined for who has nothing. */
  findMany(environmentId: number, recipients: SendRecipient[]): Promise<(SendRulesOfUser | undefined)[]>
  findPreferences(userNo: number): Promise<Preferences | undefined>
  /**
   * Puts `change` over what is stored, in one transaction. `first`: the environment had nothing before, so that caches must hear
   * of it. Undefined when there is no such user (any more).
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

/** What is absent stays; within a category each channel by itself. */
export interface PreferencesChange {
  choices: Record<string, ChannelChoice>
  quietHours?: QuietHours | null | undefined
}

export function mergePreferences(stored: Preferences, change: PreferencesChange): Preferences {
  const choices = { ...stored.choices }
  for (const [key, choice] of Object.entries(change.choices)) choices[key] = { ...choices[key], ...choice }
  return { choices, quietHours: change.quietHours === undefined ? stored.quietHours : change.quietHours }
}

/** What a recipient asked for bends to a critical category; what a provider refuses does not. */
export function mayPass(reason: SuppressionReason): boolean {
  return reason === 'unsubscribe'
}
