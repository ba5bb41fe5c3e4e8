// Tests by random edits of several editors and of the API at once, over a real server, that no edit of any of them is lost.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer, SavedCampaignAnswer } from '../../contract/resources/campaign.ts'
import { ApiFailure, createApiClient } from '../api/client.ts'
import { DraftSession } from '../editor/draft-session.ts'
import { insertSteps } from '../editor/edits.ts'
import type { KeptDraft } from '../editor/kept-drafts.ts'
import { type DraftStep, stepsAt } from '../editor/step-tree.ts'
import { type GivenDashboard, givenDashboard } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const EDITORS = 3

async function openEditor(id: string): Promise<DraftSession> {
  let kept: KeptDraft | undefined
  const { sdkSecretKey } = given.demo.environments.dev
  const client = createApiClient({
    fetch: (path, init) =>
      fetch(given.url + path, { ...init, headers: { ...init?.headers, authorization: `Bearer ${sdkSecretKey}` } }),
    renew: async () => false,
  })
  return DraftSession.open(
    { requestUpdate() {} },
    {
      read: () => client.get<CampaignAnswer>(`/v1/campaigns/${id}`),
      write: (draft, revision) => client.sendAt<SavedCampaignAnswer>(revision, 'PUT', `/v1/campaigns/${id}`, draft),
      kept: {
        read: async () => kept,
        async keep(next) {
          kept = next
        },
        async forget() {
          kept = undefined
        },
      },
      mayChange: true,
    },
  )
}

/** Each save may meet that of another one. */
async function saveAll(editor: DraftSession): Promise<void> {
  for (let attempts = 0; !(await editor.flush()); attempts++) {
    if (attempts === 50) throw new Error(`the editor does not save: ${editor.state.kind}`)
  }
}

const titled = (id: string): DraftStep => ({ id, type: 'inbox', title: id })

/** Writes the newest draft with one step more, as a program does that reads, changes and writes. */
async function addByApi(id: string, step: DraftStep): Promise<void> {
  const { sdkSecretKey } = given.demo.environments.dev
  for (;;) {
    const { draft, revision } = await given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)
    const answer = await fetch(`${given.url}/v1/campaigns/${id}`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${sdkSecretKey}`,
        'content-type': 'application/json',
        'if-match': `"${revision}"`,
      },
      body: JSON.stringify(insertSteps(draft, ['steps'], 0, [step])),
    })
    if (answer.ok) return
    if (answer.status !== 409) throw new ApiFailure(answer.status, {})
  }
}

test('steps that editors and the API add at once are all there in the end, once each', async () => {
  let number = 0
  const actions = fc.array(fc.record({ who: fc.nat(EDITORS), at: fc.nat(9), waits: fc.boolean() }), {
    minLength: 8,
    maxLength: 24,
  })
  const lives = fc.asyncProperty(actions, async (list) => {
    const key = `life-${number++}`
    const body = { key, trigger: { event: 'order.paid' }, steps: [titled('first')] }
    const { id } = await given.call<CampaignAnswer>('POST', '/v1/campaigns', body)
    const editors = await Promise.all(Array.from({ length: EDITORS }, () => openEditor(id)))
    const running: Promise<unknown>[] = []
    for (const [index, { who, at, waits }] of list.entries()) {
      const step = titled(`s${index}`)
      const editor = editors[who]
      if (editor === undefined) running.push(addByApi(id, step))
      else {
        const place = at % (stepsAt(editor.draft, ['steps']).length + 1)
        editor.edit(insertSteps(editor.draft, ['steps'], place, [step]), 'New step')
        if (waits) running.push(editor.flush())
      }
    }
    await Promise.all(running)
    for (const editor of editors) await saveAll(editor)
    const { draft } = await given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)
    const ids = (draft.steps as { id: string }[]).map((step) => step.id).sort()
    expect(ids).toEqual(['first', ...list.map((_, index) => `s${index}`)].sort())
    // Undo takes back the own edits alone.
    for (const [who, editor] of editors.entries()) {
      while (editor.undoable !== undefined) editor.undo()
      const left = new Set(stepsAt(editor.draft, ['steps']).map((step) => (step as DraftStep).id))
      for (const [index, action] of list.entries()) if (action.who === who) expect(left.has(`s${index}`)).toBe(false)
      await saveAll(editor)
    }
  })
  await fc.assert(lives, { numRuns: 20 })
})
