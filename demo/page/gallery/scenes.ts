// Lists every state of the element and the events, keys, presses and network failures that produce it.

import { ARRIVAL, FEW, many } from './inbox.ts'
import type { Stage } from './stage.ts'

export interface Scene {
  name: string
  title: string
  note: string
  /** Events sent to the user before; default one of each kind. */
  inbox?: Record<string, unknown>[]
  attributes?: Record<string, string>
  /** How the element signs in; default with a valid token. */
  sign?: 'never' | 'wrongly'
  /** Makes the frame as wide as a phone. */
  isPhone?: boolean
  /** Shows only the header of the page. */
  isLow?: boolean
  /** Runs before the element signs in. */
  before?(stage: Stage): void
  act?(stage: Stage): Promise<void> | void
}

const byKeys =
  (...keys: string[]) =>
  async (stage: Stage): Promise<void> => {
    await stage.listed()
    stage.press(...keys)
  }
const listed = (stage: Stage): Promise<void> => stage.listed()
const DAYS = [0, 0, 1, 1, 4, 30, 400]

const BELL: Scene[] = [
  { name: 'bell', title: 'Bell', note: 'Nothing new.', inbox: [], isLow: true },
  { name: 'badge', title: 'Badge', note: 'The number of unread ones.', isLow: true },
  { name: 'badge-99', title: 'Badge, very many', note: 'Never wider than this.', inbox: many(120), isLow: true },
  {
    name: 'arrival',
    title: 'Arrival',
    note: 'The bell rings once. Open the frame anew to see it again.',
    isLow: true,
    act: (stage) => stage.send(ARRIVAL),
  },
  {
    name: 'own-bell',
    title: 'Your own bell',
    note: 'In the slot “bell”.',
    isLow: true,
    before({ center }) {
      const button = document.createElement('button')
      button.slot = 'bell'
      button.className = 'button solid small'
      button.textContent = 'News'
      center.append(button)
    },
  },
]

const LIST: Scene[] = [
  { name: 'list', title: 'List', note: 'Icons, an avatar, dots, actions.', act: listed },
  { name: 'days', title: 'Days', note: 'Grouped by day.', before: (stage) => stage.age(DAYS), act: listed },
  {
    name: 'keyboard',
    title: 'By keyboard',
    note: 'A row in focus shows what can be done.',
    act: byKeys('ArrowDown', 'j'),
  },
  {
    name: 'tabs',
    title: 'Categories',
    note: 'Tabs; those without room fade.',
    async act(stage) {
      await stage.listed()
      await stage.click('.tab:nth-child(3)')
      ;(await stage.sees('.tabs')).scrollLeft = 120
    },
  },
  { name: 'long', title: 'Long list', note: 'Few rows are in the page.', inbox: many(300), act: listed },
  {
    name: 'own-rows',
    title: 'Your own rows',
    note: '`renderRow`; dot and keys stay.',
    before({ center }) {
      center.className = 'own-rows'
      center.renderRow = ({ title }) => {
        const row = document.createElement('div')
        row.textContent = title
        return row
      }
    },
    act: listed,
  },
  { name: 'inline', title: 'Inline', note: 'Always shown.', attributes: { mode: 'inline' } },
]

const ACTIONS: Scene[] = [
  { name: 'detail', title: 'Detail', note: 'Markdown, a link, actions.', act: openRow('Welcome') },
  { name: 'detail-photo', title: 'Detail with a photograph', note: 'Its box is there first.', act: openRow('Ada') },
  { name: 'undo', title: 'Archived', note: 'Undo for five seconds.', act: byKeys('ArrowDown', 'e') },
  {
    name: 'archived',
    title: 'Archive',
    note: 'And back from it.',
    async act(stage) {
      await byKeys('ArrowDown', 'e')(stage)
      await stage.click('.tab:last-child')
      await stage.sees('article.row')
      stage.press('ArrowDown')
    },
  },
  { name: 'snooze', title: 'Snooze', note: 'Presets, and a time.', act: byKeys('ArrowDown', 'h') },
  {
    name: 'snoozed',
    title: 'Snoozed',
    note: 'Until when.',
    async act(stage) {
      await byKeys('ArrowDown', 'h')(stage)
      await stage.click('.choice:nth-of-type(2)')
      await stage.click('.tab:nth-last-child(2)')
      await stage.sees('article.row')
    },
  },
  { name: 'selection', title: 'Several at once', note: 'Chosen by x.', act: byKeys('ArrowDown', 'x', 'j', 'x') },
  { name: 'keys', title: 'Keys', note: 'Shown by ?.', act: byKeys('?') },
  {
    name: 'preferences',
    title: 'Preferences',
    note: 'Categories by channel, quiet hours.',
    async act(stage) {
      await stage.listed()
      await stage.click('.gear')
      const quiet = (await stage.sees('.quiet .switch')) as HTMLInputElement
      if (!quiet.checked) quiet.click()
      await stage.sees('.hours')
    },
  },
]

