// Tests by random steps that forms change nothing when they are opened, and that each control changes one value alone.

import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import { setAt } from '../editor/edits.ts'
import { type Draft, isObject, isWithin, type Path, readAt } from '../editor/step-tree.ts'
import { fieldId } from '../pages/editor/forms/form-context.ts'
import { oneOfEach } from './any-step.ts'
import { type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

const SEED = Number(process.env.NC_FORMS_SEED ?? 41)
const DRAFTS = Number(process.env.NC_FORMS_RUNS ?? 12)

let given: GivenDashboard
let page: Page
let faults: string[]
beforeAll(async () => {
  given = await givenDashboard()
  const body = { key: 'forms', name: 'Forms', trigger: { event: 'order.paid' }, steps: [{ id: 'end', type: 'exit' }] }
  const { id } = await given.call<CampaignAnswer>('POST', '/v1/campaigns', body)
  // The page has loaded the code of the forms, which are tried apart from its own draft.
  ;({ page, faults } = await visitSignedIn(given, given.address(`campaigns/${id}/edit`), 'Forms'))
  await page.locator('nc-campaign-form').waitFor()
})
afterAll(async () => {
  await page?.context().close()
  await given?.stop()
})

interface Change {
  path: Path
  value: unknown
  /** Of the control that was used. */
  control: string
}

/**
 * Runs in the page: opens the form of each step, uses each of its controls if it is told so, and closes it. Each control
 * meets the draft as it was.
 */
async function openForms({ draft, isUsed }: { draft: Draft; isUsed: boolean }): Promise<Change[]> {
  type Settling = HTMLElement & { updateComplete?: Promise<unknown> }
  type Form = Settling & Record<string, unknown>
  const changes: Change[] = []
  let control = ''

  async function settle(root: HTMLElement): Promise<void> {
    for (let pass = 0; pass < 5; pass++) {
      const inner = [root, ...root.querySelectorAll<HTMLElement>('*')] as Settling[]
      await Promise.all(inner.map((element) => element.updateComplete))
    }
  }

  async function open(path: Path): Promise<Form> {
    const form = document.createElement(path.length === 0 ? 'nc-campaign-form' : 'nc-step-form') as Form
    const step = path.length === 0 ? undefined : (draft.steps as unknown[])[path[1] as number]
    Object.assign(form, {
      ...{ draft, step, path, mayChange: true, faultAt: () => undefined, known: [] },
      choices: { enrichers: ['orders'], categories: [{ value: 'news', label: 'News' }] },
      change: (at: Path, value: unknown) => changes.push({ path: at, value, control }),
      rename: (at: Path, value: string) => changes.push({ path: [...at, 'id'], value, control }),
    })
    document.body.append(form)
    await settle(form)
    for (const details of form.querySelectorAll('details')) details.open = true
    return form
  }

  function use(element: HTMLElement): void {
    if (element instanceof HTMLSelectElement) {
      element.selectedIndex = (element.selectedIndex + 1) % element.options.length
      element.dispatchEvent(new Event('change', { bubbles: true }))
    } else if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      element.value += '7'
      element.dispatchEvent(new InputEvent('input', { bubbles: true }))
      element.dispatchEvent(new Event('change', { bubbles: true }))
    } else element.click()
  }

  const paths: Path[] = [[], ...(draft.steps as unknown[]).map((_, at) => ['steps', at])]
  for (const path of paths) {
    const first = await open(path)
    for (const tab of first.querySelectorAll<HTMLElement>('[role=tab]')) {
      tab.click()
      await settle(first)
    }
    const selector = 'input:not([readonly]), textarea, select, button:not([role=tab])'
    const count = first.querySelectorAll(selector).length
    first.remove()
    for (let at = 0; isUsed && at < count; at++) {
      const form = await open(path)
      for (const tab of [...form.querySelectorAll<HTMLElement>('[role=tab]')].slice(-1)) tab.click()
      await settle(form)
      const element = form.querySelectorAll<HTMLElement>(selector)[at]
      if (element !== undefined) {
        control = `${path} ${at} ${element.localName} ${element.id} ${element.getAttribute('aria-label') ?? element.textContent?.trim()}`
        use(element)
        await settle(form)
      }
      form.remove()
    }
  }
  return changes
}

const draftOf = (steps: unknown): Draft => ({
  key: 'a',
  trigger: { event: 'order.paid', where: 'event.properties.total>1' },
  more: 1,
  steps,
})

const drafts = fc.sample(oneOfEach, { seed: SEED, numRuns: DRAFTS }).map(draftOf)

/** All values that are no objects or lists, with their paths, in their order. */
function leavesOf(value: unknown, path: Path = []): [Path, unknown][] {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : undefined
  if (entries === undefined || entries.length === 0) return [[path, value]]
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

const isLeaf = (value: unknown) => typeof value !== 'object' || value === null

test(`forms that are opened and closed change nothing (seed ${SEED})`, async () => {
  for (const draft of drafts) expect(await page.evaluate(openForms, { draft, isUsed: false })).toEqual([])
  expect(faults).toEqual([])
})

test(`each control changes one value alone, and the order of keys stays (seed ${SEED})`, async () => {
  let used = 0
  for (const draft of drafts.slice(0, 4)) {
    const changes = await page.evaluate(openForms, { draft, isUsed: true })
    const controls = changes.map(({ control }) => control)
    expect(controls, 'a control that changes twice').toEqual([...new Set(controls)])
    for (const { path, value, control } of changes) {
      const after = setAt(draft, path, value)
      const [before, now] = [leavesOf(draft), leavesOf(after)]
      const outside = (leaves: [Path, unknown][]) => leaves.filter(([at]) => !isWithin(at, path) && !isWithin(path, at))
      expect(outside(now), control).toEqual(outside(before))
      const old = readAt(draft, path)
      const isText = /^\S+ \d+ (input|textarea) field-/.test(control) && control.includes(` ${fieldId(path)} `)
      // Conditions and durations are written by their own rules.
      const isOwn = ['where', 'when', 'for', 'timeout', 'window', 'expiresAfter', 'maxLateness'].includes(
        String(path.at(-1)),
      )
      if (typeof old === 'string' && isText && !isOwn) expect(value, control).toBe(`${old}7`)
      if (isLeaf(value) && value !== undefined) {
        const changed = now.filter(
          ([at, one]) => !before.some(([was, old]) => one === old && at.join('\n') === was.join('\n')),
        )
        expect(changed, control).toEqual([[path, value]])
      }
      used++
    }
  }
  expect(used).toBeGreaterThan(300)
  expect(faults).toEqual([])
})
