// Tests that a stop waits only for the mails that a mail server has in hand, and that the others are sent after the next start.

import { expect, test } from 'vitest'
import { addSmtp } from '../support/add-integration.ts'
import { givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { givenSmtp } from '../support/given-smtp.ts'

const MAILS = 60
/** A route sends so many at a time (`flow/mail/route-slots.ts`). */
const AT_ONCE = 10

test('a stop waits for no mail that waits for a slow mail server', async () => {
  const smtp = await givenSmtp()
  const answers: (() => void)[] = []
  smtp.behave = () => new Promise((resolve) => answers.push(() => resolve('take')))
  const given = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' })
  await givenNc(given.settings).json(`env set-sandbox --env ${given.demo.environments.dev.id} --mode off`)
  await addSmtp(given, smtp)
  const mail = { id: 'mail', type: 'email', subject: 'Hello', markdown: 'Hello' }
  await given.publish({ key: 'slow', name: 'slow', trigger: { event: 'slow' }, steps: [mail] })
  for (let n = 0; n < MAILS; n++) {
    await given.track({ name: 'slow', userId: `u${n}`, user: { email: `u${n}@example.org` } })
  }
  await expect.poll(() => answers.length).toBe(AT_ONCE)
  const stopped = given.edge.close()
  const answerAll = setInterval(() => {
    for (const answer of answers.splice(0)) answer()
  }, 10)
  await stopped
  // A few more may have begun before the mails learned of the stop.
  expect(smtp.mails.length).toBeLessThan(MAILS / 2)
  await given.restart()
  await expect.poll(() => new Set(smtp.mails.map(({ to }) => to[0])).size).toBe(MAILS)
  expect(smtp.mails).toHaveLength(MAILS)
  clearInterval(answerAll)
  await given.stop()
  await smtp.stop()
})