const PROBLEMS: Scene[] = [
  { name: 'empty', title: 'Empty', note: 'All caught up.', inbox: [], act: ({ center }) => center.show() },
  {
    name: 'loading',
    title: 'Loading',
    note: 'Until the first answer.',
    sign: 'never',
    act: ({ center }) => center.show(),
  },
  {
    name: 'offline',
    title: 'Offline',
    note: 'What was saved stays.',
    async act(stage) {
      await stage.listed()
      stage.cut()
      await stage.sees('[part~=offline]')
    },
  },
  {
    name: 'list-error',
    title: 'A list that fails',
    note: 'Try again.',
    before: (stage) => stage.refuse('filter=archived', 400),
    async act(stage) {
      await stage.listed()
      await stage.click('.tab:last-child')
      await stage.sees('[part~=error]')
    },
  },
  {
    name: 'more-error',
    title: 'A list that cannot go on',
    note: 'What is there stays.',
    inbox: many(60),
    before: (stage) => stage.refuse('cursor=', 400),
    async act(stage) {
      await stage.listed()
      // Without it, the first eight rows are the whole list, and their end is not the end of the loaded rows.
      await stage.sees('.windowed')
      ;(await stage.sees('.scroller')).scrollTop = 1e6
      ;(await stage.sees('.more')).scrollIntoView()
    },
  },
  {
    name: 'unreachable',
    title: 'Out of reach, with nothing stored',
    note: 'It goes on trying by itself.',
    inbox: [],
    before: (stage) => stage.refuse('/v1/users/auth', 503, 'POST'),
    async act(stage) {
      stage.center.show()
      await stage.sees('[part~=empty] .button')
    },
  },
  {
    name: 'preferences-error',
    title: 'Preferences that fail',
    note: 'Try again.',
    before: (stage) => stage.refuse('/v1/inbox/preferences', 503),
    async act(stage) {
      await stage.listed()
      await stage.click('.gear')
      await stage.sees('.settings [part~=error]')
    },
  },
  {
    name: 'rolled-back',
    title: 'Refused',
    note: 'Put back, with a word.',
    before: (stage) => stage.refuse('/v1/inbox/messages/', 403, 'PATCH'),
    async act(stage) {
      await byKeys('ArrowDown', 'u')(stage)
      await stage.sees('.notice')
    },
  },
  {
    name: 'refused',
    title: 'Sign-in refused',
    note: 'With its code.',
    sign: 'wrongly',
    act: ({ center }) => center.show(),
  },
  {
    name: 'signed-out',
    title: 'Signed out',
    note: 'Until a credential is set anew.',
    async act({ center }) {
      await center.signOut()
      center.show()
    },
  },
  {
    name: 'toasts',
    title: 'Toasts',
    note: 'For what is urgent, while the panel is closed.',
    attributes: { toasts: 'all' },
    inbox: [],
    async act(stage) {
      await stage.send([...FEW.slice(3, 4), ...FEW.slice(5, 6), ...ARRIVAL])
      await stage.sees('[part~=toast]')
    },
  },
]

const PLACES: Scene[] = [
  { name: 'phone', title: 'Phone', note: 'A sheet over the whole screen.', isPhone: true, act: listed },
  { name: 'dark', title: 'Dark', note: '`theme="dark"`.', attributes: { theme: 'dark' }, act: listed },
  { name: 'rtl', title: 'Right to left', note: 'Arabic.', attributes: { locale: 'ar' }, act: byKeys('ArrowDown') },
  {
    name: 'german',
    title: 'German',
    note: 'Longer words.',
    attributes: { locale: 'de' },
    act: byKeys('ArrowDown', 'h'),
  },
]

export const GROUPS: [title: string, scenes: Scene[]][] = [
  ['The bell', BELL],
  ['The list', LIST],
  ['Actions', ACTIONS],
  ['Empty states and problems', PROBLEMS],
  ['Elsewhere', PLACES],
]

export const SCENES: Scene[] = GROUPS.flatMap(([, scenes]) => scenes)

/** Opens the message whose title contains this text. */
function openRow(words: string): (stage: Stage) => Promise<void> {
  return async (stage) => {
    await stage.listed()
    const row = await stage.sees('article.row', words)
    row.click()
    await stage.sees('[part~=detail]')
  }
}
