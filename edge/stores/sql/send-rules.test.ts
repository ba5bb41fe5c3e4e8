// Tests on SQLite that suppressions from before addresses were compared with their domain in ASCII still hold.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { givenRecorder } from '../test/given-recorder.ts'
import { createSendRules, sendRulesWrites } from './send-rules.ts'
import type { WriteContext } from './write.ts'

const ENVIRONMENT = 7
const SPELLINGS = ['ada@bücher.example', 'Ada@xn--bcher-kva.example']

test.each(SPELLINGS)(
  'a suppression that was stored for %s is found, kept and released in both spellings',
  async (stored) => {
    const { sql, connection } = await givenRecorder(0)
    const context = { sql } as WriteContext
    const rules = createSendRules(sql, {
      changePreferences: (...args) => sendRulesWrites.changePreferences(context, ...args),
      suppress: (...args) => sendRulesWrites.suppress(context, ...args),
      releaseSuppressed: (...args) => sendRulesWrites.releaseSuppressed(context, ...args),
    })
    const hash = createHash('sha256').update(`${ENVIRONMENT}\n${stored.toLowerCase()}`).digest('hex')
    const store = () =>
      sql.run('INSERT INTO suppression (environment_id, subject, channel, reason, created_at) VALUES (?, ?, ?, ?, ?)', [
        ...[ENVIRONMENT, `address:${hash}`, 'email', 'bounce', 3],
      ])
    for (const address of SPELLINGS) {
      await store()
      const subject = { environmentId: ENVIRONMENT, channel: 'email', address } as const
      expect(await rules.suppress(subject, 'manual', 5)).toMatchObject({ added: false })
      expect(await rules.listOf(subject)).toMatchObject([{ reason: 'bounce', createdAt: 3 }])
      const found = await rules.findMany(ENVIRONMENT, [{ userId: 'ada', email: address }])
      expect(found).toMatchObject([{ suppressions: [{ reason: 'bounce' }] }])
      expect(await rules.release(subject)).toBe(true)
      expect(await rules.listOf(subject)).toEqual([])
    }
    connection.close()
  },
)
