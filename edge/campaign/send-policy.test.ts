// Tests the send policy: what prevents a message, in which order, and which messages are sent all the same.

import { describe, expect, test } from 'vitest'
import { byChannel } from '../../contract/delivery.ts'
import { notificationConfigContent } from '../../contract/resources/notification-config.ts'
import type { LiveCampaign } from '../domain/campaign.ts'
import { categoriesOf } from '../domain/sending/category.ts'
import type { SendRulesOfUser, Suppression } from '../domain/sending/send-rules.ts'
import type { NotificationConfig } from '../domain/tenant/notification-config.ts'
import { parseDefinition } from './definition.ts'
import { createSendPolicy, type SendQuestion } from './send-policy.ts'

const NIGHT = { start: '22:00', end: '07:00', timeZone: null }
const DAY = Date.UTC(2026, 4, 1, 12)
const LATE = Date.UTC(2026, 4, 1, 23)
const channels = (inbox: boolean, email: boolean) => ({ ...byChannel(() => inbox), email })
const BY_DEFAULT = byChannel(({ defaultOn }) => defaultOn)
const categories = new Map(
  [
    { key: 'news', name: 'News', critical: false, channels: channels(true, true) },
    { key: 'digest', name: 'Digest', critical: false, channels: channels(true, false) },
    { key: 'offers', name: 'Offers', critical: false, channels: channels(true, true), quietHours: 'drop' as const },
    { key: 'security', name: 'Security', critical: true, channels: channels(true, true) },
  ].map((one) => [one.key, one]),
)
const NOTHING: SendRulesOfUser = { choices: {}, quietHours: null, suppressions: [] }

function suppressed(reason: Suppression['reason'], channel: Suppression['channel'] = 'email'): SendRulesOfUser {
  return { ...NOTHING, suppressions: [{ channel, reason, mayPass: reason === 'unsubscribe', createdAt: 1 }] }
}

function judge(rules: Partial<SendRulesOfUser> | undefined, question: Partial<SendQuestion>): string {
  const policy = createSendPolicy(categories, rules && { ...NOTHING, ...rules }, null)
  const verdict = policy.judge({ channel: 'email', category: 'news', at: DAY, ...question })
  return verdict.verdict === 'skip' ? verdict.statusReason : verdict.verdict
}

const off = (key: string) => ({ choices: { [key]: channels(false, false) } })

describe('a send policy', () => {
  test.each<[string, Partial<SendRulesOfUser> | undefined, Partial<SendQuestion>, string]>([
    ['sends to who has shown nothing', undefined, {}, 'send'],
    ['sends what belongs to no category', off('news'), { category: null }, 'send'],
    ['sends what belongs to a category that nobody knows', off('news'), { category: 'other' }, 'send'],
    ['keeps what the user does not want', off('news'), {}, 'preference'],
    ['keeps it on that channel alone', { choices: { news: { email: false } } }, { channel: 'inbox' }, 'send'],
    ['keeps a category that is off until wanted', undefined, { category: 'digest' }, 'preference'],
    ['sends it to who wants it', { choices: { digest: { email: true } } }, { category: 'digest' }, 'send'],
    ['sends a critical one that the user does not want', off('security'), { category: 'security' }, 'send'],
    ['delays mail in quiet hours', { quietHours: NIGHT }, { at: LATE }, 'delay'],
    ['drops mail of a category that says so', { quietHours: NIGHT }, { at: LATE, category: 'offers' }, 'quiet-hours'],
    ['sends mail outside of them', { quietHours: NIGHT }, {}, 'send'],
    ['sends to the inbox in quiet hours', { quietHours: NIGHT }, { at: LATE, channel: 'inbox' }, 'send'],
    ['delays mail of no category in quiet hours', { quietHours: NIGHT }, { at: LATE, category: null }, 'delay'],
    ['sends a critical one in quiet hours', { quietHours: NIGHT }, { at: LATE, category: 'security' }, 'send'],
    ['keeps mail to a suppressed one', suppressed('manual'), {}, 'suppressed'],
    ['keeps a suppressed channel alone', suppressed('manual'), { channel: 'inbox' }, 'send'],
    ['keeps a suppressed inbox', suppressed('manual', 'inbox'), { channel: 'inbox' }, 'suppressed'],
    ['says suppressed before preference', { ...suppressed('bounce'), ...off('news') }, {}, 'suppressed'],
    ['keeps a critical mail that bounced', suppressed('bounce'), { category: 'security' }, 'suppressed'],
    ['sends a critical one to who left', suppressed('unsubscribe'), { category: 'security' }, 'send'],
    ['keeps another to who left', suppressed('unsubscribe'), {}, 'suppressed'],
    ['says preference before quiet hours', { ...off('news'), quietHours: NIGHT }, { at: LATE }, 'preference'],
  ])('%s', (_, rules, question, wanted) => {
    expect(judge(rules, question)).toBe(wanted)
  })

  test('a delay ends with the quiet hours', () => {
    const policy = createSendPolicy(categories, { ...NOTHING, quietHours: NIGHT }, null)
    const verdict = policy.judge({ channel: 'email', category: 'news', at: LATE })
    expect(verdict).toEqual({ verdict: 'delay', until: Date.UTC(2026, 4, 2, 7) })
  })

  test('quiet hours follow the zone of the user, and return their end', () => {
    const policy = createSendPolicy(categories, { ...NOTHING, quietHours: NIGHT }, 'America/New_York')
    expect(policy.findQuietEnd(LATE)).toBeNull()
    expect(policy.findQuietEnd(Date.UTC(2026, 4, 2, 3))).toBe(Date.UTC(2026, 4, 2, 11))
    expect(createSendPolicy(categories, undefined, null).findQuietEnd(LATE)).toBeNull()
  })
})

