// Reads and changes a user's preferences (GET and PUT /v1/inbox/preferences). A change is effective on all nodes with
// its commit: each read goes to the store, and an environment's first preference is a notice.

import type { ChannelSwitches, InboxPreferences } from '../../../contract/api.ts'
import type { Channel } from '../../../contract/delivery.ts'
import { byChannel } from '../../../contract/delivery.ts'
import type { PreferencesInput } from '../../../contract/resources/preferences.ts'
import type { Core } from '../../domain/core.ts'
import { zoneOf } from '../../domain/sending/quiet-hours.ts'
import { NO_PREFERENCES, type Preferences, type PreferencesChange } from '../../domain/sending/send-rules.ts'
import type { WidgetSession } from '../../domain/session.ts'
import { EMPTY_PROFILE, withDefaults } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { LiveCampaigns, LiveSet } from '../track/live-campaigns.ts'

/** Finds the channels that an environment can send by, in the order in which they are shown: users choose among these alone. */
export type FindSendingChannels = (environmentId: number) => Promise<readonly Channel[]>

export interface ManagePreferences {
  get(user: Pick<WidgetSession, 'environmentId' | 'userId' | 'userNo'>): Promise<InboxPreferences>
  /** Changes the named fields. @throws `request/invalid-body` for categories that the environment does not have */
  put(session: WidgetSession, change: PreferencesInput): Promise<InboxPreferences>
}

export function createManagePreferences(
  deps: Pick<Core, 'sendRules' | 'users' | 'bus' | 'clock'> & {
    live: Pick<LiveCampaigns, 'load'>
    /** Finds the channels that can send; others have no switch. */
    findChannels: FindSendingChannels
  },
): ManagePreferences {
  const { sendRules, live, clock, bus } = deps

  async function toAnswer(
    { environmentId, userId }: Pick<WidgetSession, 'environmentId' | 'userId'>,
    { categories, defaults }: LiveSet,
    { choices, quietHours }: Preferences,
  ): Promise<InboxPreferences> {
    const sendable = await deps.findChannels(environmentId)
    const shown = [...categories.values()].map(({ key, name, critical, channels }) => {
      // Messages of a critical category are sent whatever the preferences are.
      const wanted = critical ? byChannel(() => true) : { ...channels, ...choices[key] }
      return { key, name, critical, channels: switchesOf(wanted, sendable) }
    })
    if (quietHours === null) return { categories: shown, quietHours: null }
    const user = quietHours.timeZone === null ? await deps.users.find(environmentId, userId) : undefined
    const timeZone = zoneOf(quietHours, withDefaults(user ?? EMPTY_PROFILE, defaults).timeZone)
    return { categories: shown, quietHours: { start: quietHours.start, end: quietHours.end, timeZone } }
  }

  return {
    async get(session) {
      const [set, stored] = await Promise.all([
        live.load(session.environmentId),
        sendRules.findPreferences(session.environmentId, session.userNo),
      ])
      return toAnswer(session, set, stored ?? NO_PREFERENCES)
    },

    async put(session, asked) {
      const { environmentId, userNo } = session
      const set = await live.load(environmentId)
      const { choices } = (await sendRules.findPreferences(environmentId, userNo)) ?? NO_PREFERENCES
      // A stored category without a live campaign is accepted: its campaign may return, and a page may still show it.
      requireKnown(asked, (key) => set.categories.has(key) || Object.hasOwn(choices, key))
      const change = toChange(asked)
      const written = await sendRules.changePreferences(environmentId, userNo, change, clock.now())
      // The user was erased meanwhile, with the session.
      if (written === undefined) throw new ApiError('auth/invalid-session')
      if (written.first) bus.publish('send-rules-changed', { environmentId })
      return toAnswer(session, set, written.preferences)
    },
  }
}

function requireKnown({ categories }: PreferencesInput, isKnown: (key: string) => boolean): void {
  const message = 'This environment has no category of this key.'
  const details = (categories ?? []).flatMap(({ key }, at) =>
    isKnown(key) ? [] : [{ path: `categories[${at}].key`, message }],
  )
  if (details.length > 0) throw new ApiError('request/invalid-body', { details })
}

function toChange({ categories, quietHours }: PreferencesInput): PreferencesChange {
  // What is null stays as it is.
  const choices = (categories ?? []).map(({ key, channels }) => [
    key,
    Object.fromEntries(Object.entries(channels).filter(([, wanted]) => typeof wanted === 'boolean')),
  ])
  const hours = quietHours && { ...quietHours, timeZone: quietHours.timeZone ?? null }
  return { choices: Object.fromEntries(choices), ...(hours !== undefined && { quietHours: hours }) }
}

function switchesOf(wanted: Record<Channel, boolean>, sendable: readonly Channel[]): ChannelSwitches {
  const switches: ChannelSwitches = { inbox: wanted.inbox }
  for (const channel of sendable) switches[channel] = wanted[channel]
  return switches
}
