// Records changes of users and topics in the audit log, and removes erased users from it.

import type { UserAudit } from '../../domain/user.ts'
import { recordAudit } from './audit.ts'
import type { WriteContext } from './write.ts'

/** Characters of a difference that the log keeps; it ends with a whole line, so that an erasure finds each user. */
const DIFFERENCE_CHARS = 4000

export interface UserChange {
  action: 'user.create' | 'user.change' | 'topic.change'
  /** The id of the user, or the key of the topic. */
  subject: string
}

/** Writes the entry of a change, with one line for each difference. */
export async function recordUserChange(
  context: WriteContext,
  environmentId: number,
  { correlationId, ...by }: UserAudit,
  change: UserChange,
  difference: string[],
): Promise<void> {
  const detail = { difference: shorten(difference) }
  await recordAudit(context, { ...by, ...change, correlationId: correlationId ?? null, environmentId, detail })
}

function shorten(lines: string[]): string {
  let length = 0
  const kept = lines.filter((line) => {
    length += line.length + 1
    return length <= DIFFERENCE_CHARS
  })
  const left = lines.length - kept.length
  return [...kept, ...(left === 0 ? [] : [`… and ${left} more`])].join('\n')
}

/** @returns The lines of a topic's change, one for each user. */
export function topicDifference(added: string[], removed: string[]): string[] {
  return [...added.map((userId) => `+ ${userId}`), ...removed.map((userId) => `- ${userId}`)]
}

/** What the log says in place of an erased user. */
export const ERASED = 'a user'

/** @returns Whether entries of the action name users in their subject or detail. */
export function isAboutUsers(action: string): boolean {
  return /^(?:user|suppression|topic)\./.test(action)
}

/** Removes a user from the entries that name the user, and from those of topics. The entries themselves stay. */
export async function eraseFromAudit({ sql }: WriteContext, environmentId: number, userId: string): Promise<void> {
  await sql.run(
    `UPDATE audit_entry SET subject = ?, detail = '{}' WHERE environment_id = ? AND subject = ?
      AND (action LIKE 'user.%' OR action LIKE 'suppression.%')`,
    [ERASED, environmentId, userId],
  )
  const rows = await sql.all<{ number: number; detail: string }>(
    `SELECT number, detail FROM audit_entry WHERE environment_id = ? AND action = 'topic.change'`,
    [environmentId],
  )
  const lines = new Set([`+ ${userId}`, `- ${userId}`])
  for (const { number, detail } of rows) {
    const { difference } = JSON.parse(detail) as { difference: string }
    const all = difference.split('\n')
    if (!all.some((line) => lines.has(line))) continue
    const kept = all.map((line) => (lines.has(line) ? `${line.slice(0, 2)}${ERASED}` : line)).join('\n')
    await sql.run('UPDATE audit_entry SET detail = ? WHERE number = ?', [JSON.stringify({ difference: kept }), number])
  }
}
