// What a user sets about being sent to: GET and PUT /v1/inbox/preferences (contract section 5). Holds on all nodes with its commit: each
// user's is read from the store; that an environment has its first one is a notice.

import type { Channel } from '../../../contract/delivery.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Categories } from '../../domain/sending/category.ts'
import { parsePreferences } from '../../domain/sending/parse-preferences.ts'
import { zoneOf } from '../../domain/sending/quiet-hours.ts'
import { NO_PREFERENCES, type Preferences, type SendRules } from '../../domain/sending/send-rules.ts'
import type { WidgetSession } from '../../domain/session.ts'
import type { Users } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LiveCampaigns } from '../tracking/live-campaigns.ts'

export interface PreferencesAnswer {
  categories: { key: string; name: string; critical: boolean; channels: Record<Channel, boolean> }[]
  quietHours: { start: string; end: string; timeZone: string } | null
}

export interface ManagePreferences {
  get(session: WidgetSession): Promise<PreferencesAnswer>
  /** What is not named stays. Throws `request/invalid-body` with details. */
  put(session: WidgetSession, body: Record<string, unknown>): Promise<PreferencesAnswer>
}

export interface ManagePreferencesDeps {
  sendRules: Pick<SendRules, 'findPreferences' | 'changePreferences'>
  users: Pick<Users, 'find'>
  live: Pick<LiveCampaigns, 'load'>
  bus: Pick<Bus, 'publish'>
  clock: Clock
}

export function createManagePreferences(deps: ManagePreferencesDeps): ManagePreferences {
  const { sendRules, live, clock, bus } = deps

  async function toAnswer(
    { environmentId, userId }: WidgetSession,
    categories: Categories,
    { choices, quietHours }: Preferences,
  ): Promise<PreferencesAnswer> {
    const shown = [...categories.values()].map(({ key, name, critical, channels }) => {
      // A critical one is sent whatever is set.
      const wanted = critical ? { inbox: true, email: true } : { ...channels, ...choices[key] }
      return { key, name, critical, channels: { inbox: wanted.inbox, email: wanted.email } }
    })
    if (quietHours === null) return { categories: shown, quietHours: null }
    const user = quietHours.timeZone === null ? await deps.users.find(environmentId, userId) : undefined
    const timeZone = zoneOf(quietHours, user?.timeZone ?? null)
    return { categories: shown, quietHours: { start: quietHours.start, end: quietHours.end, timeZone } }
  }

  return {
    async get(session) {
      const [{ categories }, stored] = await Promise.all([
        live.load(session.environmentId),
        sendRules.findPreferences(session.userNo),
      ])
      return toAnswer(session, categories, stored ?? NO_PREFERENCES)
    },

    async put(session, body) {
      const { environmentId, userNo } = session
      const { categories } = await live.load(environmentId)
      const { choices } = (await sendRules.findPreferences(userNo)) ?? NO_PREFERENCES
      // One that was set and whose campaign has ended meanwhile may come back, and a page may still show it.
      const change = parsePreferences(body, (key) => categories.has(key) || Object.hasOwn(choices, key))
      const written = await sendRules.changePreferences(environmentId, userNo, change, clock.now())
      // Erased meanwhile, and with the user the session.
      if (written === undefined) throw new ApiError('auth/invalid-session')
      if (written.first) bus.publish('send-rules-changed', { environmentId })
      return toAnswer(session, categories, written.preferences)
    },
  }
}
