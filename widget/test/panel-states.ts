// Takes an open panel through its states within the page, and looks at each: a driver would take a dozen calls for one state.

import type { Page } from 'playwright-core'

export interface PanelState {
  name: string
  /** Pressed one after the other, where the focus is. */
  keys?: readonly string[]
  /** Clicked instead. */
  click?: string
  /** What is there once the state has begun. */
  shown: string
  /** The key that ends it, after which `shown` is gone; absent: it stays. */
  end?: string
}

export const DETAIL: PanelState = { name: 'detail', keys: ['Home', 'Enter'], shown: '.toolbar', end: 'Escape' }
export const SNOOZE: PanelState = { name: 'snooze', keys: ['Home', 'h'], shown: '.sheet', end: 'Escape' }
export const SELECTION: PanelState = { name: 'selection', keys: ['Home', 'x', 'j', 'x'], shown: '.bulk', end: 'Escape' }
export const KEYS: PanelState = { name: 'keys', keys: ['?'], shown: '.keys', end: 'Escape' }
export const SETTINGS: PanelState = { name: 'settings', click: '.gear', shown: '.quiet', end: 'Escape' }
export const NOTICE: PanelState = { name: 'notice', keys: ['Home', 'e'], shown: '.notice', end: 'z' }

/** @param look Runs in the page, as text: an expression that lists what is wrong. @returns what is wrong, by the state's name */
export async function lookAtStates(page: Page, states: readonly PanelState[], look: string): Promise<string[]> {
  // With a real key the browser shows where the focus is.
  await page.keyboard.press('End')
  return page.evaluate(`(${walkStates})(${JSON.stringify(states)}, () => ${look})`)
}

/** Runs in the page. */
async function walkStates(states: readonly PanelState[], look: () => string[]): Promise<string[]> {
  const shadow = document.querySelector('notification-center')?.shadowRoot as ShadowRoot
  const find = (selector: string) =>
    [...shadow.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility({ visibilityProperty: true }))
  const press = (key: string): void => {
    const target = shadow.activeElement ?? shadow.querySelector('.panel')
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }))
  }
  const until = async (what: string, isSo: () => boolean): Promise<void> => {
    for (const end = performance.now() + 30_000; !isSo(); await new Promise((resolve) => setTimeout(resolve, 5))) {
      if (performance.now() > end) throw new Error(`not in time: ${what}`)
    }
  }
  /** A frame with all that its layout brings about. */
  const drawn = async (): Promise<void> => {
    await new Promise(requestAnimationFrame)
    await new Promise((resolve) => setTimeout(resolve))
  }
  const found: string[] = []
  for (const { name, keys = [], click, shown, end } of states) {
    for (const key of keys) {
      press(key)
      await drawn()
    }
    if (click !== undefined) {
      await until(click, () => find(click) !== undefined)
      find(click)?.click()
    }
    await until(`${name}: ${shown}`, () => find(shown) !== undefined)
    await drawn()
    found.push(...look().map((fault) => `${name}: ${fault}`))
    if (end === undefined) continue
    press(end)
    await until(`the end of ${name}`, () => find(shown) === undefined)
  }
  return found
}
