// Every state of the widget, and how a person or the service brings it about: what the matrix of access walks through.

import type { Page, Route } from 'playwright-core'

/** The user whose inbox a state shows. `none` has no message, `refused` a token that nobody minted. */
export type Visitor = 'full' | 'none' | 'refused'

export interface AccessState {
  name: string
  visitor: Visitor
  attributes?: Record<string, string>
  /** On a phone: a sheet over the whole page. */
  isPhone?: true
  /** The element was there before, and has kept the list. */
  isStored?: true
  /** Answers of the service that this state needs. */
  service?: Record<string, (route: Route) => Promise<void> | void>
  /** From the closed bell of a user who is signed in. */
  enter(scene: Scene): Promise<void>
  /** Stands in the element while the state lasts. */
  marker: string
}

export interface Scene {
  page: Page
  track(name: string): Promise<void>
}

const inside = (page: Page, selector: string) => page.locator(`notification-center ${selector}`).first()

async function opened({ page }: Scene): Promise<void> {
  await inside(page, '[part~=bell]').click()
  await inside(page, '.panel').waitFor()
}
async function listed(scene: Scene): Promise<void> {
  await opened(scene)
  await inside(scene.page, 'article.row').waitFor()
}
/** In the list, these keys one after the other. */
const byKeys =
  (...keys: string[]) =>
  async (scene: Scene): Promise<void> => {
    await listed(scene)
    for (const key of keys) await scene.page.keyboard.press(key)
  }
const tabAt = (name: string) => async (scene: Scene) => {
  await listed(scene)
  await inside(scene.page, `[role=tab] >> text="${name}"`).click()
}
/** Of a list that was not read before, nothing is known. */
async function archiveOfNone(scene: Scene): Promise<void> {
  await opened(scene)
  await inside(scene.page, '[role=tab] >> text="Archived"').click()
}
async function inDetail(scene: Scene): Promise<void> {
  await listed(scene)
  await inside(scene.page, 'article.row').click()
}
async function inSettings(scene: Scene): Promise<void> {
  await listed(scene)
  await inside(scene.page, '.gear').click()
  const quiet = inside(scene.page, '.quiet .switch')
  await quiet.waitFor()
  if (!(await quiet.isChecked())) await quiet.click()
}

const answers = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    headers: { 'access-control-allow-origin': '*' },
    json: { code, message: '', correlationId: 'access' },
  })
const broken = answers(500, 'other/unknown')
const noAnswer = (): void => {}
const unreachable = (route: Route) => route.abort()

const full = 'full' as const
export const ACCESS_STATES: AccessState[] = [
  { name: 'bell without a badge', visitor: 'none', enter: async () => {}, marker: '[part~=badge][hidden]' },
  { name: 'bell with a badge', visitor: full, enter: async () => {}, marker: '[part~=badge]:not([hidden])' },
  { name: 'empty', visitor: 'none', enter: opened, marker: '[part~=empty]' },
  {
    name: 'loading',
    visitor: 'none',
    service: { '**/v1/inbox/messages?*filter=archived*': noAnswer },
    enter: archiveOfNone,
    marker: '.bone',
  },
  { name: 'list with days and categories', visitor: full, enter: listed, marker: '.day' },
  { name: 'a row in focus', visitor: full, enter: byKeys('ArrowDown'), marker: 'article.row:focus-visible' },
  { name: 'several chosen', visitor: full, enter: byKeys('ArrowDown', 'x', 'j', 'x'), marker: '.bulk' },
  { name: 'times to snooze to', visitor: full, enter: byKeys('ArrowDown', 'h'), marker: '.sheet' },
  { name: 'keys', visitor: full, enter: byKeys('?'), marker: '.keys' },
  { name: 'detail', visitor: full, enter: inDetail, marker: '[part~=detail]' },
  { name: 'settings', visitor: full, enter: inSettings, marker: '.hours' },
  { name: 'snoozed', visitor: full, enter: tabAt('Snoozed'), marker: 'article.row' },
  { name: 'archived', visitor: full, enter: tabAt('Archived'), marker: 'article.row' },
  {
    name: 'word with undo',
    visitor: full,
    enter: async (scene) => {
      await byKeys('ArrowDown', 'u', 'u', 'e')(scene)
      // Pointed at, it stays.
      await inside(scene.page, '.notice').hover()
    },
    marker: '.notice .link',
  },
  {
    name: 'list that failed',
    visitor: 'none',
    service: { '**/v1/inbox/messages?*filter=archived*': answers(400, 'request/invalid-cursor') },
    enter: archiveOfNone,
    marker: '[part~=error] .button',
  },
  {
    name: 'out of reach, with nothing stored',
    visitor: 'none',
    service: { '**/v1/inbox/messages?*filter=archived*': broken },
    enter: archiveOfNone,
    marker: '[part~=empty] .button',
  },
  {
    name: 'settings that failed',
    visitor: full,
    service: { '**/v1/inbox/preferences?*': broken },
    enter: async (scene) => {
      await listed(scene)
      await inside(scene.page, '.gear').click()
    },
    marker: '.settings [part~=error]',
  },
  {
    name: 'offline',
    visitor: full,
    isStored: true,
    service: { '**/v1/**': unreachable },
    enter: listed,
    marker: '[part~=offline]',
  },
  { name: 'sign-in refused', visitor: 'refused', enter: opened, marker: '[part~=error] .reference' },
  {
    name: 'signed out',
    visitor: full,
    enter: async (scene) => {
      await listed(scene)
      await scene.page.evaluate(async () => {
        const center = document.querySelector('notification-center')
        await Reflect.get(center ?? {}, 'signOut').call(center)
      })
    },
    marker: '[part~=empty] .state-title',
  },
  {
    name: 'toast',
    visitor: full,
    attributes: { toasts: 'all' },
    enter: ({ track }) => track('release.published'),
    marker: '[part~=toast]',
  },
  { name: 'inline', visitor: full, attributes: { mode: 'inline' }, enter: async () => {}, marker: 'article.row' },
  { name: 'list on a phone', visitor: full, isPhone: true, enter: listed, marker: 'article.row' },
  { name: 'detail on a phone', visitor: full, isPhone: true, enter: inDetail, marker: '[part~=detail]' },
]