describe('categories of an environment', () => {
  function live(id: number, category: string | null, notificationConfigId: string | null): LiveCampaign {
    const definition = parseDefinition({
      key: `c${id}`,
      category,
      notificationConfigId,
      trigger: { event: 'e' },
      steps: [{ id: 's', type: 'inbox', title: 't' }],
    })
    const record = { id, environmentId: 7, key: `c${id}`, name: 'c', category, status: 'active' as const }
    const rest = { currentVersion: 1, drains: false, resumedAt: null }
    return {
      campaign: { ...record, ...rest, createdAt: 0, updatedAt: 0 },
      version: 1,
      definition,
    }
  }
  async function config(...shown: object[]): Promise<NotificationConfig> {
    const content = notificationConfigContent.parse({ name: 'x', categories: shown })
    return { ...content, id: 1, organisationId: 1, createdAt: 0, updatedAt: 0 }
  }

  test('are those of its campaigns, with names of a config; one that marks a category critical decides for all', async () => {
    const configs = new Map([
      ['cfg_a', await config({ key: 'news', name: 'News', channels: { email: false } }, { key: 'unused' })],
      ['cfg_b', await config({ key: 'news', name: 'Other news', critical: true }, { key: 'bills', critical: true })],
    ])
    const found = categoriesOf(
      [
        live(3, 'news', 'cfg_b'),
        live(1, 'news', null),
        live(2, 'news', 'cfg_a'),
        live(4, 'bills', 'cfg_a'),
        live(5, null, null),
      ],
      configs,
    )
    expect([...found.values()]).toEqual([
      { key: 'news', name: 'News', critical: true, channels: { ...BY_DEFAULT, email: false }, quietHours: 'delay' },
      { key: 'bills', name: 'bills', critical: false, channels: BY_DEFAULT },
    ])
  })

  test('begin with those of the config of the environment, which applies to campaigns without one', async () => {
    const own = await config(
      { key: 'tips', name: 'Tips' },
      { key: 'news', name: 'News of ours', channels: { email: false } },
      { key: 'bills', critical: true },
    )
    const configs = new Map([['cfg_a', await config({ key: 'news', name: 'News' }, { key: 'bills', name: 'Bills' })]])
    const shown = (...found: LiveCampaign[]) =>
      [...categoriesOf(found, configs, own).values()].map(({ key, name, critical, channels }) =>
        [key, name, critical ? 'critical' : '', channels.email ? '' : 'no mail']
          .filter((word) => word !== '')
          .join(', '),
      )
    const none = ['tips, Tips', 'news, News of ours, no mail', 'bills, bills, critical']
    expect(shown()).toEqual(none)
    expect(shown(live(1, 'news', null), live(2, 'news', 'cfg_a'))).toEqual(none)
    // The older campaign's config has its own name for the category; a category that is critical anywhere stays
    // critical.
    expect(
      shown(live(1, 'news', 'cfg_a'), live(2, 'news', null), live(3, 'bills', 'cfg_a'), live(4, 'more', null)),
    ).toEqual(['tips, Tips', 'news, News', 'bills, Bills, critical', 'more, more'])
  })
})
