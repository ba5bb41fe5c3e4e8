// One window with the widget in it, and a person before it: looks, presses, keys, and what the page counted of the policy.

import { expect } from 'vitest'
import type { BrowserWindow } from '../../../tools/test/browsers/driver.ts'
import { extendTimeouts, NOTICE_MS } from '../../../tools/test/extend-timeouts.ts'
import { look, type Seen } from './seen.ts'

const WAIT_MS = 30_000
const LOOK_EACH_MS = 25

export interface Visit {
  window: BrowserWindow
  see(): Promise<Seen>
  /** Looks until it is so; fails with what was seen last. Answers what was seen. */
  until(what: string, isSo: (seen: Seen) => boolean): Promise<Seen>
  /** Presses what the selector finds in the element. */
  click(selector: string, at?: number): Promise<void>
  keys(...keys: string[]): Promise<void>
  /** Tab (or Shift+Tab) until this has the focus, which must show on all the way. */
  tabTo(focus: RegExp, key?: string): Promise<void>
  /** Loads the page anew, with the element of the same user in it. */
  reload(): Promise<void>
  /** What the policy refused and what was not caught on this page, and style attributes: nothing. */
  isClean(): Promise<void>
  close(): Promise<void>
}

export interface VisitOptions {
  url: string
  attributes: Record<string, string>
  /** Where in the page, when not in its header. */
  place?: string
}

export async function startVisit(window: BrowserWindow, { url, attributes }: VisitOptions): Promise<Visit> {
  const see = async (): Promise<Seen> => {
    const seen = await window.evaluate(look, 0)
    if (seen === null) throw new Error('The element is not in the page.')
    return seen
  }
  const until: Visit['until'] = async (what, isSo) => {
    const last = performance.now() + WAIT_MS
    for (;;) {
      const seen = await see()
      if (isSo(seen)) return seen
      if (performance.now() > last) throw new Error(`not in time: ${what}; ${JSON.stringify(seen)}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS))
    }
  }
  const keys = async (...each: string[]): Promise<void> => {
    for (const key of each) await window.press(key)
  }
  const enter = async (): Promise<void> => {
    await window.goto(url)
    // One press after the other takes longer than a word with "undo" stays.
    await window.evaluate(extendTimeouts, [NOTICE_MS])
    await window.evaluate(mountIn, attributes)
  }
  await enter()
  return {
    window,
    see,
    until,
    keys,
    reload: enter,
    click: async (selector, at = 0) => {
      const { x, y } = await window.evaluate(middleOf, selector, at)
      await window.clickAt(x, y)
    },
    tabTo: async (focus, key = 'Tab') => {
      const passed: string[] = []
      for (let presses = 0; presses < 40; presses++) {
        await keys(key)
        // What is scrolled into view may take its time.
        const seen = await until('the focus shows', ({ focus, isFocusShown }) => focus === 'page' || isFocusShown)
        passed.push(seen.focus)
        if (focus.test(seen.focus)) return
      }
      throw new Error(`${focus} was not reached by ${key}: ${passed.join(', ')}`)
    },
    isClean: async () => {
      // A page that a link has just led to may not have run its own script yet.
      await expect.poll(() => window.evaluate(() => document.readyState)).toBe('complete')
      const found = await window.evaluate(() => [
        ...(Reflect.get(globalThis, 'violations') as string[]),
        ...(Reflect.get(globalThis, 'defects') as string[]),
        ...[...document.querySelectorAll('notification-center')].flatMap((center) =>
          [...(center.shadowRoot?.querySelectorAll('[style]') ?? [])].map(({ outerHTML }) => outerHTML),
        ),
      ])
      expect(found).toEqual([])
    },
    close: () => window.close(),
  }
}

/** Runs in the page: puts the element where a site would. */
function mountIn(attributes: Record<string, string>): void {
  const center = document.createElement('notification-center')
  for (const [name, value] of Object.entries(attributes)) center.setAttribute(name, value)
  document.querySelector('#slot')?.append(center)
}

/** Runs in the page, once the thing is there: where a finger would press it. What slides, is drawn anew or gets its text drawn above it is pressed once it stands still, and what is off once it is on. */
async function middleOf(selector: string, at: number): Promise<{ x: number; y: number }> {
  const find = (): Element | undefined =>
    [...document.querySelectorAll('notification-center')]
      .flatMap((center) => [...(center.shadowRoot?.querySelectorAll(selector) ?? [])])
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))[at]
  // On a busy machine an animation may stand at its beginning for longer than 200 ms, until its first frame is drawn.
  const isMoving = (element: Element): boolean => {
    const animations = (element.getRootNode() as ShadowRoot).getAnimations()
    // One that follows a scrolling ends only at its end.
    const timed = animations.filter(
      ({ playState, timeline }) => playState === 'running' && timeline === document.timeline,
    )
    return timed.some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  }
  let before: Element | undefined
  let [x, y, stillMs] = [0, 0, 0]
  for (const end = performance.now() + 25_000; stillMs < 200; ) {
    if (performance.now() > end) throw new Error(`There is no ${selector}, it is off, or it does not stand still.`)
    const found = find()
    found?.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = found?.getBoundingClientRect() ?? new DOMRect()
    const now = { x: left + width / 2, y: top + height / 2 }
    const isSame = found !== undefined && found === before && now.x === x && now.y === y
    const isReady = isSame && !found.matches(':disabled, [aria-disabled=true]') && !isMoving(found)
    stillMs = isReady ? stillMs + 25 : 0
    before = found
    ;({ x, y } = now)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return { x, y }
}
