// Tests reports of a message that another node writes while the batch is read.

import { expect, test } from 'vitest'
import type { DeliveryPlan } from '../../../domain/plan.ts'
import { createTally } from './counters.ts'
import { createDeliveryRows } from './delivery-rows.ts'
import { createInboxWork } from './inbox-work.ts'
import { createMailFetches } from './mail-fetches.ts'
import { recordDelivery } from './record-delivery.ts'
import { createStepTally } from './step-tally.ts'
import { emptyHead, type WorkingMessage } from './working-rows.ts'

const MESSAGE: WorkingMessage = {
  ...{ id: 1, environmentId: 2, userNo: 3, seq: 1, campaignId: 4, version: 1, branch: null, stepId: 's' },
  ...{
    channel: 'inbox',
    isTest: false,
    createdAt: 0,
    collapseKey: null,
    section: 0,
    deliveredAt: 0,
    expiresAt: null,
    dueAt: null,
  },
  ...{ unopened: true, readAt: null, openedAt: null, clickedAt: null, archivedAt: null, snoozedUntil: null },
  ...{ removedAt: null, rowState: 'same' },
}
const ITEM = { messageId: 1, occurredAt: 5, automated: false, source: 'api', link: null }
const PLAN: DeliveryPlan = {
  ...{ kind: 'deliver', environmentId: 2, userNo: null, now: 5 },
  items: [{ ...ITEM, eventType: 'read' }],
}

test.each([
  [true, 'recorded'],
  [false, 'missing'],
])('with its inbox locked: %s, the report is %s', (isLocked, result) => {
  const inboxes = createInboxWork('epoch')
  if (isLocked) inboxes.addHead({ ...emptyHead(MESSAGE), rowState: 'same' })
  inboxes.addMessage({ ...MESSAGE })
  const work = {
    inboxes,
    events: createDeliveryRows(),
    fetches: createMailFetches(),
    tally: createTally(),
    steps: createStepTally(0),
  }
  expect(recordDelivery(work, PLAN).results).toEqual([result])
})
