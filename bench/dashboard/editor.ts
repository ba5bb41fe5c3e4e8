// Measures the campaign editor in Chromium with 200 steps: from a typed character to the picture, and to the preview beside it.

import type { Page } from 'puppeteer-core'
import { millis, type Row } from '../benchmark.ts'
import { median, percentile } from '../numbers.ts'

const STEPS = 200
const LEVELS = 8
const PICTURE_MS = 50
const PREVIEW_MS = 300
/** The step whose title is typed. */
const TYPED = 'Typed'

export interface EditedPlace {
  /** Of the service. */
  address: string
  sdkSecretKey: string
  editorOf(campaignId: string): string
}

/** @param page of somebody who has signed in */
export async function measureEditor(page: Page, place: EditedPlace, characters: number): Promise<Row[]> {
  const picture: number[] = []
  const preview: number[] = []
  await page.goto(place.editorOf(await createCampaign(place)))
  const item = await page.waitForSelector(`::-p-xpath(//*[@role="treeitem"][contains(., "${TYPED}")])`)
  await item?.focus()
  await item?.press('Enter')
  const title = await page.waitForSelector('nc-step-form nc-template-input input')
  await title?.focus()
  await page.keyboard.press('End')
  let written = TYPED
  for (let at = 0; at < characters; at++) {
    written += 'abcdefghij'[at % 10]
    await page.evaluate(`(${WATCH})(${JSON.stringify(written)})`)
    await page.keyboard.type(written.slice(-1))
    const times = await page.waitForFunction(TIMES)
    const { drawn, previewed } = (await times.jsonValue()) as { drawn: number; previewed: number }
    picture.push(drawn)
    preview.push(previewed)
  }
  return [...rowsOf('picture', picture, PICTURE_MS), ...rowsOf('preview', preview, PREVIEW_MS)]
}

/** Runs in the page: undefined until all is drawn. */
const TIMES = `(() => {
  const [typed, drawn, previewed] = ['typed', 'picture', 'preview'].map((name) => performance.getEntriesByName(name)[0]?.startTime)
  return typed && drawn && previewed && { drawn: drawn - typed, previewed: previewed - typed }
})()`

/** Runs in the page, as text: marks when a character is typed, and the tasks after the frames that drew it. */
const WATCH = `(written) => {
  performance.clearMarks()
  addEventListener('input', () => performance.mark('typed'), { capture: true, once: true })
  const textOf = (selector) => document.querySelector(selector)?.textContent ?? ''
  const preview = () => {
    const row = document.querySelector('nc-message-preview')?.shadowRoot?.querySelector('nc-row')
    return (row?.shadowRoot ?? row)?.textContent ?? ''
  }
  const watch = (name, isDrawn) => {
    if (isDrawn()) setTimeout(() => performance.mark(name))
    else requestAnimationFrame(() => watch(name, isDrawn))
  }
  watch('picture', () => textOf('nc-flow-editor').includes(written))
  watch('preview', () => preview().includes(written))
}`

async function createCampaign({ address, sdkSecretKey }: EditedPlace): Promise<string> {
  const answer = await fetch(`${address}/v1/campaigns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sdkSecretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'bench-edited', name: 'Edited', trigger: { event: 'bench.edited' }, steps: steps() }),
  })
  if (!answer.ok) throw new Error(`campaign not created: ${answer.status} ${await answer.text()}`)
  const { id } = (await answer.json()) as { id: string }
  return id
}

/** Branches in branches down to the last level, with the same number of messages on each. */
function steps(level = 1): object[] {
  const own = Array.from({ length: STEPS / LEVELS - 1 }, (_, at) => ({
    id: `message-${level}-${at}`,
    type: 'inbox',
    title: level === 1 && at === 0 ? TYPED : `Message ${at} of level ${level}`,
  }))
  if (level === LEVELS) return own
  const branches = [
    { key: 'many', when: `event.properties.total > ${level}`, steps: steps(level + 1) },
    { key: 'rest', else: true, steps: [] },
  ]
  return [...own, { id: `branch-${level}`, type: 'branch', branches }]
}

function rowsOf(what: string, times: number[], aimMs: number): Row[] {
  const value = percentile(times, 0.95)
  return [
    {
      what: `Editor with ${STEPS} steps on ${LEVELS} levels: a typed character to the ${what}, p95`,
      value: millis(value),
      aim: `≤ ${aimMs} ms`,
      isMet: value <= aimMs,
    },
    { what: '… p50', value: `${millis(median(times))} (${times.length} characters)` },
  ]
}
